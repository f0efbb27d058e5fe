import type { Meter } from "../../contract/budget.ts";
import type { Capability } from "../../contract/capability.ts";
import type { DecisionRecord } from "../../contract/decision.ts";
import { CountersignError } from "../../contract/errors.ts";
import { graph } from "../graph.ts";
import { propose, usedBy } from "../run.ts";
import type { Deps } from "../state.ts";
import type { Kept } from "./kept.ts";
import { replayPorts } from "./ports.ts";

/** What a kept decision is walked over again with a model that is asked: the ports of a deciding process, and its budgets. */
export interface Rehearsing {
  readonly deps: Omit<Deps, "capability" | "cancel">;
  readonly meter: Meter;
}

/** What is walked again, and over what. */
export interface ToRehearse {
  readonly kept: Kept;
  /** The clock reading of the decision, in milliseconds since the epoch. */
  readonly at: number;
  readonly capability: Capability;
  /** The recorded context; or everything as it is now, at this instant. */
  readonly corpus: "recorded" | "now";
  readonly cancel: Deps["cancel"];
}

/**
 * Walks a kept decision again with a model that is asked anew, metered and within the budgets of its tenant. The record bears the ids of
 * then, so that the two can be compared; nothing of it is kept: no intent, no entry, nothing that could be signed. What was not recorded,
 * such as the state before another effect, is read as it is now; what could not be read then cannot be read in it either. Throws
 * `budget_spent` where a budget does not hold it.
 */
export async function rehearse(
  { kept, at, capability, corpus, cancel }: ToRehearse,
  { deps, meter }: Rehearsing,
): Promise<DecisionRecord> {
  const { principal } = kept.request;
  const begun = await meter.begin({
    ...{ tenant: principal.tenant, principal: principal.id, capability: capability.name },
    ...{ case: null, caps: capability.caps ?? {} },
  });
  if (begun.kind === "over_budget") throw new CountersignError("budget_spent", begun.detail);
  try {
    const unrecorded = { call: deps.tools.call, readRecords: deps.context.readRecords };
    const recorded = replayPorts({ kept, at, model: deps.model, unrecorded });
    const record = await propose({
      graph,
      request: kept.request,
      deps: {
        ...deps,
        ...{ capability, cancel, environment: kept.environment, meter: begun.meter, spans: null },
        ...{ slices: recorded.slices, runtime: recorded.runtime },
        ...(corpus === "now"
          ? {}
          : {
              clock: { now: () => at, monotonic: deps.clock.monotonic },
              context: recorded.context,
              tools: { find: deps.tools.find, call: recorded.tools.call },
            }),
      },
    });
    begun.settle(usedBy(record.calls));
    return record;
  } catch (thrown) {
    begun.leave();
    throw thrown;
  }
}
