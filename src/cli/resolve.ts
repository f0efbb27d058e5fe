import { CountersignError } from "../contract/errors.ts";
import type { ResolvedOutcome } from "../contract/words.ts";
import { type ConnectionOptions, connect } from "./connection.ts";
import { decisionLines, print } from "./print.ts";

interface ResolveOptions extends ConnectionOptions {
  /** As the effects of a decision are listed: from 1. */
  readonly effect: string;
  readonly outcome: ResolvedOutcome;
  readonly reason: string;
  readonly evidence: string;
}

/** Says what became of an effect that was left to people; the acting half carries it out. */
export async function resolve(decision: string, options: ResolveOptions): Promise<void> {
  const { outcome, reason, evidence } = options;
  const effectIndex = placeOf(options.effect) - 1;
  const client = await connect(options, "approver");
  const view = await client.resolve(decision, { effectIndex, outcome, reason, evidence });
  print({ json: options.json, value: view, lines: decisionLines(view) });
}

function placeOf(text: string): number {
  if (/^[1-9][0-9]{0,4}$/.test(text)) return Number(text);
  throw new CountersignError("bad_request", "`--effect` is the number of the effect in the decision's list, from 1");
}
