import { z } from "zod";
import type { ContextItem } from "../contract/context.ts";
import type { Explanation } from "../contract/explanation.ts";
import type { ContextActivity } from "../contract/retrieval.ts";
import type { LoopStep } from "../contract/tool.ts";
import { type NodeName, nodeNames } from "../contract/words.ts";
import type { TraceStep } from "../evals/eval-run.ts";

/** What an auditor reads of a decision's outcome, as far as a trial looks at it. */
export interface KeptBodies {
  readonly items: readonly ContextItem[] | null;
  readonly activity: ContextActivity | null;
  readonly steps: readonly LoopStep[];
  readonly nodes: readonly { readonly node: NodeName; readonly ms: number; readonly outcome: string }[];
  readonly calls: readonly KeptCall[];
}

type KeptCall = z.infer<typeof callForm>;

const tokens = z.int().default(0);
const usageForm = z
  .object({ inputTokens: tokens, cachedTokens: tokens, cacheWriteTokens: tokens, outputTokens: tokens, reasoningTokens: tokens })
  .prefault({});

const callForm = z.looseObject({
  ...{ node: z.string(), purpose: z.string(), step: z.int(), attempt: z.int(), send: z.int(), model: z.string() },
  ...{ outcome: z.string(), fault: z.string().nullable(), problem: z.string().nullable(), requestDigest: z.string() },
  ms: z.number(),
  ...{ reply: z.string().default(""), isReplyWhole: z.boolean().default(true), costMicros: z.number().default(0) },
  usage: usageForm,
});

const bodiesForm = z.looseObject({
  context: z.array(z.looseObject({ kind: z.string(), id: z.string() })).optional(),
  activity: z.looseObject({ searches: z.array(z.looseObject({ need: z.string() })) }).optional(),
  loop: z.array(z.looseObject({ step: z.int(), tool: z.string().nullable(), outcome: z.string() })).optional(),
  trace: z.array(z.looseObject({ node: z.enum(nodeNames), ms: z.number(), outcome: z.string() })).default([]),
  replies: z.array(callForm).default([]),
});

/** Reads the bodies of a decision's outcome from its explanation, as the journal wrote them. */
export function keptBodies({ entries }: Explanation): KeptBodies {
  const body = entries[0]?.body;
  const bodies = typeof body === "object" && body !== null && "bodies" in body ? body["bodies"] : {};
  const { context, activity, loop = [], trace, replies } = bodiesForm.parse(bodies ?? {});
  return {
    // Their forms are checked as far as they are looked at here; the journal wrote them.
    items: (context as readonly ContextItem[] | undefined) ?? null,
    activity: (activity as ContextActivity | undefined) ?? null,
    steps: loop as unknown as readonly LoopStep[],
    nodes: trace,
    calls: replies,
  };
}

/** What happened, a line each: nodes, searches, requests to models, look-ups of a loop, effects. */
export function traceOf(explanation: Explanation, { activity, steps, nodes, calls }: KeptBodies): readonly TraceStep[] {
  return [
    ...nodes.flatMap(({ node, ms, outcome }) => [
      { at: node, what: outcome, ms },
      ...(node === "context_load" ? searchSteps(activity) : []),
      ...calls.filter((call) => call.node === node).map(callStep),
      ...(node === "llm_decision" ? steps.map(loopStep) : []),
    ]),
    ...explanation.effects.flatMap(effectSteps),
  ];
}

function searchSteps(activity: ContextActivity | null): readonly TraceStep[] {
  return (activity?.searches ?? []).map(({ need, references, activity: done }) => ({
    at: `search ${need}`,
    what: `found ${references.map(({ id }) => id).join(", ") || "nothing"}`,
    ms: done.ms,
  }));
}

function callStep({ purpose, step, attempt, model, outcome, fault, problem, ms }: KeptCall): TraceStep {
  const place = step === 0 ? `attempt ${attempt}` : `step ${step}, attempt ${attempt}`;
  return {
    at: `${purpose} ${model}`,
    what: `${place}: ${outcome}${fault === null ? "" : `, ${fault}`}${problem === null ? "" : `: ${problem}`}`,
    ms,
  };
}

function loopStep({ step, tool, arguments: asked, outcome, fault, found, ms }: LoopStep): TraceStep {
  const what = `${JSON.stringify(asked)}: ${outcome}${fault === null ? "" : `, ${fault}`}, ${found.length} found`;
  return { at: `step ${step} ${tool ?? "answer"}`, what, ms };
}

function effectSteps({ effect, params, operations, refusals }: Explanation["effects"][number]): readonly TraceStep[] {
  const looks = operations.flatMap((operation) => operation.looks);
  return [
    { at: `effect ${effect ?? "unknown"}`, what: JSON.stringify(params), ms: null },
    ...operations.flatMap(({ sends }) =>
      sends.map(({ attempt }) => ({ at: `send ${effect ?? ""}`, what: `attempt ${attempt ?? 0}`, ms: null })),
    ),
    ...refusals.map(({ code, rule }) => ({
      at: `refused ${effect ?? ""}`,
      what: `${code ?? ""} ${rule ?? ""}`.trim(),
      ms: null,
    })),
    ...looks.map(({ verdict, differs }) => ({
      at: `verdict ${effect ?? ""}`,
      what: `${verdict ?? "none"}${differs.length === 0 ? "" : `, ${differs.join(", ")} differ`}`,
      ms: null,
    })),
  ];
}
