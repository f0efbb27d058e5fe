import type { DecisionRequest } from "../contract/decision.ts";
import type { CallRecord } from "../contract/model.ts";
import type { Spans } from "../contract/ports.ts";
import type { NodeName } from "../contract/words.ts";
import { type Deps, isStop, type Outcome } from "./state.ts";

/** A decision as a span: which one it is and how it ended, in words of the closed lists; nothing of what it is about. */
export function inDecisionSpan({
  spans,
  request,
  capability,
  calls,
  work,
}: {
  spans: Spans;
  request: DecisionRequest;
  capability: Deps["capability"];
  /** What its model was asked, by the end of the work. */
  calls: readonly CallRecord[];
  work: () => Promise<Outcome>;
}): Promise<Outcome> {
  const attributes = {
    "countersign.decision": request.decisionId,
    "countersign.tenant": request.principal.tenant,
    "countersign.capability": capability.name,
    "countersign.capability.version": capability.version,
  };
  return spans.within({ name: `decide ${capability.name}`, attributes }, async (note) => {
    const outcome = await work();
    const { kind, route, stop } = outcome;
    note({
      "countersign.outcome": kind,
      "countersign.cost_micros": calls.reduce((sum, { costMicros }) => sum + costMicros, 0),
      ...(route === null ? {} : { "countersign.route": route }),
      ...(stop === null ? {} : { "countersign.stop": stop.reason }),
    });
    return outcome;
  });
}

/** One node as a span, with the reason where it stopped the decision. */
export function inNodeSpan<T extends object>({
  spans,
  node,
  work,
}: {
  spans: Spans;
  node: NodeName;
  work: () => Promise<T>;
}): Promise<T> {
  return spans.within({ name: `node ${node}`, attributes: { "countersign.node": node } }, async (note) => {
    const added = await work();
    if (isStop(added)) note({ "countersign.stop": added.reason });
    return added;
  });
}
