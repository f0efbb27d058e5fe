import { CountersignError, type ErrorCode } from "../../../src/contract/errors.ts";

/** An error for people, and what whoever helps needs. */
export interface ErrorWords {
  readonly title: string;
  readonly detail: string;
  /** The code, and the id in the log where there is one. */
  readonly small: string;
}

/** An error in three parts for people: what happened, what is safe, what to do. `what` is what was being read or done, as in "The queue". */
export function errorWords(thrown: unknown, what: string): ErrorWords {
  if (!(thrown instanceof CountersignError)) {
    return {
      title: `${what} could not be shown.`,
      detail: "The console failed, not the service. Nothing was changed. Load the page again.",
      small: "console",
    };
  }
  const { code, message, facts } = thrown;
  const id = typeof facts["id"] === "string" ? `, in the log as ${facts["id"]}` : "";
  const known = words[code];
  if (known !== undefined) return { ...known, small: `${code}${id}` };
  return { title: `${what} could not be done.`, detail: `${upperFirst(message)}.`, small: `${code}${id}` };
}

const words: Partial<Record<ErrorCode, Pick<ErrorWords, "title" | "detail">>> = {
  not_found: { title: "Not open to you.", detail: "Nothing of that address is open to you. Nothing was changed." },
  forbidden: {
    title: "Not open to you.",
    detail:
      "Nothing was changed. If it should be open to you, turn to the owner of the service; if you sent a form, load its page again.",
  },
  service_unavailable: {
    title: "The service does not answer.",
    detail:
      "Nothing that was signed is lost. Whether what you sent arrived is not known: look where it stands before you send it again.",
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
  evidence_changed: {
    title: "The evidence is another by now.",
    detail: "Your signature was refused, and nothing was opened. Look at what is proposed now, and sign that if it holds.",
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
