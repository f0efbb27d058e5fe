/** What was typed of an operation and not sent yet. */
export interface FindingDraft {
  readonly evidence: string;
  readonly reason: string;
}

const empty: FindingDraft = { evidence: "", reason: "" };

/** What was typed before of this operation, in this tab; nothing where there is none. */
export function readDraft(operationId: string): FindingDraft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(nameOf(operationId)) ?? "null");
    return isDraft(kept) ? kept : empty;
  } catch {
    return empty;
  }
}

/** Keeps what was typed until the tab is closed. */
export function saveDraft(operationId: string, draft: FindingDraft): void {
  try {
    sessionStorage.setItem(nameOf(operationId), JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still has it until the page is left.
  }
}

/** Forgets it. */
export function clearDraft(operationId: string): void {
  sessionStorage.removeItem(nameOf(operationId));
}

function nameOf(operationId: string): string {
  return `countersign.finding.${operationId}`;
}

function isDraft(kept: unknown): kept is FindingDraft {
  if (typeof kept !== "object" || kept === null) return false;
  return "evidence" in kept && "reason" in kept && typeof kept.evidence === "string" && typeof kept.reason === "string";
}
