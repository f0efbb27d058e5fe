import type { Principal } from "../contract/principal.ts";
import type { Proposal } from "../contract/proposal.ts";
import type { DecisionStory } from "../ledger/read.ts";

/** The principal who asked, as the ledger knows it: roles as recorded with the decision, no attributes. */
export function requesterOf(story: DecisionStory, proposal: Proposal): Principal {
  const recorded = story.outcome.body["roles"];
  const roles = Array.isArray(recorded) ? recorded.filter((role) => typeof role === "string") : [];
  return {
    tenant: proposal.tenant,
    id: proposal.requestedBy,
    roles,
    attributes: {},
    onBehalfOf: proposal.onBehalfOf,
  };
}
