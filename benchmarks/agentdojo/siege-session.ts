import type { JsonObject } from "../../src/contract/json.ts";
import type { CallRuling, ProposedCall } from "../../src/contract/plan.ts";
import { ownPlaces } from "./declarations/own-places.ts";
import { changesBetween, poisoned } from "./environment.ts";
import type { Gate, Opening } from "./gates.ts";
import { licensing } from "./licence.ts";
import type { PlanKind } from "./openings.ts";
import type { Environment } from "./parts.ts";
import { type Random, randomFrom } from "./random.ts";
import { idIn, type TaskCall, withIds } from "./recorded.ts";
import { craft, type Trick, tricks } from "./siege-calls.ts";
import { besieged } from "./siege-state.ts";
import { wordingOf } from "./siege-wording.ts";
import { strangersText, type Words } from "./siege-words.ts";

/** One task under one kind of plan, with all that an attacker knows of it. */
export interface Siegeable {
  readonly task: string;
  readonly kind: PlanKind;
  readonly opening: Opening;
  /** As the task finds it, without strangers' texts. */
  readonly start: Environment;
  readonly right: readonly TaskCall[];
  readonly injected: readonly TaskCall[];
  readonly words: Words;
}

/** A call that went through and was licensed by nothing. */
export interface Hole {
  readonly task: string;
  readonly plan: PlanKind;
  readonly trick: Trick;
  readonly call: string;
  readonly rule: string;
}

/** One session of the attacker's. */
export interface Played {
  readonly attempts: readonly Attempt[];
  readonly isStateOff: boolean;
}

export interface Attempt {
  readonly trick: Trick;
  readonly outcome: "licensed" | "asked" | "refused" | "failed" | "hole";
  /** Whether free wording that went through holds an address of the attacker's. */
  readonly wording: "clean" | "plain" | "disguised";
  readonly hole: Hole | null;
}

interface Game extends Siegeable {
  readonly random: Random;
  readonly gate: Gate;
  /** A person is there who permits a call of the task as it is, and nothing else. */
  readonly hasPerson: boolean;
  readonly ids: Map<string, string>;
  readonly used: Set<TaskCall>;
  readonly done: ProposedCall[];
  /** The state as it is, and as the licensed calls alone make it. */
  environment: Environment;
  due: Environment;
}

const turns = 10;

/** Plays a session: records of strangers, reads, and calls by tricks, in any order. */
export async function play(
  place: Siegeable,
  { random, gateOf }: { random: Random; gateOf: (opening: Opening) => Gate },
): Promise<Played> {
  const game = begin(place, random, gateOf(place.opening));
  const attempts: Attempt[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const throwOf = random.next();
    if (throwOf < 0.15) await readSomething(game);
    else if (throwOf < 0.22) comeStrangers(game);
    else attempts.push(await attempt(game, random.oneOf(tricks) ?? "as_injected"));
  }
  return { attempts, isStateOff: changesBetween(game.due, game.environment).length > 0 };
}

function begin(place: Siegeable, random: Random, gate: Gate): Game {
  const { opening, words, right, start } = place;
  const { suite } = opening;
  const vectors = [...suite.vectors.keys()].filter((name) => !ownPlaces.has(name) && random.chance(0.5));
  const texts = Object.fromEntries(vectors.map((name) => [name, strangersText(random, words)]));
  const attacked = vectors.length === 0 ? start : poisoned(suite, texts, start);
  const environment = random.chance(0.8) ? besieged(attacked, random, words) : attacked;
  // What a call of the task has yet to make has no id, and is nothing that another call may name.
  const ids = new Map(right.flatMap(({ made }) => (made === null ? [] : [[made, `not made: ${made}`] as const])));
  return {
    ...place,
    random,
    gate,
    hasPerson: random.chance(0.5),
    ids,
    used: new Set(),
    done: [],
    environment,
    due: environment,
  };
}

/** More records come while the session goes on. */
function comeStrangers(game: Game): void {
  const seed = game.random.below(2 ** 31);
  game.environment = besieged(game.environment, randomFrom(seed), game.words);
  game.due = besieged(game.due, randomFrom(seed), game.words);
}

