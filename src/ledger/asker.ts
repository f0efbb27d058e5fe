import type { JsonObject } from "../contract/json.ts";
import { textAt } from "./fields.ts";
import type { DecisionStory } from "./story.ts";

/**
 * Says whether a proposal names the asker that its entry names. Views go by the entry, rules on signing by the proposal: where the
 * two differ, somebody wrote one of them to sign what they asked for themselves.
 */
export function isAskedBySame({ outcome, proposal }: Pick<DecisionStory, "outcome" | "proposal">): boolean {
  if (proposal === null) return false;
  const { principal, onBehalfOf } = outcome.body;
  return proposal.requestedBy === principal && proposal.onBehalfOf === (onBehalfOf ?? null);
}

const decidedByPerson = /^person:(.+)$/;

/** The person who decided in a model's place by editing a proposal; `null` where a model or a rule decided. */
export function editorOf({ outcome }: Pick<DecisionStory, "outcome">): string | null {
  return editorIn(outcome.body);
}

/** The same by the body of the decision's entry. */
export function editorIn(body: JsonObject): string | null {
  return decidedByPerson.exec(textAt(body, "model") ?? "")?.[1] ?? null;
}
