import type { AnyEffect } from "../contract/effect.ts";
import { canonicalJson, type Json } from "../contract/json.ts";
import type { Principal } from "../contract/principal.ts";
import type { Proposal, ProposedEffect } from "../contract/proposal.ts";
import { fitToSchema } from "../contract/schema.ts";
import type { Project } from "../define/project.ts";
import type { DecisionStory } from "../ledger/read.ts";
import { sha256Digest } from "../store/digest.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { requesterOf } from "./requester.ts";

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
}: {
  story: DecisionStory;
  effectIndex: number;
  project: Project;
}): Promise<EffectTask | Refusal> {
  const { proposal } = story;
  if (story.outcome.kind !== "decided" || proposal === null) return mismatch("proposal", "the decision has no proposal");
  const { digest, ...rest } = proposal;
  if (sha256Digest.sha256(canonicalJson(rest)) !== digest)
    return mismatch("proposal_digest", "the proposal is not the one of its digest");
  if (proposal.decisionId !== story.decisionId || proposal.tenant !== story.tenant) {
    return mismatch("proposal", "the proposal is of another decision");
  }
  if (story.outcome.body["proposalDigest"] !== digest)
    return mismatch("proposal_digest", "the entry was written for another proposal");
  const proposed = proposal.effects[effectIndex];
  if (proposed === undefined || proposed.index !== effectIndex)
    return mismatch("effect_index", "the proposal has no effect of that index");
  const effect = effectOf({ project, proposal, proposed });
  if (effect.kind === "refused") return effect;
  const params = await recomputed(effect.effect, proposed);
  if (params.kind === "refused") return params;
  return {
    kind: "effect",
    tenant: proposal.tenant,
    decisionId: proposal.decisionId,
    outcomeEntryId: story.outcome.id,
    effectIndex,
    requester: requesterOf(story, proposal),
    proposal,
    proposed,
    effect: effect.effect,
    params: params.params,
  };
}

function effectOf({
  project,
  proposal,
  proposed,
}: {
  project: Project;
  proposal: Proposal;
  proposed: ProposedEffect;
}): { kind: "found"; effect: AnyEffect } | Refusal {
  const capability = project.capabilities.find((one) => one.name === proposal.capability);
  if (capability === undefined)
    return mismatch("capability", `capability \`${proposal.capability}\` is not part of this project`);
  if (capability.version !== proposal.capabilityVersion) {
    return mismatch(
      "capability_version",
      `the proposal was made by version \`${proposal.capabilityVersion}\`, which is not current`,
    );
  }
  const effect = capability.effects.find((one) => one.name === proposed.effect);
  if (effect === undefined)
    return refusal("effect_unknown", "effect", `effect \`${proposed.effect}\` is not one of this capability`);
  if (effect.version !== proposed.version) return mismatch("effect_version", "the effect has a newer version");
  return { kind: "found", effect };
}

/** What the proposal says of its effect, computed anew by the definition of this process. */
async function recomputed(effect: AnyEffect, proposed: ProposedEffect): Promise<{ kind: "params"; params: Json } | Refusal> {
  const { sha256 } = sha256Digest;
  if (sha256(canonicalJson(proposed.params)) !== proposed.paramsDigest)
    return mismatch("params_digest", "the params were altered");
  if (sha256(canonicalJson(proposed.before)) !== proposed.beforeDigest)
    return mismatch("before_digest", "the state before was altered");
  const fit = await fitToSchema(effect.params, proposed.params);
  if (fit.kind === "misfits") return mismatch("params_schema", "the params do not fit the effect's schema");
  const params = fit.value;
  if (canonicalJson(params) !== canonicalJson(proposed.params))
    return mismatch("params_schema", "the params are not in their parsed form");
  try {
    if (effect.key(params) !== proposed.key) return mismatch("key", "the business key is not that of the params");
    if (effect.risk(params) !== proposed.risk) return mismatch("risk", "the risk is not that of the params");
    const expected = effect.expect.state(params, proposed.before);
    if (canonicalJson(expected) !== canonicalJson(proposed.expected))
      return mismatch("expected", "the expected state is not that of the params");
  } catch {
    return mismatch("recompute", "the effect's own functions failed on these params");
  }
  return { kind: "params", params };
}

function mismatch(rule: string, reason: string): Refusal {
  return refusal("approval_mismatch", rule, reason);
}
