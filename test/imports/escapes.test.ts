import { describe, expect, it } from "vitest";
import { findEscapes, namedModules } from "./escapes.ts";
import { readSources } from "./sources.ts";

const seeds: readonly (readonly [path: string, text: string, what: string])[] = [
  ["src/worker.ts", "const a = 1;\nawait import(name);", "computed import"],
  ["src/cli/main.ts", `class A { #b = async () => [(await import(\`./\${c}.ts\`)).d] }`, "computed import"],
  ["src/decide/run.ts", "\nexport const a = (b?: { c: string }) => b?.c ?? import(b + '.ts');", "computed import"],
  [
    "src/act/apply.ts",
    `\ntype A = import("../decide/run.ts").B;`,
    "import type in an expression; write `import type` at the head of the file",
  ],
  ["src/act/apply.ts", "\n(0, eval)('1');", "eval"],
  ["src/act/apply.ts", "\nnew Function('return 1')();", "Function"],
  ["src/act/apply.ts", "\nFunction('return 1')();", "Function"],
  ["src/act/apply.ts", "\nrequire('node:fs');", "require"],
  ["src/act/apply.ts", "\nconst r = module.createRequire(here);", "createRequire"],
  ["src/gateway/call.ts", "\nprocess.getBuiltinModule('fs');", "getBuiltinModule"],
  ["src/contract/ports.ts", "\nconst f = globalThis.fetch;", "globalThis"],
  ["src/guard/privacy/encode.ts", "\nconst f = globalThis['fetch'];", "globalThis"],
  ["src/approve/grant.ts", "\nreturn_(x as Approved<Effect>);", "cast to Approved"],
  ["src/approve/admit.ts", "\nconst a = x as unknown as readonly Approved<Effect>[];", "cast to Approved"],
  ["src/act/apply.ts", "\nconst a = <Approved<Effect>>x;", "cast to Approved"],
  [
    "src/act/apply.ts",
    `import { type Approved as A } from "../contract/brands.ts";\nconst a = x as A<Effect>;`,
    "cast to Approved",
  ],
  ["src/gateway/call.ts", "\nconst a = x as Encoded<string>;", "cast to Encoded"],
];

const harmless: readonly (readonly [path: string, text: string])[] = [
  ["src/cli/load.ts", "export const load = (path: string) => import(path);"],
  ["src/store/embedded/binaries.ts", "const found = createRequire(import.meta.url).resolve(name);"],
  ["src/cli/main.ts", "await import('./serve.ts'); await import(`./work.ts`);"],
  ["src/approve/verify.ts", "const a = x as Approved<Effect>;"],
  ["src/guard/privacy/encode.ts", "const a = x as Encoded<string>;"],
  [
    "src/store/open.ts",
    "const a = globalThis.crypto; const b = c.eval; const d = { Function: 1, require: 2 }; let f: Approved<X>;",
  ],
];

describe("ways around the import rules", () => {
  it.each(seeds)("are found in %s: %s", (path, text, what) => {
    const line = 2 - Number(path === "src/cli/main.ts");
    expect(findEscapes({ path, text })).toEqual([{ line, what }]);
  });

  it.each(harmless)("are not seen in %s: %s", (path, text) => {
    expect(findEscapes({ path, text })).toEqual([]);
  });

  it("are in no file of src", () => {
    // What holds none of these words cannot hold an escape; parsing every file takes half a minute.
    const suspicious =
      /\bimport\b(?!\s+(?:type\b|[\w$*{]|["']))|eval|Function|require|createRequire|getBuiltinModule|globalThis|Approved|Encoded|\\u/;
    const sources = readSources(["src"]).filter(({ text }) => suspicious.test(text));
    for (const [, text] of seeds) expect(text).toMatch(suspicious);
    const all = sources.flatMap((source) => findEscapes(source).map((found) => ({ path: source.path, ...found })));
    expect(all).toEqual([]);
  }, 90_000);

  it("leave every named module in sight", () => {
    const text = `#!/usr/bin/env node
import a from "a"; import type { B } from "b"; export * from "c"; export { d } from "d"; import "e";
class X { static { import("f"); } m(y = import(\`g\`)) { return y?.z(() => import("h")); } }
type T = import("i").T; let u: Array<import("j").U>; import k = require("k"); require("l"); import(m);`;
    expect(namedModules(text).sort()).toEqual([..."abcdefghijkl"]);
  });
});
