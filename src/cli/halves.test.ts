import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mixedHalves } from "./halves.ts";

const imports = {
  "#hands": "./hands.ts",
  "#both": { browser: "./other.ts", default: "./hands.ts" },
  "#own/*": "./*",
};

it.each([
  ["a relative path", 'import "./hands.ts";\n'],
  ["a name of the package's own imports", 'import "#hands";\n'],
  ["one of several targets of such a name", 'import "#both";\n'],
  ["a pattern of such names", 'import "#own/hands.ts";\n'],
  ["a comment that looks like one", '// taken from "."\nimport "./hands.ts";\n'],
])("finds a half that is reached by %s", async (_, text) => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-halves-"));
  const files = { "package.json": JSON.stringify({ imports }), "project.ts": text, "decide.ts": "", "hands.ts": "" };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  expect(await mixedHalves(folder)).toEqual(["`project.ts` reaches `hands.ts`; keep the halves apart"]);
  await rm(folder, { recursive: true });
});
