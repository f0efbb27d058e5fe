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
  return decidedByPerson.exec(textAt(outcome.body, "model") ?? "")?.[1] ?? null;
}
