import type { CountersignError, ErrorCode } from "../../../contract/errors.ts";
import type { Notice } from "./notice.ts";

/** An error in three parts for people: what happened, what is safe, what to do. The code stands below for whoever helps. */
export function noticeFor({ code, message, facts }: CountersignError): Notice {
  const known = words[code];
  const small = [code, ...(code === "internal" && typeof facts["id"] === "string" ? [`in the log as ${facts["id"]}`] : [])].join(
    ", ",
  );
  const link = { href: "/", words: "Back to the console" };
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
    title: "That cannot be reached just now.",
    detail: "What is needed for it does not answer. Nothing was changed. Try again.",
  },
  database_unavailable: {
    title: "Nothing could be read just now.",
    detail: "The database does not answer. Nothing that was signed is lost. Try again.",
  },
  too_large: { title: "The request was not taken.", detail: "It is too long. Nothing was changed. Say it in fewer words." },
  bad_text: {
    title: "The request was not taken.",
    detail: "It holds characters that cannot be kept. Nothing was changed. Remove them.",
  },
  internal: {
    title: "A fault of ours.",
    detail: "What was signed before is safe in the ledger. Load the page to see where it stands, then try again.",
  },
};

function upperFirst(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}
