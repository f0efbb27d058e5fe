/**
 * The bounded loop: the one place where the model chooses the next step. It can read through the tools of its list and through nothing
 * else, it ends whatever the model says, and it ends in a decision like any other or with a person. Nothing here changes the world.
 */
import type { OverBudget } from "../contract/budget.ts";
import type { Loop, ModelChoice } from "../contract/capability.ts";
import type { Stop } from "../contract/decision.ts";
import { deepFreeze } from "../contract/json.ts";
import type { CallRecord } from "../contract/model.ts";
import { type LoopStep, needOf } from "../contract/tool.ts";
import type { RoutingRule } from "../contract/words.ts";
import { askStep } from "./loop-ask.ts";
import { callTool } from "./loop-call.ts";
import { loopPrompt, stepMessages, withPlanned } from "./loop-prompt.ts";
import {
  afterStep,
  beginLoop,
  callKey,
  capHit,
  joinedContext,
  type Looping,
  type LoopState,
  spentBy,
  traceOf,
} from "./loop-state.ts";
import { cancelled, stopWithoutReply } from "./no-decision.ts";
import { planFirst } from "./planning/plan-first.ts";
import { meteredModel } from "./recording.ts";
import { type Deps, type Holding, type StopWith, stopAt } from "./state.ts";
import { isFinal, type StepReply, stepSchema } from "./step-schema.ts";
import { bookedAs } from "./structured.ts";

type Looped = Holding<"decision" | "decidedBy" | "context" | "loop">;

/** Node 4 as a loop. Each turn is one structured reply of the model: a tool to call, or the decision. */
export async function runLoop(given: Pick<Looping, "loop" | "informed" | "deps">): Promise<Looped | StopWith> {
  const part = openPart(given);
  if (part.kind === "over_budget") {
    const routed = { route: "hitl_required", rule: "budget_spent" } as const;
    return { ...stopAt("llm_decision", "budget_spent", part.detail, routed), left: {} };
  }
  return walkLoop({ ...given, deps: part.deps });
}

/** A loop is a part of the run, on its budget and with caps of its own; its time is kept by the loop itself. */
function openPart({ loop, deps }: Pick<Looping, "loop" | "deps">): { readonly kind: "opened"; readonly deps: Deps } | OverBudget {
  if (deps.meter === undefined) return { kind: "opened", deps };
  const { tokens, costMicros } = loop.caps;
  const part = deps.meter.child("the loop", { tokens, costMicros });
  if (part.kind === "over_budget") return part;
  return { kind: "opened", deps: { ...deps, meter: part.meter, model: meteredModel(deps.model, part.meter) } };
}

async function walkLoop(given: Pick<Looping, "loop" | "informed" | "deps">): Promise<Looped | StopWith> {
  const { loop, informed, deps } = given;
  const tools = await deps.tools.find(deps.capability);
  const { decision, decisionJson } = deps.capability;
  const looping: Looping = { ...given, tools, schema: stepSchema({ tools, decision, decisionJson }) };
  const startedAt = deps.clock.monotonic();
  const planned = await planFirst(looping, startedAt);
  const base = withPlanned(loop.prompt(informed), planned.steps);
  const prompt = loopPrompt({ base, tools, maxSteps: loop.maxSteps });
  let state = beginLoop({ prompt, loaded: informed.context, steps: planned.steps, plan: planned.plan, startedAt });
  for (let step = 1; step <= loop.maxSteps; step += 1) {
    const turn = await takeTurn(state, step, looping);
    if (turn.kind === "on") state = turn.state;
    else return ended(turn, looping);
  }
  // Never reached: the last step of the cap does not call a tool. Fail closed all the same.
  return ended({ kind: "stopped", state, stop: unfinished("loop_cap_hit", "its steps were used up") }, looping);
}

type Turn =
  | { readonly kind: "on"; readonly state: LoopState }
  | { readonly kind: "decided"; readonly state: LoopState; readonly decision: unknown; readonly by: ModelChoice }
  | { readonly kind: "stopped"; readonly state: LoopState; readonly stop: Stop };

