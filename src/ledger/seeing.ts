import type { Seeing } from "../contract/ports.ts";
import type { Principal } from "../contract/principal.ts";
import type { Route } from "../contract/words.ts";
import { numberAt, textAt } from "./fields.ts";
import type { DecisionStory } from "./story.ts";

/** What of a decision matters for who may see it. */
export function seeingOf(principal: Principal, { tenant, requestedBy, onBehalfOf, outcome: { body } }: DecisionStory): Seeing {
  // Written from the closed list by the journal.
  const route = textAt(body, "route") as Route | null;
  return { principal, tenant, requestedBy, onBehalfOf, route, effects: numberAt(body, "effects") ?? 0 };
}
