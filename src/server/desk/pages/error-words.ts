import type { CountersignError, ErrorCode } from "../../../contract/errors.ts";
import type { Notice } from "./notice.ts";

/** An error in three parts for people: what happened, what is safe, what to do. The code stands below for whoever helps. */
export function noticeFor({ code, message, facts }: CountersignError): Notice {
  const known = words[code];
  const small = [code, ...(code === "internal" && typeof facts["id"] === "string" ? [`in the log as ${facts["id"]}`] : [])].join(
    ", ",
  );
  const link = { href: "/", words: "Back to Ask" };
  const mark = { name: "warning", tone: "stop" } as const;
  if (known !== undefined) return { mark, ...known, link, small };
  return { mark, title: "That could not be done.", detail: `${upperFirst(message)}.`, link, small };
}

const words: Partial<Record<ErrorCode, Pick<Notice, "title" | "detail">>> = {
  not_found: { title: "Not open to you.", detail: "Nothing of that address is open to you. Nothing was changed." },
  forbidden: {
    title: "Not open to you.",
    detail:
      "Nothing was changed. If it should be open to you, turn to the owner of the service; if you sent a form, load its page again.",
  },
  service_unavailable: {
    title: "Nothing can be decided just now.",
    detail: "The decider does not answer. Your request was not taken and nothing was changed. Try again.",
  },
  database_unavailable: {
    title: "Nothing could be read just now.",
    detail: "The database does not answer. Nothing that was signed is lost. Try again.",
  },
  input_invalid: {
    title: "The request was not taken.",
    detail: "It does not have the form that is needed, such as its length. Nothing was changed. Say it in other words.",
  },
  too_large: { title: "The request was not taken.", detail: "It is too long. Nothing was changed. Say it in fewer words." },
  bad_text: {
    title: "The request was not taken.",
    detail: "It holds characters that cannot be kept. Nothing was changed. Remove them.",
  },
  idempotency_conflict: {
    title: "The request was not taken.",
    detail: "This form was sent before with other words. Load the page and send it again.",
  },
  in_progress: { title: "The same request is being decided.", detail: "It was taken once. Load the page again in a moment." },
  approval_used: {
    title: "Somebody was first.",
    detail: "The proposal was answered before; the first answer stands. Yours was refused, nothing was sent for it.",
  },
  approval_mismatch: {
    title: "The proposal is of an earlier version.",
    detail: "Your approval was refused, nothing was sent. Ask for a new proposal.",
  },
  approver_not_permitted: {
    title: "You may not sign this.",
    detail: "Your answer was refused, nothing was sent. Somebody else has to sign it.",
  },
  not_waiting: {
    title: "It waits for nobody.",
    detail: "Your answer was refused, nothing was sent. Load the page to see where it stands.",
  },
  taken: {
    title: "Somebody else has taken it up.",
    detail: "Your answer was refused, nothing was sent. Wait until they have answered or released it, or their time has run out.",
  },
  precondition_failed: {
    title: "That cannot be done here.",
    detail:
      "Nothing is declared that undoes this change, so nothing was put on record. Undo it elsewhere, then say what became of it.",
  },
  nothing_to_sign: {
    title: "There is nothing to sign.",
    detail: "Nothing was proposed. Decide it elsewhere, then reject it here and say what became of it; whoever asked reads that.",
  },
  internal: {
    title: "A fault of ours.",
    detail: "What was signed before is safe in the ledger. Load the page to see where it stands, then try again.",
  },
};

function upperFirst(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}
