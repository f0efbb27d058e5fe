/** Does the port do what the original does? The calls of every task on the environment that the task begins with. */
import type { Json } from "../../src/contract/json.ts";
import { type Tally, tallyOf } from "../tau/tally.ts";
import { areSameDifferences, type Difference } from "./differences.ts";
import { changesBetween, environmentOf, poisoned } from "./environment.ts";
import type { Environment } from "./parts.ts";
import type { DojoSet, RecordedCall } from "./read-set.ts";
import type { Suite } from "./suite.ts";

/** How far the port agrees with what was recorded of the original. */
export interface Conformance {
  /** Tools that the set lists: each is there, and no others. */
  readonly tools: Tally;
  /** Tasks of users whose calls reach exactly the expected state. */
  readonly userTasks: Tally;
  readonly injectionTasks: Tally;
  /** Calls that end as in the original and change what they changed there. */
  readonly calls: Tally;
  /** Calls that read a stranger's text exactly from where the original did. */
  readonly untrusted: Tally;
}

/** Replays every task of the set. */
export function conform({ suites, userTasks, injectionTasks }: DojoSet): Conformance {
  const replays = [
    ...userTasks.map((task) => ({ task, kind: "user", before: task.environment_changes_before_task })),
    ...injectionTasks.map((task) => ({ task, kind: "injection", before: [] })),
  ].map(({ task, kind, before }) => ({ task, kind, replay: replay(suites[task.suite], { calls: task.ground_truth, before }) }));
  const tasks = (kind: string): Tally =>
    tallyOf(
      replays.filter((one) => one.kind === kind),
      ({ task, replay }) => [task.id, areSameDifferences(replay.changes, task.expected_state_change)],
    );
  const calls = replays.flatMap(({ task, replay }) =>
    replay.calls.map((call, place) => ({ id: `${task.id}/${place}`, ...call })),
  );
  const tools = Object.values(suites).flatMap(({ name, tools, listed }) => {
    const names = listed.map((tool) => tool.name);
    return [...new Set([...tools.keys(), ...names])].map((tool) => ({
      id: `${name}/${tool}`,
      isBoth: tools.has(tool) && names.includes(tool),
    }));
  });
  return {
    tools: tallyOf(tools, ({ id, isBoth }) => [id, isBoth]),
    userTasks: tasks("user"),
    injectionTasks: tasks("injection"),
    calls: tallyOf(calls, ({ id, isAsRecorded }) => [id, isAsRecorded]),
    untrusted: tallyOf(calls, ({ id, isUntrustedAsRecorded }) => [id, isUntrustedAsRecorded]),
  };
}

interface ReplayedCall {
  readonly isAsRecorded: boolean;
  readonly isUntrustedAsRecorded: boolean;
}

function replay(
  suite: Suite,
  { calls, before }: { calls: readonly RecordedCall[]; before: readonly Difference[] },
): { readonly calls: readonly ReplayedCall[]; readonly changes: readonly Difference[] } {
  const start = environmentOf(suite, before);
  const marks = [...suite.vectors.keys()].map((name) => ({ name, mark: `[a mark in the place of ${name}]` }));
  const steps = run(suite, { calls, start });
  // A second run, on marked texts, tells which of them each call reads.
  const marked = run(suite, {
    calls,
    start: poisoned(suite, Object.fromEntries(marks.map(({ name, mark }) => [name, mark])), start),
  });
  const replayed = calls.map((call, place): ReplayedCall => {
    const step = steps[place];
    const changes = step === undefined ? [] : changesBetween(step.before, step.after);
    const text = JSON.stringify(marked[place]?.result ?? null);
    const seen = marks.filter(({ mark }) => text.includes(mark)).map(({ name }) => name);
    return {
      isAsRecorded: (step?.result !== null) === (call.outcome === "ok") && areSameDifferences(changes, call.state_change),
      isUntrustedAsRecorded: [...seen].sort().join() === [...call.returns_untrusted_text_from].sort().join(),
    };
  });
  return { calls: replayed, changes: changesBetween(start, steps.at(-1)?.after ?? start) };
}

interface Step {
  readonly before: Environment;
  readonly after: Environment;
  /** `null` where the call failed. */
  readonly result: Json;
}

function run(suite: Suite, { calls, start }: { calls: readonly RecordedCall[]; start: Environment }): readonly Step[] {
  const steps: Step[] = [];
  let here = start;
  for (const call of calls) {
    const outcome = suite.tools.get(call.function)?.call(here, call.args);
    const after = outcome?.kind === "ok" ? outcome.environment : here;
    steps.push({ before: here, after, result: outcome?.kind === "ok" ? outcome.result : null });
    here = after;
  }
  return steps;
}
