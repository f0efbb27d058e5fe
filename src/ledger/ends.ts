import type { EntryDraft } from "../contract/entry.ts";
import { textAt } from "./fields.ts";
import type { DecisionStory, ReadEntry } from "./story.ts";

/** How a decision ended that nobody answered: its time ran out, or its capability got another version; `null` where it did not. */
export function lapseOf({ following }: Pick<DecisionStory, "following">): "expired" | "void" | null {
  const lapse = following.find(isLapse);
  if (lapse === undefined) return null;
  return textAt(lapse.body, "rule") === "capability_version" ? "void" : "expired";
}

/** The decision that a person's edit put in the place of this one; `null` where there is none. */
export function successorOf({ following }: Pick<DecisionStory, "following">): string | null {
  const edit = following.find(isEdit);
  return edit === undefined ? null : textAt(edit.body, "supersededBy");
}

/**
 * The entry after which nothing of a decision is signed any more, and no signature of it counts: a rejection, an edit, or its lapse.
 * An approval that expired or was withdrawn is none: what it was of waits on.
 */
export function endOf(story: Pick<DecisionStory, "following">): ReadEntry | undefined {
  return story.following.find((entry) => entry.kind === "rejected" || isEdit(entry) || isLapse(entry));
}

/** Says whether a written entry takes its decision off the list of what waits. What policy approves never waited for a person. */
export function isAnswer({ kind, writer, decisionId, facts }: EntryDraft): boolean {
  if (decisionId === null) return false;
  if (kind === "approved") return writer === "desk";
  if (kind === "corrected") return facts["supersededBy"] != null;
  return kind === "rejected" || (kind === "expired" && facts["approvalId"] == null);
}

function isEdit({ kind, body }: ReadEntry): boolean {
  return kind === "corrected" && textAt(body, "supersededBy") !== null;
}

function isLapse({ kind, body }: ReadEntry): boolean {
  return kind === "expired" && textAt(body, "approvalId") === null;
}
