import { createHash, randomUUID } from "node:crypto";
import { chown, mkdir, open, readdir, realpath, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { canEnter, makeReachableRoot, reachableRoot } from "./account.ts";
import { type Binaries, binary } from "./binaries.ts";
import { keepPassword } from "./password.ts";
import { adminUser } from "./probe.ts";
import { type Account, runOrThrow } from "./run.ts";

/** A data directory without symbolic links in its path, and who owns it. */
export type DataDirectory = { readonly path: string; readonly owner: { readonly uid: number; readonly gid: number } };

/** Finds `<directory>/postgres`; undefined when the database was never initialised. */
export async function findData(directory: string): Promise<DataDirectory | undefined> {
  const path = await realpath(join(directory, "postgres")).catch(() => undefined);
  if (path === undefined) return undefined;
  const { uid, gid } = await stat(path);
  return { path, owner: { uid, gid } };
}

/**
 * Initialises the database under `<directory>/postgres`. The caller holds the lock.
 * It is made in a folder beside and renamed when whole, so one that was killed halfway is never served, only made anew.
 */
export async function initialise(order: {
  directory: string;
  binaries: Binaries;
  account: Account;
  isDurable: boolean;
}): Promise<DataDirectory> {
  const { directory, account } = order;
  const parent = await dataParent(account, directory);
  await removeHalves(parent);
  const draft = join(parent, `${draftPrefix}${randomUUID()}`);
  const password = await keepPassword(directory);
  const passwordFile = `${draft}.password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    await mkdir(draft, { mode: 0o700 });
    if (account.kind === "user") await giveTo(account, [draft, passwordFile]);
    await runOrThrow({
      command: binary(order.binaries, "initdb"),
      args: initdbArguments({ ...order, draft, passwordFile }),
      account,
    });
    await putInPlace({ draft, directory, parent });
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
  const made = await findData(directory);
  if (made === undefined) throw new Error(`no data at ${directory} after it was put there`);
  return made;
}

const draftPrefix = "postgres.draft-";

function initdbArguments({
  draft,
  passwordFile,
  isDurable,
}: {
  draft: string;
  passwordFile: string;
  isDurable: boolean;
}): string[] {
  const form = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--auth=scram-sha-256", `--username=${adminUser}`, `--pwfile=${passwordFile}`];
  return ["-D", draft, ...form, ...access, ...(isDurable ? [] : ["--no-sync"])];
}

/** The project's own folder, or for an account that cannot enter it a folder of root's, named after the project's. */
async function dataParent(account: Account, directory: string): Promise<string> {
  if (account.kind !== "user" || (await canEnter(account, directory))) return directory;
  const name = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const parent = join(reachableRoot, name);
  await makeReachableRoot();
  await mkdir(parent, { recursive: true, mode: 0o755 });
  return parent;
}

async function removeHalves(parent: string): Promise<void> {
  const halves = (await readdir(parent)).filter((name) => name.startsWith(draftPrefix));
  // An `initdb` whose caller was killed may still be writing into its half; without it, it fails and ends.
  const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 20 };
  await Promise.all(halves.map((name) => rm(join(parent, name), removal)));
}

async function putInPlace({ draft, directory, parent }: { draft: string; directory: string; parent: string }): Promise<void> {
  const place = join(parent, "postgres");
  if (parent !== directory) {
    // Data of an earlier project folder of the same path: nothing points to it any more, but it is not ours to delete.
    await rename(place, `${place}.before-${Date.now()}`).catch(ignoreMissing);
  }
  await rename(draft, place);
  await syncDirectory(parent);
  if (parent === directory) return;
  await rm(join(directory, "postgres"), { force: true });
  await symlink(place, join(directory, "postgres"));
  await syncDirectory(dirname(join(directory, "postgres")));
}

async function giveTo(account: { uid: number; gid: number }, paths: readonly string[]): Promise<void> {
  for (const path of paths) await chown(path, account.uid, account.gid);
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}
