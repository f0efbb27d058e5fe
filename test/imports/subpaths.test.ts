import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cruise } from "./cruise.ts";
import { plantTree } from "./fixture-tree.ts";
import { repository } from "./house-table.ts";

const subpaths = { countersign: "src/index.ts", "countersign/decide": "src/decide.ts", "countersign/act": "src/act.ts" };
const more = {
  "countersign/ingest": "src/ingesting.ts",
  "countersign/client": "src/client/index.ts",
  "countersign/testing": "src/testing/index.ts",
};
const entries = Object.entries({ ...subpaths, ...more });

const tree = plantTree({
  ...Object.fromEntries(entries.map(([, path]) => [path, `export const path: string = ${JSON.stringify(path)};\n`])),
  "examples/shop/all.ts": `${entries.map(([name], at) => `import { path as p${at} } from "${name}";\n`).join("")}
const paths: readonly string[] = [${entries.map((_entry, at) => `p${at}`).join(", ")}];
process.stdout.write(paths.join(" "));\n`,
});
afterAll(tree.remove);

describe("a project inside the repository imports the package by its name", () => {
  it("as Node runs it", () => {
    const { stdout } = spawnSync(process.execPath, ["examples/shop/all.ts"], { cwd: tree.path, encoding: "utf8" });
    expect(stdout).toBe(entries.map(([, path]) => path).join(" "));
  });

  it("as the compiler reads it", () => {
    symlinkSync(`${repository}/node_modules/@types`, join(tree.path, "node_modules/@types"));
    const settings = { extends: `${repository}/tsconfig.json`, include: ["examples/shop/all.ts"], exclude: [] };
    writeFileSync(join(tree.path, "tsconfig.json"), JSON.stringify(settings));
    const { stdout } = spawnSync(`${repository}/node_modules/.bin/tsc`, ["-p", ".", "--pretty", "false"], {
      cwd: tree.path,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  });

  it("as the import rules follow it", async () => {
    const { modules } = await cruise(tree.path, ["examples"]);
    const all = modules.find(({ source }) => source === "examples/shop/all.ts");
    expect(all?.dependencies.map(({ resolved }) => resolved).sort()).toEqual(entries.map(([, path]) => path).sort());
  });

  it("as the tests load it", async () => {
    expect(import.meta.resolve("countersign")).toBe(new URL("../../src/index.ts", import.meta.url).href);
    expect(Object.keys(await import("countersign"))).toEqual(Object.keys(await import("../../src/index.ts")));
  });
});
