import type { Client } from "../client/index.ts";
import { CountersignError } from "../contract/errors.ts";
import type { DecisionView } from "../contract/views.ts";
import { type ConnectionOptions, connect } from "./connection.ts";
import { decisionLines, print } from "./print.ts";

/** What may be done with one decision that waits, or was signed; one of them at a time. */
interface ReviewOptions extends ConnectionOptions {
  readonly approve?: true;
  readonly reject?: string;
  readonly edit?: string;
  readonly withdraw?: true;
  readonly take?: true;
  readonly release?: true;
}

/** Lists what waits for a signature; with an id shows it, or answers it, takes it up, or takes one's own signature back. */
export async function review(decision: string | undefined, options: ReviewOptions): Promise<void> {
  const client = await connect(options, "approver");
  if (decision === undefined) {
    const waiting = (await client.reviews({ limit: 200 })).items;
    const lines = waiting.map((view) => lineOf(view));
    print({ json: options.json, value: { reviews: waiting }, lines: lines.length === 0 ? ["nothing waits for you"] : lines });
    return;
  }
  const view = await answered(client, decision, options);
  print({ json: options.json, value: view, lines: decisionLines(view) });
}

async function answered(client: Client, decision: string, options: ReviewOptions): Promise<DecisionView> {
  if (options.approve === true) return client.approve(decision);
  if (options.reject !== undefined) return client.reject(decision, options.reject);
  if (options.edit !== undefined) return client.edit(decision, parsed(options.edit));
  if (options.withdraw === true) return client.withdraw(decision);
  if (options.take === true) return client.take(decision);
  return options.release === true ? client.release(decision) : client.decision(decision);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CountersignError("bad_json", "the decision is not JSON; write it like '{\"keep\":true}'", { cause });
  }
}

function lineOf({ id, summary, capability, obstacle, route, requestedBy, effects, taken }: DecisionView): string {
  const half = effects.some(({ state }) => state === "half_signed") ? ", one of two signed" : "";
  const who = taken === null ? "" : `, taken up by ${taken.by} until ${new Date(taken.until).toISOString()}`;
  return `${id}  ${summary ?? capability} (${obstacle ?? route}, asked by ${requestedBy}${half}${who})`;
}
