import type { Snapshot } from "../../contract/effect.ts";
import type { ExplainedApproval, ExplainedEffect, ExplainedRefusal } from "../../contract/explanation.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { DecisionView } from "../../contract/views.ts";
import { numberAt, objectAt, textAt, textsAt } from "../fields.ts";
import type { DecisionStory, ReadEntry } from "../story.ts";
import { operationsOf } from "./operations.ts";

/**
 * Each effect of a decision as its entries tell it: no row of approvals or operations is asked. What was proposed stands beside it as far
 * as the view holds it.
 */
export function explainEffects(story: DecisionStory, view: DecisionView): readonly ExplainedEffect[] {
  const count = numberAt(story.outcome.body, "effects") ?? 0;
  return Array.from({ length: count }, (_, index) => {
    const ours = story.following.filter(({ body }) => numberAt(body, "effectIndex") === index);
    const approvals = approvalsOf(ours, story);
    return {
      index,
      ...proposedOf({ story, view, index, scope: ours.find(({ kind }) => kind === "approved")?.body ?? {} }),
      approvals,
      operations: operationsOf(ours),
      refusals: ours.filter(({ kind, body }) => kind === "refused" && textAt(body, "operationId") === null).map(refusalOf),
    };
  });
}

type Proposed = Omit<ExplainedEffect, "index" | "approvals" | "operations" | "refusals">;

/** Where the payload is gone, what was signed still names effect and digests. */
function proposedOf({
  story,
  view,
  index,
  scope,
}: {
  story: DecisionStory;
  view: DecisionView;
  index: number;
  scope: JsonObject;
}): Proposed {
  const isShown = view.effects.some((effect) => effect.index === index);
  const proposed = isShown ? story.proposal?.effects[index] : undefined;
  const subject = objectAt(scope, "subject") ?? {};
  const nothing: Snapshot = null;
  return {
    effect: proposed?.effect ?? textAt(subject, "effect"),
    version: proposed?.version ?? null,
    sentence: proposed?.sentence ?? null,
    params: proposed?.params ?? null,
    paramsDigest: proposed?.paramsDigest ?? textAt(subject, "paramsDigest"),
    before: proposed?.before ?? nothing,
    beforeDigest: proposed?.beforeDigest ?? textAt(subject, "beforeDigest"),
    expected: proposed?.expected ?? nothing,
    key: proposed?.key ?? null,
  };
}

function approvalsOf(ours: readonly ReadEntry[], { following }: DecisionStory): readonly ExplainedApproval[] {
  return ours
    .filter(({ kind }) => kind === "approved")
    .map(({ id: entryId, ts: at, body }) => {
      const subject = objectAt(body, "subject") ?? {};
      const approvalId = textAt(body, "approvalId") ?? "";
      return {
        ...{ approvalId, entryId, at, by: textAt(body, "approver") ?? "" },
        kind: body["approverKind"] === "policy" ? "policy" : "person",
        role: textAt(body, "role"),
        scope: {
          proposalDigest: textAt(subject, "proposalDigest"),
          paramsDigest: textAt(subject, "paramsDigest"),
          beforeDigest: textAt(subject, "beforeDigest"),
        },
        expiresAt: numberAt(body, "expiresAt"),
        ...{ policy: textAt(body, "policy"), policies: textsAt(body, "policies") },
        keyId: textAt(body, "keyId"),
        end: endOf(approvalId, following),
      };
    });
}

/** What an approval came to. The first word stands: it is answered once. */
function endOf(approvalId: string, following: readonly ReadEntry[]): ExplainedApproval["end"] {
  const names = ({ body }: ReadEntry) => [textAt(body, "approvalId"), textAt(body, "secondApprovalId")];
  const answer = following.find((entry) => entry.kind !== "approved" && names(entry).includes(approvalId));
  switch (answer?.kind) {
    case "applying":
      return "consumed";
    case "observed":
      return "joined";
    case "withdrawn":
    case "expired":
    case "refused":
      return answer.kind;
    default:
      return "open";
  }
}

function refusalOf({ id: entryId, ts: at, body }: ReadEntry): ExplainedRefusal {
  const [code, rule, approvalId, by] = ["code", "rule", "approvalId", "by"].map((name) => textAt(body, name));
  const policies = textsAt(body, "policies");
  return { entryId, at, code: code ?? null, rule: rule ?? null, policies, approvalId: approvalId ?? null, by: by ?? null };
}
