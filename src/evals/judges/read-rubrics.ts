import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { CountersignError } from "../../contract/errors.ts";
import { readPlainYaml } from "../plain-yaml.ts";
import { type Rubric, rubric } from "./rubric.ts";

/** Where a project keeps its rubrics, below its folder. */
export const rubricFolder = join("evals", "judges");

/**
 * Reads every rubric of a project, `evals/judges/<name>.yaml`; none where there is no folder. Throws `definition_invalid` for the first that
 * breaks a rule, and says where: a judge that cannot be read would judge nothing.
 */
export async function readRubrics(project: string): Promise<readonly Rubric[]> {
  const folder = join(project, rubricFolder);
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => [".yaml", ".yml"].includes(extname(name))).sort();
  return Promise.all(names.map(async (name) => readRubric(name, await readFile(join(folder, name), "utf8"))));
}

function readRubric(file: string, text: string): Rubric {
  const plain = readPlainYaml(text);
  if (plain.kind === "fault") throw broken(file, plain.at, plain.expected);
  const read = rubric.safeParse(plain.value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw broken(file, `/${issue?.path.map(String).join("/") ?? ""}`, issue?.message ?? "a rubric");
  }
  if (read.data.name !== basename(file, extname(file))) throw broken(file, "/name", "the file's own name");
  return read.data;
}

function broken(file: string, at: string, expected: string): CountersignError {
  const place = at === "" ? "" : ` at \`${at}\``;
  return new CountersignError("definition_invalid", `the rubric \`${file}\` is broken${place}: ${expected}; mend it`);
}
