/** Compares what was acknowledged and what the ledger says with what the target wrote down. Pure; every fault is a sentence. */
import type { OperationState } from "../../src/contract/words.ts";
import type { Acknowledged } from "./flows.ts";
import { type TargetKind, targetKinds, times } from "./plan.ts";
import { valueFor } from "./project/effects.ts";
import type { Applied } from "./target.ts";

/** An operation as the database holds it at the end. */
export interface OperationFact {
  readonly id: string;
  readonly kind: TargetKind;
  readonly thing: string;
  readonly decisionId: string;
  readonly effectIndex: number;
  readonly state: OperationState;
  /** The target's own key for this operation. */
  readonly idempotencyKey: string;
  /** Why a person was called; `null` where nobody was. */
  readonly reason: string | null;
  readonly deadlineAt: number;
  readonly sends: number;
}

/** What ended an effect without an operation of its own; `null` stands for all effects of the decision. */
export interface EndFact {
  readonly decisionId: string;
  readonly effectIndex: number | null;
  readonly what: "refused" | "expired" | "joined" | "rejected" | "withdrawn";
  readonly code: string | null;
}

/** Everything that is compared. */
export interface Evidence {
  readonly acknowledged: readonly Acknowledged[];
  /** Decisions with an end in the ledger. */
  readonly decided: ReadonlySet<string>;
  readonly operations: readonly OperationFact[];
  readonly ends: readonly EndFact[];
  /** Effects with every signature that they take, whose approvals nobody has answered; and how the approvals stand. */
  readonly unanswered: readonly { readonly decisionId: string; readonly effectIndex: number; readonly states: string }[];
  /** Decisions that began, whose lease is long over, and that have no end. */
  readonly undecided: readonly string[];
  readonly applied: readonly Applied[];
  /** When it was looked, in milliseconds by the store's clock; and how long after its deadline an operation may be open. */
  readonly now: number;
  readonly slackMs: number;
}

/** What was found of one kind of target. */
export interface OfKind {
  readonly operations: number;
  readonly complete: number;
  readonly refused: number;
  readonly applied_twice: number;
  /**
   * Of those, things with a call that was under way for longer than the effect waits after it. For a target that can only be read that
   * is what nobody promises; for the others it makes no difference.
   */
  readonly twice_beyond_settle: number;
  readonly wrong_verdict: number;
  /** Left to a person, and of those how many the target had carried out. */
  readonly unknown_escalated: number;
  readonly escalated_had_happened: number;
  readonly reasons: Readonly<Record<string, number>>;
  /** Operations that were sent more than once. */
  readonly sent_again: number;
}

