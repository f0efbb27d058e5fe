import type { EntryView } from "../contract/views.ts";
import { type ConnectionOptions, connect } from "./connection.ts";
import { decisionLines, print } from "./print.ts";

/** Tells one decision as a story: what was decided, then each entry in its order. */
export async function explain(decision: string, options: ConnectionOptions): Promise<void> {
  // Of the demo's people the owner may read every story; the others only their own, or what waits for them.
  const client = await connect(options, "owner");
  const [view, entries] = await Promise.all([client.decision(decision), client.story(decision)]);
  const lines = [...decisionLines(view), "", ...entries.map((entry) => entryLine(entry))];
  print({ json: options.json, value: { decision: view, entries }, lines });
}

function entryLine({ seq, ts, kind, writer, body }: EntryView): string {
  const place = seq === null ? "unsealed" : `#${seq}`;
  return `${place.padStart(9)}  ${new Date(ts).toISOString()}  ${writer.padEnd(8)}  ${kind}${factsOf(body)}`;
}

const shown = ["route", "rule", "code", "approver", "by", "effect", "outcome", "verdict", "reason", "effectIndex"] as const;

function factsOf(body: EntryView["body"]): string {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "";
  const facts = shown.flatMap((name) => {
    const value = (body as { [key: string]: unknown })[name]; // a plain JSON object
    return value === undefined || value === null || typeof value === "object" ? [] : [`${name} ${String(value)}`];
  });
  return facts.length === 0 ? "" : `: ${facts.join(", ")}`;
}
