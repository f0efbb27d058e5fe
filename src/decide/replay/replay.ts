import { neverCancelled } from "../../contract/cancel.ts";
import type { Capability } from "../../contract/capability.ts";
import type { DecisionRecord } from "../../contract/decision.ts";
import type { CallRecord, Model } from "../../contract/model.ts";
import type { Deadline, Digest, Permit } from "../../contract/ports.ts";
import type { LoopStep } from "../../contract/tool.ts";
import { graph } from "../graph.ts";
import { ownWordsOnly } from "../own-words.ts";
import { propose } from "../run.ts";
import { type Difference, firstDifference } from "./compare.ts";
import { type Booked, type BookedOutcome, type Kept, keptOf } from "./kept.ts";
import { replayPorts } from "./ports.ts";

/** What a replay says: the same, the first node that differs, or what is missing for an answer. */
export type Replay =
  | { readonly kind: "same"; readonly proposalDigest: string | null }
  | ({
      readonly kind: "differs";
      readonly recordedDigest: string | null;
      readonly replayedDigest: string | null;
      readonly recordedVersion: string;
      readonly replayedVersion: string;
    } & Difference)
  | { readonly kind: "cannot"; readonly missing: string };

/** What a replay is given: the definitions of today, and nothing that reaches the outside. */
export interface ReplayDeps {
  /** The capability as it is now, for a request as it was then; `undefined` where there is none of that name. */
  readonly capabilityFor: (kept: Kept) => Capability | undefined;
  /** A model over recorded replies. */
  readonly modelOver: (replies: readonly CallRecord[]) => Model;
  /** The facts and bodies that the journal would write. */
  readonly booked: (record: DecisionRecord) => BookedOutcome;
  readonly digest: Digest;
  readonly deadline: Deadline;
  readonly permit: Permit;
}

/** Walks the graph again over what was recorded, and compares node by node. Writes nothing and reaches nothing. */
export async function replayDecision(then: Booked, deps: ReplayDeps): Promise<Replay> {
  const kept = keptOf(then);
  if ("missing" in kept) return cannot(kept.missing);
  const named = deps.capabilityFor(kept);
  if (named === undefined) return cannot(`the project has no capability \`${kept.request.capability}\` any more`);
  const capability = kept.given === undefined ? named : ownWordsOnly(named, kept.given);
  const walked = await walkRecorded({ then, kept, capability }, deps);
  if ("missing" in walked) return cannot(walked.missing);
  const { now, difference } = walked;
  return difference === null ? { kind: "same", proposalDigest: digestOf(then) } : differs({ then, now, difference });
}

/** What is walked again over what was recorded. */
interface ToWalk {
  readonly then: Booked;
  readonly kept: Kept;
  readonly capability: Capability;
}

/** What came of it now, with the first node that differs from then. */
interface WalkedRecorded {
  readonly now: BookedOutcome;
  readonly difference: Difference | null;
}

/**
 * Walks a kept decision again over what was recorded. Where it ends otherwise for want of what is not kept, such as time or values that
 * nobody was shown, it says in words what is missing. Writes nothing and reaches nothing.
 */
export async function walkRecorded(
  { then, kept, capability }: ToWalk,
  deps: ReplayDeps,
): Promise<WalkedRecorded | { readonly missing: string }> {
  const { askedMore, ...ports } = replayPorts({ kept, at: then.at, model: deps.modelOver(kept.replies) });
  const record = await propose({
    graph,
    request: kept.request,
    deps: {
      ...ports,
      capability,
      environment: kept.environment,
      ...{ digest: deps.digest, deadline: deps.deadline, permit: deps.permit },
      // Neither values of records that nobody was shown nor planted words are kept; `unanswerable` minds that.
      hiddenValues: { findHidden: async () => [] },
      spans: null,
      canaries: [],
      cancel: neverCancelled,
    },
  });
  const now = deps.booked(record);
  const difference = firstDifference(then, now);
  const missing = difference === null ? null : unanswerable({ then, difference, askedMore: askedMore() });
  return missing === null ? { now, difference } : { missing };
}

/** Why a difference tells nothing: what stopped the decision then was outside of what is kept. */
function unanswerable({
  then: { facts, bodies },
  difference: { node },
  askedMore,
}: {
  then: Booked;
  difference: Difference;
  askedMore: boolean;
}): string | null {
  const { detail = "" } = (bodies["stop"] ?? {}) as { detail?: string }; // written by the journal in this form
  if (node === "output_guardrail" && /^(?:secrets|personal_data):/.test(detail))
    return "a guard held its output back for a value that is not kept";
  if (node === "llm_decision" && facts["rule"] === "loop_cap_hit" && (askedMore || isCutShort(bodies)))
    return "its time ran out in the middle of a loop, and time is not kept";
  return null;
}

/** Says whether a loop ended while a reply was waited for. */
function isCutShort({ loop }: Booked["bodies"]): boolean {
  const last = Array.isArray(loop) ? (loop.at(-1) as Partial<LoopStep> | undefined) : undefined; // steps, as the walk leaves them
  return last?.outcome === "no_reply";
}

function differs({ then, now, difference }: { then: Booked; now: BookedOutcome; difference: Difference }): Replay {
  return {
    kind: "differs",
    ...difference,
    ...{ recordedDigest: digestOf(then), replayedDigest: digestOf(now) },
    ...{ recordedVersion: String(then.facts["capabilityVersion"]), replayedVersion: String(now.facts["capabilityVersion"]) },
  };
}

function digestOf({ facts }: BookedOutcome): string | null {
  const digest = facts["proposalDigest"];
  return typeof digest === "string" ? digest : null;
}

function cannot(missing: string): Replay {
  return { kind: "cannot", missing };
}
