import type { Json } from "../../contract/json.ts";
import type { Contract } from "../../decide/migration/contract-of.ts";
import { decidedIn, didFail, figuresOf, proseOf, toolName } from "../../decide/migration/contract-of.ts";
import type { Played } from "../played.ts";

/** The contract of one played repeat; `null` where no decision was made, or the repeat itself broke. */
export function contractOfPlayed({ decision: view, outcome, replies = [], steps, fault }: Played): Contract | null {
  if (view === null || fault !== null) return null;
  const deciding = replies.filter(({ node }) => node === "llm_decision");
  const decision = decidedIn(deciding);
  return {
    hasMisfit: deciding.some((reply) => reply.outcome === "misfits"),
    hasFailed: didFail(view.stop?.reason ?? null),
    decision,
    effects: view.effects.map(({ effect: name, params }) => ({ name, params: params as Json })), // plain by its form
    tools: steps.flatMap(({ tool, arguments: given }) =>
      tool === null ? [] : [{ name: toolName(tool), arguments: given as Json }],
    ), // as a model wrote it
    outcome: { kind: view.stop === null ? "decided" : "stopped", label: outcome.label, stop: outcome.stop },
    prose: proseOf(decision).join("\n"),
    figures: figuresOf(replies, outcome.latencyMs),
  };
}
