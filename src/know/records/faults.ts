import { CountersignError } from "../../contract/errors.ts";

/** Why a system of record gave no answer that can be used, in one word for facts. */
export type Trouble =
  | ("time" | "rows" | "bytes" | "status" | "redirect" | "content_type" | "json" | "answer" | "connection" | "credential")
  /** A value of a row that is not of its column's type although the column is. */
  | "value";

/** A query gave no usable answer. The message and the facts hold no word of the system's. */
export function unavailable(query: string, trouble: Trouble, cause?: unknown): CountersignError {
  return new CountersignError("record_unavailable", `record query \`${query}\` ${inWords[trouble]}`, {
    facts: { query, trouble },
    ...(cause === undefined ? {} : { cause }),
  });
}

const inWords: Readonly<Record<Trouble, string>> = {
  time: "was not answered within its time",
  rows: "was answered with more rows than its limit; narrow it, or raise the limit",
  bytes: "was answered with more than its limit of bytes",
  status: "was answered with a status that is no answer",
  redirect: "was answered with a redirect to another address",
  content_type: "was answered with something that does not say it is JSON",
  json: "was answered with something that is no JSON",
  answer: "was answered with no rows where its rows should be",
  connection: "reached nothing; see that its system of record runs",
  credential: "was answered with the credential in it",
  value: "was answered with a value that its column cannot have",
};

/** A system of record has other columns than its query declares. */
export function changed(query: string, { column, how }: { column: string; how: string }): CountersignError {
  return new CountersignError("record_changed", `record query \`${query}\`: column \`${column}\` ${how}`, {
    facts: { query, column },
  });
}
