import { type ConnectionOptions, connect } from "./connection.ts";
import { decisionLines, print } from "./print.ts";

/** Asks in free text and waits for what becomes of it. */
export async function ask(text: string, options: ConnectionOptions & { wait: string }): Promise<void> {
  const client = await connect(options);
  const asked = await client.ask({ text, waitSeconds: Number(options.wait) });
  const lines = asked.kind === "asked_back" ? [asked.question] : decisionLines(asked.decision);
  print({ json: options.json, value: asked, lines });
}
