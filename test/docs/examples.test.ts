import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What an example takes for granted, by the function that it shows. `declare` stands for what only a project has. */
const preludes: Readonly<Record<string, string>> = {
  defineCapability: 'import { z } from "zod"; import { rowsOf } from "countersign";',
  defineCase: 'import { z } from "zod";',
  defineSqlQuery: 'import { z } from "zod";',
  defineAggregateView: 'import { z } from "zod";',
  defineHttpQuery: 'import { z } from "zod";',
  defineCalculation: 'import { quantities } from "countersign";',
  formatValue: 'import { quantities } from "countersign";',
  defineTool: 'import { z } from "zod";',
  jsonContract: 'import { defineTool, type JsonObject } from "countersign";',
  withModel: 'import type { Project } from "countersign"; declare const project: Project;',
  createClient: "declare const apiKey: string;",
  proposeForTest:
    'import type { Capability } from "countersign"; import { fixedContext } from "countersign/testing"; declare const capability: Capability;',
  implementEffect: `import { through } from "countersign/act"; import { defineConnector, defineEffect } from "countersign"; import { z } from "zod";
declare const closeTicket: ReturnType<typeof makeEffect>;
function makeEffect() { return defineEffect({} as Parameters<typeof defineEffect<{ ticket: string }>>[0]); }
const open = { secret: "X", open: async () => "pool", close: async () => {} };
const writer = defineConnector({ name: "w", side: "writes", ...open });
const observer = defineConnector({ name: "o", side: "observes", ...open });
declare function close(pool: string, params: { ticket: string }, key: string): Promise<string>;
declare function readTicket(pool: string, ticket: string): Promise<{ id: string } | null>;
export type Unused = typeof z;`,
};
/** Examples that only compile: they need a server, a model or hands that belong to a project. */
const onlyCompiled = new Set(["withModel", "createClient", "proposeForTest", "implementEffect"]);

interface Example {
  readonly name: string;
  readonly source: string;
  readonly code: string;
}

const examples = globSync("src/**/*.ts", { cwd: root })
  .filter((path) => !path.endsWith(".test.ts"))
  .sort();
const found: Example[] = [];
for (const source of examples) found.push(...examplesOf(source, await readFile(join(root, source), "utf8")));

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(root, "test/docs/examples-"));
  await Promise.all(found.map((example) => writeFile(join(folder, `${example.name}.ts`), moduleOf(example))));
  const config = { extends: "../../../tsconfig.json", include: ["*.ts"], exclude: [] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the examples in doc comments", () => {
  it("are found", () => {
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(["canonicalJson", "route", "defineCapability"]));
  });

  it("compile", async () => {
    const compiled = await promisify(execFile)(process.execPath, [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      folder,
    ]).catch((thrown: { stdout: string }) => thrown);
    expect(compiled.stdout).toBe("");
  }, 60_000);

  it.each(found.filter(({ name }) => !onlyCompiled.has(name)))("$source: $name gives what it says", async ({ name }) => {
    const { told } = (await import(join(folder, `${name}.ts`))) as { told: [unknown, unknown][] }; // written by `moduleOf`
    for (const [value, said] of told) expect(value).toEqual(said);
  });
});

/** The code below each `@example`, named after the function that follows the comment. */
function examplesOf(source: string, text: string): Example[] {
  return [...text.matchAll(/ \* @example\n((?: \*.*\n)*?) \*\/\n(?:export )?(?:async )?function (\w+)/g)].map((match) => ({
    source,
    name: match[2] ?? "",
    code: (match[1] ?? "").replace(/^ \* ?/gm, ""),
  }));
}

/** A module that runs an example; `value; // said` (also on the next line) becomes a pair to compare. */
function moduleOf({ name, source, code }: Example): string {
  const told = /^(\w.*?);\s*(?:\n)?\s*\/\/ (.+)$/gm;
  const body = told.test(code) ? code.replace(told, "told.push([$1, $2]);") : code;
  const prelude = preludes[name] ?? "";
  return `// ${basename(source)}\nimport { ${name} } from "../../../${source}";\n${prelude}\nexport const told: [unknown, unknown][] = [];\n${body}\nexport type Shown = typeof ${name};\n`;
}
