import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isSeq, parse, parseDocument, stringify } from "yaml";
import { CountersignError } from "../contract/errors.ts";
import { withLock } from "../store/embedded/lock.ts";
import type { EvalCase } from "./case-file.ts";
import { readEvalCases } from "./read-cases.ts";

/** Where a case stands now, and whether it was put there or stood there before. */
export interface PutCase {
  readonly file: string;
  readonly isNew: boolean;
}

/** Where whoever puts a case holds off others; nothing of it is for version control. */
const lockFolder = ".putting";
/** How long others are waited for, in milliseconds; each of them takes a few. */
const waitMs = 30_000;
/** How often a file that somebody else wrote meanwhile is read anew. */
const tries = 20;

/**
 * Puts an eval case at the end of its capability's file; remarks and every other case stay as they are written, also those that others put
 * there at the same time. One whose id is there already is left as it is, since somebody may have worked on it. Throws `bad_request` for a
 * file that cannot be read as eval cases, `in_progress` where another process does not come to an end with it.
 */
export async function putCase(
  folder: string,
  { capability, evalCase }: { capability: string; evalCase: EvalCase },
): Promise<PutCase> {
  return withPutLock(folder, async () => {
    for (let left = tries; left > 0; left -= 1) {
      const put = await tryPut(folder, { capability, evalCase });
      if (put !== null) return put;
    }
    throw new CountersignError("in_progress", `somebody writes the eval cases of \`${capability}\` all the time; try again`);
  });
}

/** Puts it, or returns `null` where the file was changed since it was read: an editor knows of no lock. */
async function tryPut(
  folder: string,
  { capability, evalCase }: { capability: string; evalCase: EvalCase },
): Promise<PutCase | null> {
  const files = await readEvalCases(folder);
  const known = files.find(({ cases }) => cases.some(({ id }) => id === evalCase.id));
  if (known !== undefined) return { file: known.file, isNew: false };
  const file = files.find((one) => one.capability === capability)?.file ?? `${capability}.yaml`;
  const [fault] = files.filter((one) => one.file === file).flatMap(({ faults }) => faults);
  if (fault !== undefined)
    throw new CountersignError("bad_request", `\`${file}\` cannot be added to: ${fault.at}: ${fault.expected}; mend it first`);
  const path = join(folder, file);
  const text = await textOf(path);
  const written = file.endsWith(".jsonl") ? `${ended(text)}${JSON.stringify(evalCase)}\n` : withYaml(text, evalCase);
  const draft = join(folder, `.${file}.${randomUUID()}`);
  try {
    await writeFile(draft, written);
    if ((await textOf(path)) !== text) return null;
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return { file, isNew: true };
}

async function textOf(path: string): Promise<string> {
  return existsSync(path) ? await readFile(path, "utf8") : "";
}

/** Whoever dies loses the lock. */
async function withPutLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const place = join(folder, lockFolder);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, ".gitignore"), "*\n");
  const onHeld = (pid: number): CountersignError => {
    const message = `process ${pid} has been putting an eval case into \`${folder}\` all this time; wait for it or end it`;
    return new CountersignError("in_progress", message, { facts: { pid } });
  };
  return withLock(place, { deadlineMs: Date.now() + waitMs, onHeld }, work);
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
