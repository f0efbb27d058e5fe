import { usualAutonomy } from "../../contract/autonomy.ts";
import { isSampled } from "../../contract/is-sampled.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import { route } from "../confidence/route.ts";
import { draftOf } from "../draft.ts";
import type { Node } from "../state.ts";

/** Node 9: where the proposal goes, with the rule that fired. The threshold belongs to a slice and starts above every confidence. */
export const routing: Node<
  "request" | "inputs" | "envelope" | "context" | "guarded" | "checked" | "judged" | "confidence",
  "routed"
> = async (state, { capability, slices, digest }) => {
  const decided = { inputs: state.inputs, envelope: state.envelope, context: state.context, decision: state.guarded };
  const slice = capability.slice(decided);
  const hasEffects = (draftOf(capability, decided).effects ?? []).length > 0;
  const needsApproval = hasEffects || capability.review === "before_delivery";
  const thresholdPpm = needsApproval
    ? await slices.thresholdPpm({
        tenant: state.envelope.principal.tenant,
        capability: capability.name,
        capabilityVersion: capability.version,
        slice,
      })
    : neverAutoPpm;
  const { route: way, rule } = route({
    confidencePpm: state.confidence.ppm,
    verified: state.checked.verified,
    judgeFailed: state.judged.kind === "failed",
    needsApproval,
    thresholdPpm,
    isAudited: isSampled({
      of: "audit",
      decisionId: state.request.decisionId,
      ratePpm: (capability.autonomy ?? usualAutonomy).auditPpm,
      digest,
    }),
  });
  return { routed: { route: way, rule, slice, thresholdPpm, loweredBy: [] } };
};
