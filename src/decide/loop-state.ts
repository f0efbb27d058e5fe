import type { Informed, Loop, ModelChoice, Prompt } from "../contract/capability.ts";
import type { ContextItem, LoadedContext } from "../contract/context.ts";
import { canonicalJson, type Json } from "../contract/json.ts";
import type { CallRecord } from "../contract/model.ts";
import type { Plan } from "../contract/plan.ts";
import type { Digest } from "../contract/ports.ts";
import type { Schema } from "../contract/schema.ts";
import type { LoopCaps, LoopStep, Tool } from "../contract/tool.ts";
import { tokensOf } from "../contract/usage.ts";
import type { Deps, LoopTrace } from "./state.ts";
import type { StepReply } from "./step-schema.ts";

/** What stays the same over all steps of a loop. */
export interface Looping {
  readonly loop: Loop<unknown>;
  readonly informed: Informed<unknown>;
  /** The tools that the model is shown, of those on the list. */
  readonly tools: readonly Tool[];
  readonly schema: Schema<StepReply>;
  readonly deps: Deps;
}

/** What a loop knows between two steps; it is nobody else's, and each step makes a new one. */
export interface LoopState {
  readonly steps: readonly LoopStep[];
  /** The prompt of the next step. */
  readonly prompt: Prompt;
  /** Tool and arguments of every step so far, as canonical text. */
  readonly asked: ReadonlySet<string>;
  /** Ids of all that is known, so that each item keeps one of its own. */
  readonly ids: ReadonlySet<string>;
  /** The model that was asked last, and that all later steps are asked of; `null` before the first step. */
  readonly by: ModelChoice | null;
  readonly tokens: number;
  readonly costMicros: number;
  /** By the clock that never goes back. */
  readonly startedAt: number;
  /** The plan that the loop began with; left out where it makes none. */
  readonly plan?: Plan | null | undefined;
}

/** A loop before its first step. */
export function beginLoop({
  prompt,
  loaded,
  steps,
  plan,
  startedAt,
}: {
  prompt: Prompt;
  loaded: LoadedContext;
  /** What was read for the plan. */
  steps: readonly LoopStep[];
  plan: Plan | null | undefined;
  startedAt: number;
}): LoopState {
  const ids = new Set([...loaded.items, ...steps.flatMap(({ found }) => found)].map((item) => item.id));
  const asked = new Set(steps.filter(({ outcome }) => outcome === "read").map((row) => callKey(row.tool ?? "", row.arguments)));
  return { steps, prompt, asked, ids, by: null, tokens: 0, costMicros: 0, startedAt, plan };
}

/** The state after a step. */
export function afterStep(state: LoopState, row: LoopStep, messages: Prompt["messages"]): LoopState {
  return {
    ...state,
    steps: [...state.steps, row],
    prompt: { system: state.prompt.system, messages: [...state.prompt.messages, ...messages] },
    asked: row.tool === null ? state.asked : new Set([...state.asked, callKey(row.tool, row.arguments)]),
    ids: new Set([...state.ids, ...row.found.map((item) => item.id)]),
    tokens: state.tokens + row.tokens,
    costMicros: state.costMicros + row.costMicros,
  };
}

/** A tool with its arguments, as one text; equal where the same thing is asked for. */
export function callKey(tool: string, args: Json): string {
  return canonicalJson([tool, args]);
}

/** Where something was found: the need that later nodes know it by, and what an id gets behind it that is known already. */
export interface ItemPlace {
  readonly need: string;
  readonly mark: string;
}

/** What was found, under the need of its place. An id that is known already gets the place's mark behind it: a source is one item. */
export function namedItems({
  items,
  ids,
  place: { need, mark },
}: {
  items: readonly ContextItem[];
  ids: ReadonlySet<string>;
  place: ItemPlace;
}): readonly ContextItem[] {
  return items.map((item) => Object.freeze({ ...item, need, id: ids.has(item.id) ? `${item.id}@${mark}` : item.id }));
}

/** Which cap is used up before the next step, in words; `null` where none is. */
export function capHit(caps: LoopCaps, { tokens, costMicros, startedAt }: LoopState, now: number): string | null {
  if (now - startedAt >= caps.ms) return `its time of ${caps.ms} ms was used up`;
  if (tokens >= caps.tokens) return `its ${caps.tokens} tokens were used up`;
  return costMicros >= caps.costMicros ? "what it may cost was used up" : null;
}

/** What the replies of one step took. */
export function spentBy(calls: readonly CallRecord[]): Pick<LoopStep, "tokens" | "costMicros"> {
  return {
    tokens: calls.reduce((sum, { usage }) => sum + tokensOf(usage), 0),
    costMicros: calls.reduce((sum, call) => sum + call.costMicros, 0),
  };
}

/** Everything that is known after a loop: what was loaded before it, then what it found. The one place where the two are joined. */
export function joinedContext(loaded: LoadedContext, steps: readonly LoopStep[], digest: Digest): LoadedContext {
  const found = steps.flatMap((row) => row.found);
  if (found.length === 0) return loaded;
  const items = Object.freeze([...loaded.items, ...found]);
  return Object.freeze({ items, digest: digest.sha256(canonicalJson(items)) });
}

/** The trace with its digest over what was asked for and found: the same replies over the same sources give the same one. */
export function traceOf({ steps, plan }: Pick<LoopState, "steps" | "plan">, digest: Digest): LoopTrace {
  const facts = steps.map(({ step, tool, arguments: args, outcome, fault, resultDigest }) => ({
    ...{ step, tool, arguments: args, outcome, fault, resultDigest },
  }));
  const trace = { steps: Object.freeze(steps), digest: digest.sha256(canonicalJson(facts)) };
  return Object.freeze(plan === undefined ? trace : { ...trace, plan });
}
