import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../start/installation.ts";

// The commands of docs/backup.md, one after the other, on an embedded database.
const page = await readFile(new URL("../../docs/backup.md", import.meta.url), "utf8");
const commands = (/```\n([^`]+)```/.exec(page)?.[1] ?? "").trim().split("\n");
const slow = { timeout: 600_000 };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-backup-page-"));
});
afterAll(async () => {
  for (const name of [".countersign", ".restored"]) await run(["stop", "--directory", join(folder, name)]);
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** A line of the page as arguments, with its files in the test's folder and the usual directory named. */
function argumentsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1);
  const placed = words.map((word) => (word.endsWith(".backup") || word === ".restored" ? join(folder, word) : word));
  return placed.includes("--directory") ? placed : [...placed, "--directory", join(folder, ".countersign")];
}

it("does what docs/backup.md says, command by command", slow, async () => {
  expect(commands.map((line) => line.split(" ")[1])).toEqual(["backup", "restore", "ledger"]);
  const env = { COUNTERSIGN_BACKUP_PASSPHRASE: "correct horse battery" };
  const added = await run(["tenant", "add", "acme", "--name", "Acme", "--directory", join(folder, ".countersign")]);
  expect(added).toMatchObject({ code: 0 });
  for (const line of commands) expect(await run(argumentsOf(line), { env })).toMatchObject({ code: 0, stderr: "" });
  const settings = async (name: string) =>
    JSON.parse(await readFile(join(folder, name, "secrets", "settings.json"), "utf8")) as object;
  expect(await settings(".restored")).toEqual(await settings(".countersign"));
  const { stdout } = await run(["tenant", "list", "--directory", join(folder, ".restored"), "--json"]);
  expect(stdout).toContain('"acme"');
});