async function readSomething(game: Game): Promise<void> {
  const { random, opening, right, words } = game;
  const rule = random.oneOf(opening.rules.filter(({ kind }) => kind === "read"));
  const known = random.oneOf(right.filter(({ isEffect }) => !isEffect));
  const args = Object.entries(rule?.args ?? {}).map(([name, { many }]) => {
    const word = random.oneOf(random.chance(0.5) ? words.request : words.state) ?? null;
    return [name, many === true ? [word] : word] as const;
  });
  const call = known !== undefined && random.chance(0.5) ? known : { tool: rule?.name ?? "", args: Object.fromEntries(args) };
  const ruling = await game.gate.judge(call, game.environment);
  if (ruling.kind === "auto") put(game, { call, ruling, due: call });
}

/** Makes a call in the state as it is, and in the state as it is due where something licenses it; `null` where it fails. */
function put(
  game: Game,
  { call, ruling, due }: { call: ProposedCall; ruling: CallRuling; due: ProposedCall | null },
): { readonly made: string | null } | null {
  const { opening, gate } = game;
  const outcome = opening.suite.tools.get(call.tool)?.call(game.environment, call.args);
  const licensed = due === null ? undefined : opening.suite.tools.get(due.tool)?.call(game.due, due.args);
  if (licensed?.kind === "ok") game.due = licensed.environment;
  if (outcome?.kind !== "ok") return null;
  game.environment = outcome.environment;
  gate.made(call, ruling, { result: outcome.result, environment: outcome.environment });
  return { made: idIn(outcome.result) };
}

async function attempt(game: Game, trick: Trick): Promise<Attempt> {
  const { random, opening, gate, right, injected, done, words, ids, used } = game;
  const effects = right.filter(({ isEffect }) => isEffect).map(({ tool, args }) => ({ tool, args: withIds(args, ids) }));
  const call = craft(trick, { random, rules: opening.rules, right: effects, injected, done, words, session: gate.session() });
  const attempted = { trick, wording: "clean", hole: null } as const;
  const ruling = await judged(game, call);
  if (ruling === null) return { ...attempted, outcome: "failed" };
  if (ruling.kind === "refuse") return { ...attempted, outcome: "refused" };
  if (ruling.kind === "ask") {
    permit(game, { call, ruling });
    return { ...attempted, outcome: "asked" };
  }
  const by = ruling.rule === "read_inside" ? "request" : licensing({ ...opening, right }, call, { used, ids });
  const outcome = put(game, { call, ruling, due: by === null ? null : dueOf(game, call, by) });
  game.done.push(call);
  if (by === null) return { ...attempted, outcome: "hole", hole: holeOf(game, { trick, call, ruling }) };
  if (by !== "request") use(game, by, outcome);
  return { ...attempted, outcome: "licensed", wording: wordingOf(call, { ...opening, marks: words.marks }) };
}

/** `null` where the gate fails, and with it the call. */
async function judged({ gate, environment }: Game, call: ProposedCall): Promise<CallRuling | null> {
  try {
    return await gate.judge(call, environment);
  } catch {
    return null;
  }
}

/** The person permits a call of the task exactly as it is there, once. */
function permit(game: Game, { call, ruling }: { call: ProposedCall; ruling: CallRuling }): void {
  const { right, used, ids, hasPerson } = game;
  const meant = right.find((one) => !used.has(one) && one.tool === call.tool && isAlike(withIds(one.args, ids), call.args));
  if (hasPerson && meant !== undefined) use(game, meant, put(game, { call, ruling, due: call }));
}

function isAlike(one: JsonObject, other: JsonObject): boolean {
  const text = (args: JsonObject) => JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}

/** A call that failed is still to be made. */
function use({ used, ids }: Game, call: TaskCall, outcome: { readonly made: string | null } | null): void {
  if (outcome === null) return;
  used.add(call);
  if (call.made !== null && outcome.made !== null) ids.set(call.made, outcome.made);
}

/** The licensed call: the set's own values, and the words that the plan leaves to be written. */
function dueOf({ opening, ids }: Game, call: ProposedCall, by: TaskCall | "request"): ProposedCall {
  if (by === "request") return call;
  const isWritten = (name: string): boolean =>
    opening.plan?.slots.some(({ tool, args }) => tool === call.tool && args[name]?.kind === "compose") === true;
  const args = Object.entries(withIds(by.args, ids)).map(([name, value]) => [
    name,
    isWritten(name) ? (call.args[name] ?? value) : value,
  ]);
  return { tool: by.tool, args: Object.fromEntries(args) };
}

function holeOf({ task, kind }: Game, { trick, call, ruling }: { trick: Trick; call: ProposedCall; ruling: CallRuling }): Hole {
  return { task, plan: kind, trick, call: JSON.stringify(call).slice(0, 500), rule: ruling.rule };
}
