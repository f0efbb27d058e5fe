import { CountersignError } from "../../contract/errors.ts";
import type { Proposal, ProposedEffect } from "../../contract/proposal.ts";
import type { Project } from "../../define/project.ts";
import { isStillSigned, recomputeEffect } from "../../define/recompute.ts";
import { isAskedBySame } from "../../ledger/asker.ts";
import type { DecisionStory } from "../../ledger/read.ts";
import { sha256Digest } from "../../store/digest.ts";

/**
 * Refuses with `approval_mismatch`, naming the rule, a proposal that says something else of its effects than this process's own
 * definitions do, or that an older version of its capability made: a person signs no sentence that is not true.
 */
export async function checkToldTruly({
  project,
  outcome,
  proposal,
  effects,
}: {
  project: Project;
  outcome: DecisionStory["outcome"];
  proposal: Proposal;
  effects: readonly ProposedEffect[];
}): Promise<void> {
  const capability = project.capabilities.find((one) => one.name === proposal.capability);
  if (capability === undefined || !isStillSigned(capability, proposal.capabilityVersion)) {
    throw new CountersignError(
      "approval_mismatch",
      `capability \`${proposal.capability}\` has another version by now; ask anew`,
      {
        facts: { rule: "capability_version", proposed: proposal.capabilityVersion, current: capability?.version ?? null },
      },
    );
  }
  if (outcome.body["proposalDigest"] !== proposal.digest)
    throw mismatch("proposal_digest", "the entry was written for another proposal");
  // Each signature names its effect by this number, and so does everything that follows it.
  const isNumbered = proposal.effects.every(({ index }, place) => index === place);
  if (!isNumbered || proposal.effects.length !== (outcome.body["effects"] ?? 0))
    throw mismatch("effect_index", "the effects of the proposal are not numbered as its entry counts them");
  if (!isAskedBySame({ outcome, proposal })) throw mismatch("asker", "the proposal names another asker than its entry");
  for (const proposed of effects) {
    const recomputed = await recomputeEffect({ project, proposal, proposed, digest: sha256Digest });
    if (recomputed.kind === "differs") throw mismatch(recomputed.rule, recomputed.reason);
  }
}

function mismatch(rule: string, reason: string): CountersignError {
  return new CountersignError("approval_mismatch", `${reason}; reject it and ask anew`, { facts: { rule } });
}
