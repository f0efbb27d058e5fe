import { type ConnectionOptions, connect } from "./connection.ts";
import { decisionLines, print } from "./print.ts";

/** Lists what waits for a signature; with an id shows it, signs it or rejects it. */
export async function review(
  decision: string | undefined,
  options: ConnectionOptions & { approve?: true; reject?: string },
): Promise<void> {
  const client = await connect(options, "approver");
  if (decision === undefined) {
    const waiting = await client.reviews();
    const lines = waiting.map(
      (view) => `${view.id}  ${view.summary ?? view.capability} (${view.obstacle ?? view.route}, asked by ${view.requestedBy})`,
    );
    print({ json: options.json, value: { reviews: waiting }, lines: lines.length === 0 ? ["nothing waits for you"] : lines });
    return;
  }
  const view =
    options.approve === true
      ? await client.approve(decision)
      : options.reject === undefined
        ? await client.decision(decision)
        : await client.reject(decision, options.reject);
  print({ json: options.json, value: view, lines: decisionLines(view) });
}
