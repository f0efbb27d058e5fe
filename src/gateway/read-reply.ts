import type { ProviderReply } from "../contract/model.ts";
import type { Schema } from "../contract/schema.ts";
import { fitReply, problemOf } from "./fit.ts";
import { parseStrictJson } from "./parse.ts";

/** A reply's value, or why it has none. */
export type ReadReply<T> = { readonly kind: "fits"; readonly value: T } | { readonly kind: "misfits"; readonly problem: string };

const stops = {
  length: "the reply was cut at the token limit",
  refusal: "the model refused to reply",
  filter: "the provider's filter withheld the reply",
} as const;

/** Reads a reply strictly: whole, one JSON value, the full schema. The same in recording and in replay. */
export async function readReply<T>(
  { text, stopReason }: Pick<ProviderReply, "text" | "stopReason">,
  schema: Schema<T>,
): Promise<ReadReply<T>> {
  if (stopReason !== "end") return { kind: "misfits", problem: stops[stopReason] };
  const json = parseStrictJson(text);
  if (json.kind === "refused") return { kind: "misfits", problem: json.problem };
  const fit = await fitReply(schema, json.value);
  return fit.kind === "fits" ? fit : { kind: "misfits", problem: problemOf(fit.issues) };
}
