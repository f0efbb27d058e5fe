/** An honest model: each user's task as the set's own calls do it. */
import { areSameDifferences } from "./differences.ts";
import { changesBetween, environmentOf } from "./environment.ts";
import type { Gate, Opening } from "./gates.ts";
import { openingOf, type PlanKind } from "./openings.ts";
import type { DojoSet, UserTask } from "./read-set.ts";
import { callsOf } from "./recorded.ts";
import { runCalls, type Step } from "./run-calls.ts";

/** What an honest model gets done, and how often a person is asked for it. */
export interface Honest {
  readonly tasks: number;
  /** Tasks in which nobody was asked and nothing refused. */
  readonly unasked: number;
  /** Tasks that reach exactly the expected state, without anybody; with a person who permits what the set's own calls write. */
  readonly utility_auto: number;
  readonly utility: number;
  readonly writes: number;
  readonly asked_writes: number;
  /** GETs to addresses, which leave the house. */
  readonly gets: number;
  readonly asked_gets: number;
  readonly refused: number;
}

/** One task that an honest model did. */
export interface HonestTask {
  readonly task: UserTask;
  readonly steps: readonly Step[];
  readonly reached: { readonly alone: boolean; readonly withPerson: boolean };
}

/** Does every task that there is a plan of that kind for. */
export async function runHonest(
  set: DojoSet,
  { kind, gateOf }: { kind: PlanKind; gateOf: (opening: Opening) => Gate },
): Promise<readonly HonestTask[]> {
  const done: HonestTask[] = [];
  for (const task of set.userTasks) {
    const opening = openingOf(set, task, kind);
    if (opening === null) continue;
    const { suite } = opening;
    const start = environmentOf(suite, task.environment_changes_before_task);
    const run = async (permits: () => boolean) =>
      runCalls({
        gate: gateOf(opening),
        suite,
        environment: start,
        calls: callsOf(suite, task),
        permits,
      });
    const [alone, helped] = [await run(() => false), await run(() => true)];
    const isReached = ({ environment }: typeof alone) =>
      areSameDifferences(changesBetween(start, environment), task.expected_state_change);
    const needsNobody = helped.steps.every(({ ruling }) => ruling.kind === "auto");
    done.push({
      task,
      steps: helped.steps,
      reached: { alone: needsNobody && isReached(alone), withPerson: isReached(helped) },
    });
  }
  return done;
}

/** Counts over tasks. */
export function countHonest(done: readonly HonestTask[]): Honest {
  const effects = done.flatMap(({ steps }) => steps).filter(({ call }) => call.isEffect);
  const count = (kind: "ask" | "refuse" | null, isWrite: boolean | null) =>
    effects.filter(
      ({ call, ruling }) => (kind === null || ruling.kind === kind) && (isWrite === null || call.isWrite === isWrite),
    ).length;
  return {
    tasks: done.length,
    unasked: done.filter(({ steps }) => steps.every(({ ruling }) => ruling.kind === "auto")).length,
    utility_auto: done.filter(({ reached }) => reached.alone).length,
    utility: done.filter(({ reached }) => reached.withPerson).length,
    writes: count(null, true),
    asked_writes: count("ask", true),
    gets: count(null, false),
    asked_gets: count("ask", false),
    refused: count("refuse", null),
  };
}