/** What was found. */
export interface Judged {
  readonly operations: number;
  readonly acknowledged: number;
  readonly acknowledged_lost: number;
  readonly stuck: number;
  readonly wrong_verdict: number;
  readonly unknown_escalated: number;
  readonly kinds: Readonly<Record<string, OfKind>>;
  readonly refusals: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

const openStates: readonly OperationState[] = ["applying", "applied", "incomplete", "unknown", "retrying", "compensating"];
/** What is said of an operation that was seen not to have happened; of one that is never sent again nothing is said. */
const saysAbsent: readonly (string | null)[] = ["not_applied_by_deadline", "sends_spent"];

/** Judges one stretch of a run. */
export function judge(evidence: Evidence): Judged {
  const { operations, acknowledged } = evidence;
  const ours = new Set([...acknowledged, ...operations].map(({ decisionId }) => decisionId));
  const lost = lostOf(evidence);
  const stuck = stuckOf(evidence);
  const of = targetKinds.map((kind) => ofKind(kind, evidence));
  const found = of.filter(({ count }) => count.operations + count.applied_twice > 0);
  const sum = (of: (count: OfKind) => number): number => found.reduce((total, { count }) => total + of(count), 0);
  return {
    operations: operations.length,
    acknowledged: acknowledged.length,
    acknowledged_lost: lost.length,
    stuck: stuck.length,
    wrong_verdict: sum((count) => count.wrong_verdict),
    unknown_escalated: sum((count) => count.unknown_escalated),
    kinds: Object.fromEntries(found.map(({ kind, count }) => [kind, count])),
    refusals: tally(evidence.ends.flatMap(({ decisionId, what, code }) => (ours.has(decisionId) ? [code ?? what] : []))),
    faults: [...lost, ...stuck, ...found.flatMap(({ faults }) => faults)],
  };
}

/** What was confirmed and is nowhere: a decision without an end, a signature without operation, refusal or wait. */
function lostOf({ acknowledged, decided, operations, ends, unanswered }: Evidence): readonly string[] {
  const place = (decisionId: string, index: number | null): string => `${decisionId} ${index ?? "all"}`;
  const known = new Set([...operations, ...ends, ...unanswered].map((one) => place(one.decisionId, one.effectIndex)));
  return acknowledged.flatMap(({ decisionId, what, effects }) => {
    if (what === "decision") return decided.has(decisionId) ? [] : [`decision ${decisionId} was confirmed and has no end`];
    if (known.has(place(decisionId, null))) return [];
    const missing = Array.from({ length: effects }, (_, index) => index).filter((index) => !known.has(place(decisionId, index)));
    return missing.map((index) => `effect ${index} of ${decisionId} was signed, confirmed, and came to nothing`);
  });
}

function stuckOf({ operations, unanswered, undecided, now, slackMs }: Evidence): readonly string[] {
  const late = operations.filter(({ state, deadlineAt }) => openStates.includes(state) && now > deadlineAt + slackMs);
  return [
    ...late.map(({ id, state }) => `operation ${id} is ${state} long after its deadline`),
    ...unanswered.map(
      ({ decisionId, effectIndex, states }) =>
        `the approvals (${states}) of effect ${effectIndex} of ${decisionId} were never answered`,
    ),
    ...undecided.map((decisionId) => `decision ${decisionId} began and never ended`),
  ];
}

function ofKind(kind: TargetKind, evidence: Evidence): { kind: TargetKind; count: OfKind; faults: readonly string[] } {
  const ours = evidence.operations.filter((one) => one.kind === kind);
  const applied = evidence.applied.filter((one) => one.kind === kind);
  const byThing = Map.groupBy(applied, ({ thing }) => thing);
  const byKey = Map.groupBy(applied, ({ key }) => key);
  const twice = [...byThing].filter(([, all]) => all.length > 1);
  const escalated = ours.filter(({ state }) => state === "escalated");
  const wrong = ours.flatMap((one) =>
    wrongOf(one, { ofKey: byKey.get(one.idempotencyKey) ?? [], ofThing: byThing.get(one.thing) ?? [] }),
  );
  const count: OfKind = {
    operations: ours.length,
    complete: ours.filter(({ state }) => state === "complete").length,
    refused: ours.filter(({ state }) => state === "refused").length,
    applied_twice: twice.length,
    twice_beyond_settle: twice.filter(([, all]) => all.some(({ inFlightMs }) => inFlightMs > times.settleMs)).length,
    wrong_verdict: wrong.length,
    unknown_escalated: escalated.length,
    escalated_had_happened: escalated.filter((one) => byKey.has(one.idempotencyKey)).length,
    reasons: tally(escalated.map(({ reason }) => reason ?? "unsaid")),
    sent_again: ours.filter(({ sends }) => sends > 1).length,
  };
  return { kind, count, faults: [...twice.map(([thing, all]) => twiceSentence(thing, all)), ...wrong] };
}

/** Where the ledger says what the target knows to be otherwise. */
function wrongOf(
  { id, kind, state, reason, thing }: OperationFact,
  { ofKey, ofThing }: { ofKey: readonly Applied[]; ofThing: readonly Applied[] },
): readonly string[] {
  const said = `operation ${id} (${kind}, ${thing}) is ${state}${reason === null ? "" : ` (${reason})`}`;
  if (state === "complete" && ofThing.at(-1)?.value !== valueFor(thing)) return [`${said}, and the target has another state`];
  if ((state === "refused" || state === "compensated") && ofKey.length > 0) return [`${said}, and the target has carried it out`];
  if (state === "escalated" && saysAbsent.includes(reason) && ofKey.length > 0)
    return [`${said}, and the target has carried it out`];
  // Nothing else changes these things.
  if (reason === "forbidden_change" || state === "failed") return [`${said}, and nobody else changed anything`];
  return [];
}

function twiceSentence(thing: string, all: readonly Applied[]): string {
  const told = all.map(({ pid, fence, at, inFlightMs }) => `${at} by ${pid} under fence ${fence} after ${inFlightMs} ms`);
  return `${all[0]?.kind} ${thing} was applied ${all.length} times: ${told.join("; ")}`;
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
