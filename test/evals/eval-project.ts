import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

/** A case as a file holds it, with the parts that all cases of a test share left out. */
export interface TestCase {
  readonly id: string;
  readonly request: string;
  readonly envelope?: object;
  readonly fixtures?: object;
  readonly expectations: object;
  readonly label?: "quality" | "safety";
}

const usual = {
  envelope: { principal: "emp-104", roles: ["employee"] },
  fixtures: { seed: "sandbox" },
  label: "quality",
  kind: "single",
  slice: "all",
  source: "written by hand",
};

/** Writes a project of its own into a folder: an example with other eval cases and another gate. */
export async function putEvalProject(
  folder: string,
  {
    example,
    cases,
    gate,
    calls,
    files: more = {},
  }: {
    example: string;
    cases: Readonly<Record<string, readonly TestCase[]>>;
    gate?: object;
    /** A file that gets a line for each request to a model's provider. */
    calls: string;
    /** Texts of further files, or of others in the place of these, by their names. */
    files?: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const from = (file: string) => JSON.stringify(`${examples}${example}/${file}.ts`);
  const again = (file: string) => `export { default } from ${from(file)};\n`;
  const documents = JSON.stringify(`${examples}${example}/`);
  const files: Readonly<Record<string, string>> = {
    // The folders of documents are told from the project's own.
    "project.ts": `import project from ${from("project")};
export default { ...project, sources: project.sources.map((one) => ({ ...one, folder: ${documents} + one.folder })) };\n`,
    "decide.ts": `import { appendFileSync } from "node:fs";
import decide from ${from("decide")};
const counted = (one) => ({ ...one, complete: (request, cancel) => {
  appendFileSync(${JSON.stringify(calls)}, "asked\\n");
  return one.complete(request, cancel);
} });
export default { ...decide, providers: decide.providers.map(counted) };\n`,
    ...Object.fromEntries(["hands", "sandbox"].map((file) => [`${file}.ts`, again(file)])),
    ...Object.fromEntries(
      Object.entries(cases).map(([name, own]) => [
        `evals/${name}.yaml`,
        stringify(
          own.map((one) => ({ ...usual, ...one })),
          { aliasDuplicateObjects: false },
        ),
      ]),
    ),
    ...(gate === undefined ? {} : { "evals/gate.yaml": stringify(gate) }),
    ...more,
  };
  await Promise.all([...new Set(Object.keys(files).map(dirname))].map((one) => mkdir(join(folder, one), { recursive: true })));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  return folder;
}
