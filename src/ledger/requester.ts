import type { JsonObject } from "../contract/json.ts";
import { type AllowLists, allowListsSchema, everything, nothing, type Principal } from "../contract/principal.ts";
import type { Proposal } from "../contract/proposal.ts";

/**
 * The principal who asked, as far as the ledger knows it: roles and allow-lists as the facts of the decision's entry record them, no
 * attributes. Whoever asks policy of a proposal asks with this one, now or in a forecast.
 */
export function requesterOf(
  facts: JsonObject,
  { tenant, requestedBy, onBehalfOf }: Pick<Proposal, "tenant" | "requestedBy" | "onBehalfOf">,
): Principal {
  const recorded = facts["roles"];
  const roles = Array.isArray(recorded) ? recorded.filter((role) => typeof role === "string") : [];
  return { tenant, id: requestedBy, roles, attributes: {}, onBehalfOf, allow: allowOf(facts) };
}

/** Lists stand in the entry only of an account that has limits. What cannot be read as such limits to nothing. */
function allowOf({ allow }: JsonObject): AllowLists {
  if (allow === undefined) return everything;
  return allowListsSchema.safeParse(allow).data ?? nothing;
}
