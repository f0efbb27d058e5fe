import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import type { EvalRun } from "../evals/eval-run.ts";
import type { FinishedRepeat, KeptRepeats } from "../evals/run-set.ts";
import { makeDirectory } from "./make-directory.ts";

/** What a run that may be gone on with is of: only the same cases, definitions, models and judges go on with it. */
export interface RunHead
  extends Pick<EvalRun, "id" | "project" | "startedAt" | "capabilities" | "judges" | "repeats" | "passRate"> {
  readonly setDigest: string;
}

/** The finished repeats of a run that has not ended, in a file. */
export interface OpenRun extends KeptRepeats {
  readonly head: RunHead;
  /** The run has ended: nothing is gone on with. */
  readonly done: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const headForm = z.looseObject({ head: z.looseObject({ id: z.string(), setDigest: z.string() }) });
const lineForm = z.looseObject({
  caseId: z.string(),
  repeat: z.looseObject({ repeat: z.int(), passed: z.boolean(), fault: z.looseObject({}).nullable() }),
});

/**
 * Opens the file of a project's run that has not ended: anew, or to go on with what is there. A line that was cut off by a kill counts for
 * nothing. Throws `not_found` where there is none to go on with, and `bad_request` where it is of other cases, definitions, models or judges.
 */
export async function openRun(folder: string, { head, resume }: { head: RunHead; resume: boolean }): Promise<OpenRun> {
  await makeDirectory(folder);
  const path = join(folder, `${head.project}.unfinished.jsonl`);
  const kept = resume ? await readKept(path, head) : { head, finished: [] };
  await writeWhole(path, [{ head: kept.head }, ...kept.finished]);
  const file = await open(path, "a", 0o600);
  let writing: Promise<unknown> = Promise.resolve();
  return {
    ...kept,
    keep: async (finished) => {
      writing = writing.then(() => file.write(`${JSON.stringify(finished)}\n`)).then(() => file.datasync());
      await writing;
    },
    done: async () => {
      await file.close();
      await rm(path, { force: true });
    },
    close: () => file.close(),
  };
}

async function readKept(path: string, head: RunHead): Promise<{ head: RunHead; finished: readonly FinishedRepeat[] }> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null)
    throw new CountersignError("not_found", `there is no run of \`${head.project}\` to go on with; leave --resume out`);
  // Behind the last line's end stands what a kill cut off.
  const [first, ...lines] = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "");
  const known = parsed(() => headForm.parse(JSON.parse(first ?? "null")).head as unknown as RunHead);
  const isSame = JSON.stringify(comparable(known)) === JSON.stringify(comparable(head));
  if (!isSame)
    throw new CountersignError(
      "bad_request",
      "the run that has not ended is of other cases, definitions, models, judges or repeats; leave --resume out",
    );
  const finished = parsed(() => lines.map((line) => lineForm.parse(JSON.parse(line)) as unknown as FinishedRepeat));
  // A repeat that broke, perhaps since the run was being ended, is played again.
  return { head: known, finished: finished.filter(({ repeat: { fault } }) => fault === null) };
}

function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new CountersignError("bad_request", "what the last run left cannot be read; leave --resume out", { cause });
  }
}

function comparable({ project, capabilities, judges, repeats, passRate, setDigest }: RunHead): unknown {
  return {
    project,
    setDigest,
    repeats,
    passRate,
    capabilities: inOrder(capabilities),
    judges: judges === undefined ? null : inOrder(judges), // what an older version left names none
  };
}

function inOrder<T>(named: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A kill leaves the old file or the new one. */
async function writeWhole(path: string, lines: readonly unknown[]): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
