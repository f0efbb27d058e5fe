import { type ConnectionOptions, connect } from "./connection.ts";
import { explanationLines } from "./explanation-lines.ts";
import { print } from "./print.ts";

/** Tells the causal chain of one decision: as a story, or as data. */
export async function explain(decision: string, options: ConnectionOptions): Promise<void> {
  // Of the demo's people the owner may read every story; the others only their own, or what waits for them.
  const client = await connect(options, "owner");
  const explanation = await client.explanation(decision);
  print({ json: options.json, value: explanation, lines: explanationLines(explanation) });
}
