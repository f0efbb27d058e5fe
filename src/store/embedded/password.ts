import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError } from "../../contract/errors.ts";

/** Reads the kept password of the database's administrator; throws `database_start_failed` when it is lost. */
export async function readPassword(directory: string): Promise<string> {
  const file = passwordFile(directory);
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    const message = `cannot read the database's admin password at \`${file}\`; put the file back, or move \`${directory}\` away to begin anew`;
    throw new CountersignError("database_start_failed", message, { facts: { file }, cause });
  }
}

/** Makes a random password for the administrator unless one is kept already, readable by our own account only. */
export async function keepPassword(directory: string): Promise<string> {
  const file = passwordFile(directory);
  const kept = await readFile(file, "utf8").catch(() => "");
  if (kept.trim() !== "") return kept.trim();
  const password = randomBytes(24).toString("base64url");
  await mkdir(join(directory, "secrets"), { recursive: true, mode: 0o700 });
  // Written aside and renamed: a crash leaves no password or a whole one.
  const handle = await open(`${file}.draft`, "w", 0o600);
  try {
    await handle.writeFile(`${password}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.draft`, file);
  return password;
}

function passwordFile(directory: string): string {
  return join(directory, "secrets", "admin-password");
}