async function takeTurn(state: LoopState, step: number, looping: Looping): Promise<Turn> {
  const { loop, deps } = looping;
  if (deps.cancel.isCancelled()) return { kind: "stopped", state, stop: cancelled() };
  const startedAt = deps.clock.monotonic();
  const hit = capHit(loop.caps, state, startedAt);
  if (hit !== null) return { kind: "stopped", state, stop: unfinished("loop_cap_hit", hit) };
  const { reply, calls, isLate } = await askStep(state, step, looping);
  const asked: LoopState = { ...state, by: reply.by };
  const timed = (known: LoopStep): LoopStep => ({ ...known, ms: Math.round(deps.clock.monotonic() - startedAt) });
  const unanswered = (stop: Stop): Turn => ({
    ...{ kind: "stopped", stop },
    state: afterStep(asked, timed(rowOf({ step, next: null, calls })), []),
  });
  if (isLate) return unanswered(unfinished("loop_cap_hit", outOfTime(loop)));
  if (reply.kind !== "fits") return unanswered(stopWithoutReply(reply, deps));
  const { next } = reply.value;
  const row = rowOf({ step, next, calls });
  // A final answer is looked at before any tool.
  if (isFinal(next)) return answered({ state: afterStep(asked, timed(row), []), decision: next.final, by: reply.by, loop });
  const stop = whyUncalled({ state: asked, row, tool: next.tool, looping });
  if (stop !== null) {
    const outcome = stop.reason === "tool_off_list" ? "off_list" : "unread";
    return { kind: "stopped", state: afterStep(asked, timed({ ...row, outcome }), []), stop };
  }
  const place = { need: needOf(next.tool, step), mark: String(step) };
  const read = timed(await callTool({ ...asked, place }, row, looping));
  return { kind: "on", state: afterStep(asked, read, stepMessages({ row: read, maxSteps: loop.maxSteps })) };
}

/** The row of a step as far as its reply tells; `next` is `null` where there is none to go by. */
function rowOf({ step, next, calls }: { step: number; next: StepReply["next"] | null; calls: readonly CallRecord[] }): LoopStep {
  const isCall = next !== null && !isFinal(next);
  const asked = isCall ? { tool: next.tool, arguments: next.arguments ?? null } : { tool: null, arguments: null };
  const outcome = next === null ? "no_reply" : "final";
  return { step, ...asked, outcome, fault: null, found: [], resultDigest: null, ...spentBy(calls), ms: 0 };
}

/** A final answer counts where code says that enough was looked at. */
function answered({ loop, ...given }: Omit<Turn & { kind: "decided" }, "kind"> & { loop: Loop<unknown> }): Turn {
  const { state } = given;
  if (isEnough(loop, state)) return { kind: "decided", ...given };
  const detail = "what was looked at is not enough for the answer that was given";
  return { kind: "stopped", state, stop: unfinished("loop_not_enough", detail) };
}

function isEnough({ enough }: Loop<unknown>, { steps }: LoopState): boolean {
  try {
    return enough(steps) === true;
  } catch {
    return false;
  }
}

/** Why a tool that was asked for is not called; `null` where it is. */
function whyUncalled({
  state,
  row,
  tool,
  looping: { loop, tools },
}: {
  state: LoopState;
  row: LoopStep;
  tool: string;
  looping: Looping;
}): Stop | null {
  if (!tools.some((one) => one.name === tool))
    return stopAt("llm_decision", "tool_off_list", "a tool was asked for that is not on the list", {
      route: "reject",
      rule: "tool_off_list",
    });
  if (state.asked.has(callKey(tool, row.arguments)))
    return unfinished("loop_no_progress", "the same thing was asked for a second time");
  // What it would bring could not be used any more.
  return row.step === loop.maxSteps ? unfinished("loop_cap_hit", `its ${loop.maxSteps} steps were used up`) : null;
}

function ended(turn: Exclude<Turn, { kind: "on" }>, { loop, informed, deps }: Looping): Looped | StopWith {
  const { steps, by } = turn.state;
  const known = { context: joinedContext(informed.context, steps, deps.digest), loop: traceOf(turn.state, deps.digest) };
  if (turn.kind === "decided")
    return { decision: deepFreeze(turn.decision), decidedBy: bookedAs(turn.by, loop.version), ...known };
  return { ...turn.stop, left: by === null ? known : { ...known, decidedBy: bookedAs(by, loop.version) } };
}

/** The loop ends without an answer, and a person decides with what it found. */
function unfinished(rule: RoutingRule, detail: string): Stop {
  return stopAt("llm_decision", "loop_unfinished", detail, { route: "hitl_required", rule });
}

function outOfTime({ caps }: Loop<unknown>): string {
  return `its time of ${caps.ms} ms was used up`;
}
