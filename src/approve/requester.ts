import { type AllowLists, allowListsSchema, everything, nothing, type Principal } from "../contract/principal.ts";
import type { Proposal } from "../contract/proposal.ts";
import type { DecisionStory } from "../ledger/read.ts";

/** The principal who asked, as the ledger knows it: roles and allow-lists as recorded with the decision, no attributes. */
export function requesterOf(story: DecisionStory, proposal: Proposal): Principal {
  const recorded = story.outcome.body["roles"];
  const roles = Array.isArray(recorded) ? recorded.filter((role) => typeof role === "string") : [];
  return {
    tenant: proposal.tenant,
    id: proposal.requestedBy,
    roles,
    attributes: {},
    onBehalfOf: proposal.onBehalfOf,
    allow: allowOf(story),
  };
}

/** Lists stand in the entry only of an account that has limits. What cannot be read as such limits to nothing. */
function allowOf({ outcome: { body } }: DecisionStory): AllowLists {
  if (body["allow"] === undefined) return everything;
  return allowListsSchema.safeParse(body["allow"]).data ?? nothing;
}
