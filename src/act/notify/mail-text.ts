import type { NoticeKind } from "../../contract/words.ts";
import { pathOf, type Told } from "./channel.ts";

const subjects: Readonly<Record<NoticeKind, string>> = {
  waiting_review: "A decision waits for review",
  expired: "A decision expired before anything was done",
  escalated: "A change needs a person to look at it",
  demoted: "A slice was taken back: what went through alone goes to a person again",
  model_ending: "A model that your definitions name goes out of service; `countersign models check` says which",
  outcome: "There is an outcome of what you asked for",
};

/** The subject and the text of the mail about a notice: fixed sentences, ids, and where to look. `desk` is the desk's address or `null`. */
export function mailText(told: Told, desk: string | null): { readonly subject: string; readonly text: string } {
  const subject = subjects[told.kind];
  const lines = [
    `${subject}.`,
    "",
    ...(told.decisionId === null ? [] : [`Decision: ${oneLine(told.decisionId)}`]),
    ...(told.caseId === null ? [] : [`Case: ${oneLine(told.caseId)}`]),
    `Tenant: ${oneLine(told.tenant)}`,
    `Look here: ${desk ?? "at the desk, "}${pathOf(told)}`,
    "",
    "This mail was sent by Countersign. It holds nothing of the decision itself.",
  ];
  return { subject, text: `${lines.join("\n")}\n` };
}

/** Ids are plain ASCII by their form; whatever else stands in their place cannot begin a line of its own. */
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);
}
