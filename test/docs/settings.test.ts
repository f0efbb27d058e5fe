import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = await readFile(`${root}docs/settings.md`, "utf8");

it("docs/settings.md has a row for every variable that the program reads, and none besides", async () => {
  const { stdout } = await promisify(execFile)("grep", ["-rhoE", "COUNTERSIGN_[A-Z]+(_[A-Z]+)*", "--include=*.ts", "src"], {
    cwd: root,
  });
  const rows = [...page.matchAll(/^\| `.*$/gm)].flatMap(([row]) =>
    [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  // Where a client finds the desk, and what a command prints of a fault, are options of the command line and in its help.
  const elsewhere = ["COUNTERSIGN_URL", "COUNTERSIGN_KEY", "COUNTERSIGN_DEBUG"];
  const read = new Set(
    stdout
      .trim()
      .split("\n")
      .filter((name) => !elsewhere.includes(name)),
  );
  expect(rows.filter((name) => name?.startsWith("COUNTERSIGN_")).sort()).toEqual([...read].sort());
});
