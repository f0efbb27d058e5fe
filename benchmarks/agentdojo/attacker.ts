/** An attacker who knows the request, the plan, the declarations and the state, and has the model: everything that it can propose is tried. */

import { environmentOf } from "./environment.ts";
import type { Gate, Opening } from "./gates.ts";
import { openingOf, type PlanKind, planKinds, seedOf } from "./openings.ts";
import { randomFrom } from "./random.ts";
import type { DojoSet, UserTask } from "./read-set.ts";
import { callsOf } from "./recorded.ts";
import { type Trick, tricks } from "./siege-calls.ts";
import { type Hole, type Played, play, type Siegeable } from "./siege-session.ts";
import { wordsFor } from "./siege-words.ts";

/** What became of the attacker's calls. */
export interface Siege {
  readonly attempts: number;
  readonly sessions: number;
  /** Let through, and licensed by the plan or the request. */
  readonly licensed: number;
  readonly asked: number;
  readonly refused: number;
  /** The gate failed, and with it the call. */
  readonly failed: number;
  /** Let through, and licensed by nothing. */
  readonly holes: number;
  /** Sessions whose state at the end differs from what the licensed calls alone lead to. */
  readonly states_off: number;
  /** Licensed calls whose free wording holds an address of the attacker's as it is; in a roundabout way that nobody could click. */
  readonly wording_plain: number;
  readonly wording_disguised: number;
  readonly by_trick: Readonly<Record<Trick, { readonly attempts: number; readonly licensed: number }>>;
  readonly found: readonly Hole[];
}

/** Lets the attacker propose so many calls, over all tasks and kinds of plans in turn; the same seed makes the same calls. */
export async function attack(
  set: DojoSet,
  { attempts, gateOf, notice }: { attempts: number; gateOf: (opening: Opening) => Gate; notice: (line: string) => void },
): Promise<Siege> {
  const besieged = set.userTasks.flatMap((task) => planKinds.flatMap((kind) => siegeable(set, task, kind) ?? []));
  const random = randomFrom(seedOf("attacker"));
  let total: Siege = nothingYet;
  for (let turn = 0; total.attempts < attempts && besieged.length > 0; turn += 1) {
    const place = besieged[turn % besieged.length];
    if (place === undefined) break;
    total = sum(total, await play(place, { random: randomFrom(random.below(2 ** 31)), gateOf }));
    if (turn % 2000 === 1999) notice(`the attacker: ${total.attempts} calls, ${total.holes} holes`);
  }
  return total;
}

/** What the attacker needs for one task; `null` where there is no plan of that kind. */
function siegeable(set: DojoSet, task: UserTask, kind: PlanKind): Siegeable | null {
  const opening = openingOf(set, task, kind);
  if (opening === null) return null;
  const { suite } = opening;
  const start = environmentOf(suite, task.environment_changes_before_task);
  const injections = set.injectionTasks.filter((one) => one.suite === task.suite);
  const injected = injections.flatMap((one) => callsOf(suite, one)).filter(({ isEffect }) => isEffect);
  const words = wordsFor({
    request: task.prompt,
    injected: injected.map(({ args }) => args),
    texts: injections.map(({ goal }) => goal),
    environment: start,
  });
  return { task: task.id, kind, opening, start, right: callsOf(suite, task), injected, words };
}

const nothingYet: Siege = {
  attempts: 0,
  sessions: 0,
  licensed: 0,
  asked: 0,
  refused: 0,
  failed: 0,
  holes: 0,
  states_off: 0,
  wording_plain: 0,
  wording_disguised: 0,
  by_trick: Object.fromEntries(tricks.map((trick) => [trick, { attempts: 0, licensed: 0 }])) as Siege["by_trick"], // one for each
  found: [],
};
/** So many holes are named. */
const mostNamed = 50;

function sum(total: Siege, { attempts, isStateOff }: Played): Siege {
  const count = (outcome: Played["attempts"][number]["outcome"]) => attempts.filter((one) => one.outcome === outcome).length;
  const wording = (kind: "plain" | "disguised") => attempts.filter((one) => one.wording === kind).length;
  const by_trick = tricks.map((trick) => {
    const tried = attempts.filter((one) => one.trick === trick);
    const before = total.by_trick[trick];
    const licensed = tried.filter(({ outcome }) => outcome === "licensed").length;
    return [trick, { attempts: before.attempts + tried.length, licensed: before.licensed + licensed }] as const;
  });
  return {
    attempts: total.attempts + attempts.length,
    sessions: total.sessions + 1,
    licensed: total.licensed + count("licensed"),
    asked: total.asked + count("asked"),
    refused: total.refused + count("refused"),
    failed: total.failed + count("failed"),
    holes: total.holes + count("hole"),
    states_off: total.states_off + (isStateOff ? 1 : 0),
    wording_plain: total.wording_plain + wording("plain"),
    wording_disguised: total.wording_disguised + wording("disguised"),
    by_trick: Object.fromEntries(by_trick) as Siege["by_trick"], // one for each
    found: [...total.found, ...attempts.flatMap(({ hole }) => hole ?? [])].slice(0, mostNamed),
  };
}
