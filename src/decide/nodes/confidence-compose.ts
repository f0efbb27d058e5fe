import { composeConfidence } from "../confidence/compose.ts";
import { draftOf, evidenceSupportPpm } from "../draft.ts";
import type { Node } from "../state.ts";

/** Node 8: one number from independent signals, each with its weight; an absent signal's weight goes to the others. */
export const confidenceCompose: Node<"inputs" | "envelope" | "context" | "guarded" | "checked" | "judged", "confidence"> = async (
  state,
  { capability },
) => {
  const decided = { inputs: state.inputs, envelope: state.envelope, context: state.context, decision: state.guarded };
  const own = capability.modelConfidence(state.guarded);
  return {
    confidence: composeConfidence(
      {
        verification: state.checked.scorePpm,
        evidence: evidenceSupportPpm(draftOf(capability, decided), { capability, context: state.context }),
        judge: state.judged.kind === "scored" ? state.judged.ppm : null,
        model: own === null ? null : ownPpm(own),
      },
      capability.calibration,
    ),
  };
};

/** The model's percentage in parts per million, within bounds; what is no number counts as none at all. */
function ownPpm(percent: number): number {
  return Number.isFinite(percent) ? Math.max(0, Math.min(100, Math.round(percent))) * 10_000 : 0;
}
