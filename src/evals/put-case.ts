import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isSeq, parse, parseDocument, stringify } from "yaml";
import { CountersignError } from "../contract/errors.ts";
import type { EvalCase } from "./case-file.ts";
import { readEvalCases } from "./read-cases.ts";

/** Where a case stands now, and whether it was put there or stood there before. */
export interface PutCase {
  readonly file: string;
  readonly isNew: boolean;
}

/**
 * Puts an eval case at the end of its capability's file; remarks and every other case stay as they are written. One whose id is there
 * already is left as it is, since somebody may have worked on it. Throws `bad_request` for a file that cannot be read as eval cases.
 */
export async function putCase(
  folder: string,
  { capability, evalCase }: { capability: string; evalCase: EvalCase },
): Promise<PutCase> {
  const files = await readEvalCases(folder);
  const known = files.find(({ cases }) => cases.some(({ id }) => id === evalCase.id));
  if (known !== undefined) return { file: known.file, isNew: false };
  const file = files.find((one) => one.capability === capability)?.file ?? `${capability}.yaml`;
  const [fault] = files.filter((one) => one.file === file).flatMap(({ faults }) => faults);
  if (fault !== undefined)
    throw new CountersignError("bad_request", `\`${file}\` cannot be added to: ${fault.at}: ${fault.expected}; mend it first`);
  await mkdir(folder, { recursive: true });
  const path = join(folder, file);
  const text = existsSync(path) ? await readFile(path, "utf8") : "";
  const written = file.endsWith(".jsonl") ? `${ended(text)}${JSON.stringify(evalCase)}\n` : withYaml(text, evalCase);
  const draft = join(folder, `.${file}.${randomUUID()}`);
  await writeFile(draft, written);
  await rename(draft, path);
  return { file, isNew: true };
}

/** As text behind the others, so that what stands there is not written anew; where its form does not allow that, as a part of the document. */
function withYaml(text: string, evalCase: EvalCase): string {
  const appended = `${ended(text)}${stringify([evalCase], { lineWidth: 120 })}`;
  const before: unknown = text.trim() === "" ? [] : (parse(text) ?? []);
  if (!Array.isArray(before)) throw new CountersignError("bad_request", "a file of eval cases is a list");
  if (holds(appended, [...before, evalCase])) return appended;
  const document = parseDocument(text);
  if (!isSeq(document.contents)) throw new CountersignError("bad_request", "a file of eval cases is a list");
  document.contents.flow = false;
  document.add(document.createNode(evalCase));
  return document.toString({ lineWidth: 120 });
}

function holds(text: string, cases: readonly unknown[]): boolean {
  try {
    return isDeepStrictEqual(parse(text), JSON.parse(JSON.stringify(cases)));
  } catch {
    return false;
  }
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
