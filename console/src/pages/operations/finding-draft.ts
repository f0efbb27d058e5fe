import { useState } from "react";
import { useApi } from "../../api/api.tsx";
import { keep, readKept } from "../../shell/kept.ts";

/** What was typed of an operation and not sent yet. */
export interface FindingDraft {
  readonly evidence: string;
  readonly reason: string;
}

const empty: FindingDraft = { evidence: "", reason: "" };

/** What this person typed of an operation in this tab, how to change it, and how to forget it. */
export function useFindingDraft(operationId: string) {
  const { session } = useApi();
  const place = { person: session.id, what: `finding.${operationId}` };
  const [draft, setDraft] = useState<FindingDraft>(() => {
    const kept = readKept(place);
    return isDraft(kept) ? kept : empty;
  });
  const change = (changed: Partial<FindingDraft>) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    keep(place, next);
  };
  return { draft, change, forget: () => keep(place, null) };
}

function isDraft(kept: unknown): kept is FindingDraft {
  if (typeof kept !== "object" || kept === null) return false;
  return "evidence" in kept && "reason" in kept && typeof kept.evidence === "string" && typeof kept.reason === "string";
}
