import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The name of a file of ours, as an import says it. */
export const source = (name: string) => JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).href);
/** A connector as a project writes it. */
export const connector = (side: string, secret: string) =>
  `defineConnector({ name: "system-${side}", side: "${side}", secret: "${secret}", open: async () => ({}), close: async () => {} })`;
/** Record sources of one connector. */
export const records = (side: string, secret: string) => `[recordSource(${connector(side, secret)}, [])]`;

/** A project that is as it should be. */
export const sound = {
  "project.ts": `import { defineProject } from ${source("index")};\nexport default defineProject({ name: "sample", capabilities: [] });\n`,
  "decide.ts": decideWith(records("reads", "SYSTEM_READ")),
  "hands.ts": handsWith(records("observes", "SYSTEM_OBSERVE")),
};

/** A `decide.ts` over these record sources. */
export function decideWith(sources: string): string {
  return `import { defineConnector, recordSource } from ${source("index")};
import { defineDeciding } from ${source("define/deciding")};
export default defineDeciding({ providers: [], records: ${sources}, hiddenValues: null });\n`;
}

/** A `hands.ts` over these record sources and hands. */
export function handsWith(sources: string, hands = "[]"): string {
  return `import { defineConnector, recordSource } from ${source("index")};
import { defineHands } from ${source("act/hands")};
export default defineHands({ records: ${sources}, hands: ${hands} });\n`;
}

/** Hands of one effect, with the names of what writes and what observes. */
export function writingWith(write: string, observe: string): string {
  return `[{ effect: {}, apply: { connector: ${connector("writes", write)} }, observe: { connector: ${connector("observes", observe)} } }]`;
}

/** Writes a project that is as it should be into a folder, with these files instead of its own or beside them. */
export async function putProject(project: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries({ ...sound, ...files })) {
    await mkdir(join(project, name, ".."), { recursive: true });
    await writeFile(join(project, name), text);
  }
}
