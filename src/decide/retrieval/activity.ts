import type { Need } from "../../contract/context.ts";
import { limits } from "../../contract/limits.ts";
import { modelName } from "../../contract/model-name.ts";
import type { ContextActivity, SubQueryActivity } from "../../contract/retrieval.ts";
import type { NeedRead } from "../read-need.ts";
import type { Deps } from "../state.ts";
import type { Dispatch } from "./plan-needs.ts";

/** A need with what it brought. */
export interface Read {
  readonly need: Need;
  readonly read: NeedRead;
}

/** What `context_load` did by the time that everything was read; what was left out of it afterwards is not in it yet. */
export function activityOf({
  dispatches,
  reads,
  deps: { capability },
}: {
  dispatches: readonly Dispatch[];
  reads: readonly Read[];
  deps: Deps;
}): ContextActivity {
  const { retrieval, contextTokens: budget = limits.contextTokens } = capability;
  const subQueries = dispatches.map((one) => becameOf(one, reads));
  return {
    plan: retrieval === undefined ? null : { model: modelName(retrieval.model), version: retrieval.version, subQueries },
    searches: reads.flatMap(({ read }) => ("search" in read && read.search !== undefined ? [read.search] : [])),
    leftOut: [],
    tokens: { estimated: 0, budget },
  };
}

function becameOf(one: Dispatch, reads: readonly Read[]): SubQueryActivity {
  if (one.kind === "refused") return { ...one.of, need: one.name, outcome: "refused", why: one.why };
  const read = reads.find(({ need }) => need === one.need)?.read;
  const outcome = read?.kind === "found" || read?.kind === "nothing" ? read.kind : "failed";
  return { ...one.of, need: one.need.name, outcome, why: read?.kind === "failed" ? read.fault : null };
}
