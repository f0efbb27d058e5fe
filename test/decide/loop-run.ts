import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { LoopStep } from "../../src/contract/tool.ts";
import type { Deps } from "../../src/decide/state.ts";
import { fixedContext, proposeForTest } from "../../src/testing/index.ts";
import { asks, findFault, workshop } from "./loop-samples.ts";
import { type Scripted, scripted } from "./scripted.ts";

export const inputs = { text: "pr-1 stays dark" };
export const lamp = asks("lamps", { projector: "pr-1" });
export const days = (count: number) => asks("log", { projector: "pr-1", days: count });

/** One reply a step. */
export function steps(...replies: readonly string[]): Scripted {
  return scripted(replies.map((reply, place) => ({ purpose: "step", step: place + 1, when: /./, replies: [reply] })));
}

/** Walks the sample through the graph over a script. */
export function decide(
  script: Scripted,
  {
    own = {},
    looped = {},
    deps = {},
  }: { own?: Parameters<typeof findFault>[0]; looped?: Parameters<typeof findFault>[1]; deps?: Partial<Deps> } = {},
): Promise<DecisionRecord> {
  const capability = findFault(own, looped);
  return proposeForTest({ capability, inputs, deps: { model: script.model, context: fixedContext(workshop), ...deps } });
}

/** The steps that a record kept. */
export function traceOf(record: DecisionRecord): readonly LoopStep[] {
  return (record.bodies["loop"] ?? []) as unknown as readonly LoopStep[]; // written by the loop
}

/** A decision that a rule left to a person. */
export function unfinished(rule: string) {
  return { kind: "stopped", route: "hitl_required", rule, stop: { reason: "loop_unfinished", node: "llm_decision" } };
}

/** The sample's model and the version of its prompt. */
export const askedModel = { model: "scripted/desk-2026-02-01", prompt: "l1" };

/** A script whose every call costs 5. */
export function priced({ model }: Scripted): Deps["model"] {
  return {
    call: async (request) => {
      const reply = await model.call(request);
      return { ...reply, calls: reply.calls.map((call) => ({ ...call, costMicros: 5 })) };
    },
  };
}
