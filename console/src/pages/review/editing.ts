import type { Json } from "../../../../src/contract/json.ts";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { changesOf } from "../../words/changes.ts";
import type { Draft } from "./drafts.ts";
import { type Choice, decidedOf, editableOf, editedDecision } from "./edit.ts";

/** An edit as it stands: which values may be changed, which of them show in no table, and what would be sent. */
export interface Editing {
  readonly choices: readonly Choice[];
  readonly beside: readonly Choice[];
  /** The decision as it would be sent, as text. */
  readonly whole: string;
  readonly decision: Json | undefined;
  readonly fault: string | null;
}

/** Reads it from the draft. */
export function editingOf(view: DecisionView, evidence: ReviewEvidence | undefined, draft: Draft): Editing {
  const decided = decidedOf(evidence);
  const choices = editableOf(view, decided);
  const shown = new Set(view.effects.flatMap((effect) => changesOf(effect).changed));
  const made = editedDecision({ whole: draft.whole, edit: draft.edit, choices, decided });
  const parts = editedDecision({ whole: "", edit: draft.edit, choices, decided });
  return {
    choices,
    beside: choices.filter(({ name }) => !shown.has(name)),
    whole: "decision" in parts ? JSON.stringify(parts.decision, null, 2) : "",
    decision: "decision" in made ? made.decision : undefined,
    fault: "fault" in made ? made.fault : null,
  };
}
