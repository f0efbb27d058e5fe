import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readHouseTable, repository } from "./house-table.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

// Compiles texts under the settings of the pure folders and answers with the compiler's lines, one file a text.
function compile(texts: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "countersign-pure-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const settings = { extends: `${repository}/tsconfig.pure.json`, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const { stdout } = spawnSync(`${repository}/node_modules/.bin/tsc`, ["-p", folder, "--pretty", "false"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes("error"));
}

describe("the settings of the pure folders", () => {
  it("know no host, not even beside zod", () => {
    const names = ["fetch", "process", "Buffer", "URL", "AbortSignal", "setTimeout", "console", "crypto", "structuredClone"];
    const texts = Object.fromEntries(names.map((name) => [`${name}.ts`, `export const held = ${name};\n`]));
    const zod = `import type { z } from ${JSON.stringify(`${repository}/node_modules/zod/index.js`)};\nexport type Z = z.ZodType;\n`;
    const errors = compile({ ...texts, "node.ts": 'export { readFileSync } from "node:fs";\n', "zod.ts": zod });
    expect(errors.map((line) => line.replace(/^.*?(\w+)[.]ts\(.*$/, "$1")).sort()).toEqual([...names, "node"].sort());
  });

  it("compile what is pure", () => {
    expect(
      compile({ "pure.ts": "export const double = (n: number): number => [n].flatMap((m) => m * 2).at(0) ?? 0;\n" }),
    ).toEqual([]);
  });

  it.each([
    ["an unchecked index", "export const a = (b: number[]): number => b[0];\n"],
    ["undefined for an absent field", "export const a: { b?: number } = { b: undefined };\n"],
    ["an enum", "export enum A { B }\n"],
    ["a parameter property", "export class A { constructor(readonly b: number) {} }\n"],
    ["a type imported as a value", 'import { B } from "./b.ts";\nexport const a: B = 1;\n'],
    ["an implicit any", "export const a = (b) => b;\n"],
  ])("refuse %s", (_name, text) => {
    expect(compile({ "a.ts": text, "b.ts": "export type B = number;\n" })).toHaveLength(1);
  });

  it("hold over the same folders as the import rules", async () => {
    const { default: settings } = await import("../../tsconfig.pure.json", { with: { type: "json" } });
    expect(settings.include).toEqual(readHouseTable().houseTable.pure.map((folder) => `src/${folder}/**/*.ts`));
  });
});
