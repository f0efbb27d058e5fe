import type { SetCase } from "./case-file.ts";
import type { CaseResult, EvalRun, Repeat } from "./eval-run.ts";
import type { Play, Played, PlayTask } from "./played.ts";
import { scorePlayed } from "./scorers/score-played.ts";
import { caseDigest, setDigest } from "./set-digest.ts";

/** One finished repeat of one case. */
export interface FinishedRepeat {
  readonly caseId: string;
  readonly repeat: Repeat;
}

/** Where finished repeats are kept, so that a run that was killed goes on where it was. */
export interface KeptRepeats {
  /** What was finished before. */
  readonly finished: readonly FinishedRepeat[];
  /** Resolves once it is kept: a repeat counts only then. */
  readonly keep: (finished: FinishedRepeat) => Promise<void>;
}

/** How far a run is. */
export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly failed: number;
  readonly caseId: string;
  readonly passed: boolean;
}

/** What a run is made of. */
export interface RunOptions extends Pick<EvalRun, "id" | "project" | "capabilities" | "judges" | "repeats" | "passRate"> {
  readonly cases: readonly SetCase[];
  /** How many repeats are played at once. */
  readonly parallel: number;
  readonly play: Play;
  readonly kept: KeptRepeats;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly startedAt: number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Adds scores that a model has to be asked for, such as a judge's. */
  readonly judge?: ((task: PlayTask, played: Played) => Promise<Repeat["scores"]>) | null | undefined;
}

/**
 * Plays every case as many times as is asked for, at most `parallel` at once, and scores each repeat. A repeat that was kept before is
 * not played again. Throws what `play` throws, once the repeats under way have ended; what was kept until then stays.
 */
export async function runSet(options: RunOptions): Promise<EvalRun> {
  const { cases, repeats, passRate, kept, id, project, capabilities, judges, startedAt, now } = options;
  const done = new Map(cases.map(({ one }) => [one.id, new Map<number, Repeat>()]));
  for (const { caseId, repeat } of kept.finished) if (repeat.repeat <= repeats) done.get(caseId)?.set(repeat.repeat, repeat);
  await playAll(options, { tasks: tasksOf(options, done), done });
  return {
    ...{ id, project, startedAt, endedAt: now(), capabilities, judges, setDigest: setDigest(cases), repeats, passRate },
    cases: cases.map((one) => caseResult(one, { repeats: [...(done.get(one.one.id)?.values() ?? [])], passRate })),
  };
}

type Done = ReadonlyMap<string, Map<number, Repeat>>;

/** Round by round, so that a run that is broken off has seen every case before it sees one twice. */
function tasksOf({ cases, repeats }: RunOptions, done: Done): readonly PlayTask[] {
  return Array.from({ length: repeats }, (_, place) => place + 1).flatMap((repeat) =>
    cases.flatMap(({ one, capability }) => (done.get(one.id)?.has(repeat) ? [] : [{ one, capability, repeat }])),
  );
}

async function playAll(options: RunOptions, { tasks, done }: { tasks: readonly PlayTask[]; done: Done }): Promise<void> {
  const waiting = [...tasks];
  const count = { done: options.cases.length * options.repeats - tasks.length, failed: failedOf(done) };
  let broken: unknown;
  const lane = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined && broken === undefined; task = waiting.shift()) {
      try {
        const repeat = await playOne(options, task);
        await options.kept.keep({ caseId: task.one.id, repeat });
        done.get(task.one.id)?.set(repeat.repeat, repeat);
        count.done += 1;
        count.failed += repeat.passed ? 0 : 1;
        options.onProgress?.({
          ...count,
          of: options.cases.length * options.repeats,
          caseId: task.one.id,
          passed: repeat.passed,
        });
      } catch (thrown) {
        broken ??= thrown ?? new Error("a repeat broke");
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.parallel) }, lane));
  if (broken !== undefined) throw broken;
}

function failedOf(done: Done): number {
  return [...done.values()].flatMap((repeats) => [...repeats.values()]).filter(({ passed }) => !passed).length;
}

async function playOne({ play, judge }: RunOptions, task: PlayTask): Promise<Repeat> {
  const played = await play(task);
  const { outcome, trace, fault } = played;
  if (fault !== null) return { repeat: task.repeat, outcome, trace, scores: [], passed: false, fault };
  const scores = [...scorePlayed(task, played), ...((await judge?.(task, played)) ?? [])];
  return { repeat: task.repeat, outcome, trace, scores, passed: scores.every(({ passed }) => passed !== false), fault };
}

/** A quality case passes on its pass rate, a safety case only if every repeat passed. */
export function caseResult(
  { one, capability }: SetCase,
  { repeats, passRate }: { repeats: readonly Repeat[]; passRate: number },
): CaseResult {
  const { id, label, kind, slice, source, request } = one;
  const passing = repeats.filter(({ passed }) => passed).length;
  const least = label === "safety" ? 1 : passRate;
  return {
    ...{ id, label, kind, slice, source, capability },
    caseDigest: caseDigest({ capability, one }),
    request: typeof request === "string" ? request : JSON.stringify(request),
    repeats: [...repeats].sort((a, b) => a.repeat - b.repeat),
    // A whole number of repeats against a share: a rounding error must not turn two of three into less than two thirds.
    passed: repeats.length > 0 && passing >= repeats.length * least - 1e-9,
  };
}
