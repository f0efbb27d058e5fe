/** Does the port do what the original does? Every call of every task on a fresh copy, without any of Countersign in between. */
import type { JsonObject } from "../../src/contract/json.ts";
import { type Copy, hashOf } from "./book.ts";
import { areDifferences } from "./differences.ts";
import { toolsOf } from "./domains.ts";
import type { DomainSet, SingleCall, Task } from "./read-set.ts";
import { type Tally, tallyOf } from "./tally.ts";
import type { Outcome, Tool } from "./tool.ts";

/** How far the port agrees with what was recorded of the original. */
export interface Conformance {
  /** The initial state hashes to what the set says. */
  readonly initialState: boolean;
  /** Tasks whose calls all end as in the original and whose state is the expected one, or the one without the original's fault. */
  readonly tasks: Tally;
  /** Of those: tasks that reach the state without the fault where the set gives one, and the expected one elsewhere. */
  readonly tasksWithoutFault: Tally;
  /** Tasks that reach the expected state with the fault repeated; each state after a write is compared too. */
  readonly tasksWithFault: Tally;
  /** Calls of tasks: accepted or refused as in the original. */
  readonly outcomes: Tally;
  /** Results of reading calls, where their form is that of the state. */
  readonly results: Tally;
  /** Single calls on the initial state: outcome and differences, the fault repeated. */
  readonly calls: Tally;
  /** Of the single calls those that the fault touches: accepted as well, with other differences. */
  readonly callsWithoutFault: Tally;
  /** Ids of the tasks about which the set notes an issue; they are counted with the others. */
  readonly known: readonly string[];
}

/** Replays everything of one business. */
export function conform({ domain, original, initialHash, tasks, calls }: DomainSet): Conformance {
  const sound = toolsOf(domain, { repeatsFault: false });
  const faulty = toolsOf(domain, { repeatsFault: true });
  const replays = tasks.map((task) => ({
    task,
    sound: replay({ task, copy: original.copy(), tools: sound }),
    faulty: replay({ task, copy: original.copy(), tools: faulty }),
  }));
  const singles = calls.map((call) => ({
    call,
    sound: single({ call, copy: original.copy(), fresh: original.copy(), tools: sound }),
    faulty: single({ call, copy: original.copy(), fresh: original.copy(), tools: faulty }),
  }));
  const touched = singles.filter(({ call }) => call.note !== undefined);
  return {
    initialState: original.copy().hash() === initialHash,
    tasks: tallyOf(replays, ({ task, sound, faulty }) => [
      task.id,
      sound.outcomes.every(({ isRight }) => isRight) && (isSound(task, sound) || isAsExpected(task, faulty)),
    ]),
    tasksWithoutFault: tallyOf(replays, ({ task, sound }) => [task.id, isSound(task, sound)]),
    tasksWithFault: tallyOf(replays, ({ task, faulty }) => [task.id, isAsExpected(task, faulty)]),
    outcomes: tallyOf(
      replays.flatMap(({ sound }) => sound.outcomes),
      ({ id, isRight }) => [id, isRight],
    ),
    results: tallyOf(
      replays.flatMap(({ sound }) => sound.results),
      ({ id, isRight }) => [id, isRight],
    ),
    calls: tallyOf(singles, ({ call, faulty }) => [call.id, faulty.isOutcome && faulty.areDifferences]),
    callsWithoutFault: tallyOf(touched, ({ call, sound }) => [call.id, sound.isOutcome && !sound.areDifferences]),
    known: tasks.filter((one) => one.known_issues.length > 0).map(({ id }) => id),
  };
}

interface Said {
  readonly id: string;
  readonly isRight: boolean;
}

interface Replay {
  readonly outcomes: readonly Said[];
  readonly results: readonly Said[];
  /** Every state after a write is the recorded one. */
  readonly areStates: boolean;
  readonly hash: string;
}

type Tools = ReadonlyMap<string, Tool>;

function replay({ task, copy, tools }: { task: Task; copy: Copy; tools: Tools }): Replay {
  const outcomes: Said[] = [];
  const results: Said[] = [];
  let areStates = true;
  for (const [place, action] of task.actions.entries()) {
    const id = `${task.id}#${place}`;
    const outcome = callTool({ tools, copy, name: action.name, args: action.arguments });
    outcomes.push({ id, isRight: outcome.kind === (action.outcome === "ok" ? "ok" : "refused") });
    if (action.state_hash_after !== undefined && copy.hash() !== action.state_hash_after) areStates = false;
    if (outcome.kind === "ok" && action.result_sha256 !== undefined && hasForm(action.name))
      results.push({ id, isRight: hashOf(outcome.result) === action.result_sha256 });
  }
  return { outcomes, results, areStates, hash: copy.hash() };
}

/** The results that are documents, ids or numbers; of the others the set does not say how they are written. */
function hasForm(name: string): boolean {
  return name === "calculate" || /^(get_.*_details|find_)/.test(name);
}

/** Calls a tool and makes its changes. A tool that is not known is refused. */
function callTool({ tools, copy, name, args }: { tools: Tools; copy: Copy; name: string; args: JsonObject }): Outcome {
  const outcome = tools.get(name)?.call(args, copy) ?? { kind: "refused", why: "no such tool" };
  if (outcome.kind === "ok") copy.make(outcome.changes);
  return outcome;
}

function single({ call, copy, fresh, tools }: { call: SingleCall; copy: Copy; fresh: Copy; tools: Tools }) {
  const outcome = callTool({ tools, copy, name: call.call.name, args: call.call.arguments });
  return {
    isOutcome: outcome.kind === (call.outcome === "ok" ? "ok" : "refused"),
    areDifferences: areDifferences(call.diff, { fresh, other: copy }),
  };
}

function isSound({ expected, expected_if_upstream_bug_fixed }: Task, { hash }: Replay): boolean {
  return hash === (expected_if_upstream_bug_fixed ?? expected).final_state_hash;
}

function isAsExpected({ expected }: Task, { hash, areStates }: Replay): boolean {
  return areStates && hash === expected.final_state_hash;
}
