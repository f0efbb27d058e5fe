import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cruise } from "./cruise.ts";
import { namedModules } from "./escapes.ts";
import { readHouseTable, repository, unitOf } from "./house-table.ts";
import { readSources } from "./sources.ts";

const containers = new Set(["guard", "gateway", "know", "server", "approve", "evals"]);

describe("the tree as it is", { timeout: 120_000 }, () => {
  it("is read whole: as many modules as there are files", async () => {
    const files = readSources(["src"]).map(({ path }) => path);
    const { modules } = await cruise(repository, ["src"]);
    expect(files.length).toBeGreaterThan(0);
    expect(
      modules
        .map(({ source }) => source)
        // A card of a model is data, which imports nothing.
        .filter((source) => source.startsWith("src/") && !source.endsWith(".json"))
        .sort(),
    ).toEqual(files);
  });

  it("is read deep: every module that a file names is seen by the rules", async () => {
    const folders = ["src", "test", "examples"].filter((folder) => existsSync(join(repository, folder)));
    const { modules } = await cruise(repository, folders);
    const seen = new Map(
      modules.map(({ source, dependencies }) => [source, new Set(dependencies.map(({ module }) => bare(module)))]),
    );
    const missed = readSources(folders).flatMap(({ path, text }) =>
      namedModules(text)
        .filter((name) => !seen.get(path)?.has(bare(name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(missed).toEqual([]);
  });

  it("has a row of the table for every folder and file of src", () => {
    const { units } = readHouseTable().houseTable;
    const rows = new Set(units.map((unit) => unit.split("/")[0]));
    const unknown = readdirSync(join(repository, "src")).filter((name) => !rows.has(name.replace(/[.]test(-d)?[.]ts$/, ".ts")));
    expect(unknown).toEqual([]);
    expect(
      readSources(["src"])
        .map(({ path }) => path)
        .filter((path) => unitOf(path) === null),
    ).toEqual([]);
  });

  it.each([
    "src/shortcuts/send.ts",
    "src/shortcuts.ts",
    "src/guard/loose.ts",
    "src/know/facts.json",
    "src/guard/secrets/read.ts",
  ])("would refuse %s, which has no row", (path) => {
    expect(path.endsWith(".ts") ? unitOf(path) : null).toBe(null);
  });

  it("gives nested rows to folders that hold several", () => {
    const nested = readHouseTable()
      .houseTable.units.filter((unit) => unit.includes("/"))
      .map((unit) => unit.split("/")[0] ?? "");
    expect(new Set(nested)).toEqual(containers);
  });
});

function bare(name: string): string {
  return name.replace(/^node:/, "");
}
