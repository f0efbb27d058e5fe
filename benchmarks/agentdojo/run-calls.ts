import type { CallRuling, ProposedCall } from "../../src/contract/plan.ts";
import { changesBetween } from "./environment.ts";
import type { Gate } from "./gates.ts";
import type { Environment } from "./parts.ts";
import { idIn, type TaskCall, withIds } from "./recorded.ts";
import type { Suite } from "./suite.ts";

/** One call of a run and what became of it. */
export interface Step {
  readonly call: TaskCall;
  /** With the ids that the things have here. */
  readonly proposed: ProposedCall;
  readonly ruling: CallRuling;
  /** The gate let it through, or a person did. */
  readonly isLetThrough: boolean;
  /** Seen by comparing the states before and after. */
  readonly hasChangedState: boolean;
}

export interface Ran {
  readonly steps: readonly Step[];
  readonly environment: Environment;
}

/** Proposes calls in their order; what is asked goes through where the person permits it. */
export async function runCalls({
  gate,
  suite,
  environment,
  calls,
  permits,
}: {
  gate: Gate;
  suite: Suite;
  environment: Environment;
  calls: readonly TaskCall[];
  permits: (call: TaskCall) => boolean;
}): Promise<Ran> {
  const ids = new Map<string, Map<string, string>>();
  const steps: Step[] = [];
  let here = environment;
  for (const call of calls) {
    const known = ids.get(call.task) ?? new Map<string, string>();
    ids.set(call.task, known);
    const proposed = { tool: call.tool, args: withIds(call.args, known) };
    const ruling = await gate.judge(proposed, here);
    const outcome = suite.tools.get(call.tool)?.call(here, proposed.args);
    const made = outcome?.kind === "ok" ? idIn(outcome.result) : null;
    // Of a call that is not let through: the id that it would have made, which is what its author would name next.
    if (call.made !== null && made !== null) known.set(call.made, made);
    const isLetThrough = ruling.kind === "auto" || (ruling.kind === "ask" && permits(call));
    const after = isLetThrough && outcome?.kind === "ok" ? outcome.environment : here;
    steps.push({ call, proposed, ruling, isLetThrough, hasChangedState: changesBetween(here, after).length > 0 });
    here = after;
    if (isLetThrough && outcome?.kind === "ok") gate.made(proposed, ruling, { result: outcome.result, environment: here });
  }
  return { steps, environment: here };
}

/** The state that these calls alone lead to. */
export function replayed(suite: Suite, environment: Environment, calls: readonly ProposedCall[]): Environment {
  return calls.reduce((here, { tool, args }) => {
    const outcome = suite.tools.get(tool)?.call(here, args);
    return outcome?.kind === "ok" ? outcome.environment : here;
  }, environment);
}
