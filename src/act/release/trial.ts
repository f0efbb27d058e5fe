import { isCountersignError } from "../../contract/errors.ts";
import type { Json } from "../../contract/json.ts";
import type { ReleasePlace, ReleaseSample } from "../../define/release.ts";
import type { DecisionStory } from "../../ledger/story.ts";
import type { Bench, Proposed, Working } from "./bench.ts";
import { type Interference, type Watched, watchHands } from "./watch-hands.ts";

/** How one change is tried. The defaults are those of a change that nothing is wrong with. */
export interface Plan {
  readonly tenant?: string;
  readonly environment?: string;
  /** Where the sample stands and what it is; a new permitted one where it is left out. */
  readonly target?: Target;
  readonly interference?: Interference;
  /** Runs when people have signed, before the acting half takes it up. */
  readonly whenSigned?: (target: Target) => Promise<void>;
  readonly isCredentialSpoilt?: boolean;
  /** Whether the same change is proposed and signed twice. */
  readonly isTwice?: boolean;
}

/** A sample and where it stands. */
export interface Target {
  readonly place: ReleasePlace;
  readonly sample: ReleaseSample;
}

/** What became of a change that was tried. */
export interface Trial {
  readonly target: Target;
  readonly watched: Watched;
  readonly stories: readonly DecisionStory[];
  readonly proposed: readonly Proposed[];
  /** How it ended, in one word: an operation's state, what its approval became, or why it did not get that far. */
  readonly end: string;
  /** How often the sandbox holds the change now, by its own administrator. */
  readonly count: number;
  /** How often the project's hand was called to apply it. */
  readonly reached: number;
}

/** Proposes, signs and carries out one change, and says what became of it. */
export async function tryOut(bench: Bench, plan: Plan = {}): Promise<Trial> {
  const target = plan.target ?? (await newTarget(bench, plan.tenant ?? bench.tenants.home));
  const tenant = plan.tenant ?? target.place.tenant;
  const environment = plan.environment ?? firstEnvironment(bench);
  const change = { tenant, environment, effect: bench.effect, sample: target.sample };
  const { hands, effect } = bench;
  // What a tenant may begin within an hour is no part of what is tried.
  if (effect.limits?.perHour !== undefined) bench.pass(hourMs);
  const watched = watchHands({ hands, effect: effect.name, interference: plan.interference ?? {} });
  const working = { hands: watched.hands, isCredentialSpoilt: plan.isCredentialSpoilt === true };
  const proposed: Proposed[] = [];
  const refused = await refusalOf(async () => {
    // Both before either is signed: the second one's state before is that of the first.
    for (let nth = 0; nth < (plan.isTwice === true ? 2 : 1); nth += 1) proposed.push(await bench.propose(change));
    for (const one of proposed) await bench.sign(one);
  });
  if (refused === null) {
    await plan.whenSigned?.(target);
    for (const one of proposed) await bench.work({ ...one, ...working } satisfies Working);
  }
  const stories = await Promise.all(proposed.map((one) => bench.story(one)));
  return {
    ...{ target, watched, stories, proposed },
    end: refused ?? stories.map(endOf).join(", "),
    count: await bench.samples.count(target.place, target.sample.params),
    reached: watched.reached(effect.name),
  };
}

const hourMs = 3_600_001;

/** Puts a new permitted sample into a tenant. */
export async function newTarget(bench: Bench, tenant: string): Promise<Target> {
  const place = bench.newPlace(tenant);
  return { place, sample: await bench.samples.permitted(place) };
}

/** The environment of a cell that is not about environments. */
export function firstEnvironment({ effect }: Pick<Bench, "effect">): string {
  return effect.environments[0] ?? "none";
}

/** Says whether an effect stands as done in any of a trial's decisions. */
export function saysDone({ stories }: Trial): boolean {
  return stories.some(
    ({ following, operations }) =>
      operations.some(({ state }) => state === "complete") ||
      following.some(({ kind, body }) => kind === "observed" && body["verdict"] === "complete"),
  );
}

/** Says whether what went wrong was handed on: to a person, or where the effect declares how it is undone, to that. */
export function isHandedOn(end: string, { effect }: Pick<Bench, "effect">): boolean {
  return end === "escalated" || (effect.compensate !== undefined && (end === "compensating" || end === "compensated"));
}

/** The params of a trial, as the sandbox gave them. */
export function paramsOf({ target }: Trial): Json {
  return target.sample.params;
}

/** What the desk or the effect's own functions refused with; `null` where they did not. Anything else is a fault and is thrown. */
async function refusalOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (thrown) {
    if (isCountersignError(thrown) && refusals.has(thrown.code)) return `not signed: ${thrown.code}`;
    throw thrown;
  }
}

const refusals: ReadonlySet<string> = new Set([
  "approval_mismatch",
  "approver_not_permitted",
  "policy_refuses",
  "precondition_failed",
  "definition_invalid",
]);

function endOf({ operations, approvals, following }: DecisionStory): string {
  const operation = operations.at(-1);
  if (operation !== undefined) return operation.state;
  const code = following.findLast(({ kind }) => kind === "refused")?.body["code"];
  const state = approvals.at(-1)?.state ?? "unsigned";
  return state === "refused" ? `refused: ${String(code ?? "no code")}` : state;
}
