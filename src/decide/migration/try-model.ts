import type { Capability } from "../../contract/capability.ts";
import type { DecisionRecord, DecisionRequest } from "../../contract/decision.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import { graph } from "../graph.ts";
import { propose } from "../run.ts";
import type { Deps } from "../state.ts";

/**
 * Walks a request under a capability with another model. Nothing is applied and nothing can be: `propose` is handed no journal, so there is no intent,
 * no entry and no row that anybody could sign or a worker could take up; what it gives is in memory alone. Its threshold is above
 * every confidence.
 */
export function tryModel({
  capability,
  request,
  deps,
}: {
  capability: Capability;
  request: DecisionRequest;
  deps: Omit<Deps, "capability" | "slices">;
}): Promise<DecisionRecord> {
  const slices = { thresholdPpm: async () => neverAutoPpm };
  return propose({ graph, request: { ...request, idempotencyKey: null }, deps: { ...deps, capability, slices } });
}
