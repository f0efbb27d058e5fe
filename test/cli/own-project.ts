import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Writes a project of somebody's own, without a sandbox: one capability, `echo`, open to employees. */
export async function putOwnProject(folder: string): Promise<void> {
  await mkdir(folder);
  for (const [name, text] of Object.entries(files())) await writeFile(join(folder, name), text);
}

function files(): Record<string, string> {
  const source = (name: string) => JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).href);
  const zod = JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve("zod")).href);
  return {
    "project.ts": `import { defineCapability, defineProject } from ${source("index")};
import { z } from ${zod};
const echo = defineCapability({
  name: "echo", version: "1", owner: "us", description: "Says it again.", openTo: ["employee"],
  input: z.strictObject({ text: z.string().max(200) }), decision: z.strictObject({ said: z.string() }), needs: () => [],
  deciding: { kind: "rule", version: "1", rule: ({ inputs }) => ({ said: inputs.text }) },
  checks: [{ name: "said", run: ({ decision }) => ({ passed: decision.said !== "", evidence: "something was said" }) }],
  propose: () => ({ summary: "Said again", claims: [] }),
});
export default defineProject({ name: "mine", capabilities: [echo] });\n`,
    "decide.ts": `import { defineDeciding } from ${source("define/deciding")};
export default defineDeciding({ providers: [], records: [], hiddenValues: null });\n`,
    "hands.ts": `import { defineHands } from ${source("act/hands")};
export default defineHands({ records: [], hands: [] });\n`,
  };
}
