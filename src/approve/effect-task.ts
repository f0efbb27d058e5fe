import type { AnyEffect } from "../contract/effect.ts";
import type { Json } from "../contract/json.ts";
import type { Principal } from "../contract/principal.ts";
import type { Proposal, ProposedEffect } from "../contract/proposal.ts";
import type { Project } from "../define/project.ts";
import { recomputeEffect } from "../define/recompute.ts";
import { isAskedBySame } from "../ledger/asker.ts";
import type { DecisionStory } from "../ledger/read.ts";
import { requesterOf } from "../ledger/requester.ts";
import { sha256Digest } from "../store/digest.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** One effect of one proposal as the acting half found it in the ledger and recomputed it. Says nothing of whether it is approved. */
export interface EffectTask {
  readonly kind: "effect";
  readonly tenant: string;
  readonly decisionId: string;
  /** The `decided` entry that holds the proposal. */
  readonly outcomeEntryId: string;
  readonly effectIndex: number;
  readonly requester: Principal;
  readonly proposal: Proposal;
  readonly proposed: ProposedEffect;
  /** The definition that is loaded in this process, not what the proposal says of it. */
  readonly effect: AnyEffect;
  /** Parsed with the effect's own schema. */
  readonly params: Json;
}

/**
 * Takes one effect of a decision and recomputes all that an approval binds to: the proposal's digest, the digests of params and
 * state before, key, risk and version by this process's own definitions. Anything that differs is refused.
 */
export async function effectTask({
  story,
  effectIndex,
  project,
  isBegun = false,
}: {
  story: DecisionStory;
  effectIndex: number;
  project: Project;
  /** It is looked at and nothing new is sent for it: another version of its capability makes no difference. */
  isBegun?: boolean;
}): Promise<EffectTask | Refusal> {
  const { proposal } = story;
  if (story.outcome.kind !== "decided" || proposal === null) return mismatch("proposal", "the decision has no proposal");
  if (proposal.decisionId !== story.decisionId || proposal.tenant !== story.tenant) {
    return mismatch("proposal", "the proposal is of another decision");
  }
  if (!isAskedBySame(story)) return mismatch("asker", "the proposal names another asker than its entry");
  const proposed = proposal.effects[effectIndex];
  if (proposed === undefined || proposed.index !== effectIndex)
    return mismatch("effect_index", "the proposal has no effect of that index");
  const recomputed = await recomputeEffect({ project, proposal, proposed, isBegun, digest: sha256Digest });
  if (recomputed.kind === "differs") {
    const { rule, reason } = recomputed;
    return rule === "effect" ? refusal("effect_unknown", rule, reason) : mismatch(rule, reason);
  }
  if (story.outcome.body["proposalDigest"] !== proposal.digest)
    return mismatch("proposal_digest", "the entry was written for another proposal");
  return {
    kind: "effect",
    tenant: proposal.tenant,
    decisionId: proposal.decisionId,
    outcomeEntryId: story.outcome.id,
    effectIndex,
    requester: requesterOf(story.outcome.body, proposal),
    proposal,
    proposed,
    effect: recomputed.effect,
    params: recomputed.params,
  };
}

function mismatch(rule: string, reason: string): Refusal {
  return refusal("approval_mismatch", rule, reason);
}
