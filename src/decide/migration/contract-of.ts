import type { DecisionRecord } from "../../contract/decision.ts";
import type { Json } from "../../contract/json.ts";
import { idPattern } from "../../contract/limits.ts";
import type { WalkFigures } from "../../contract/migration.ts";
import type { CallRecord } from "../../contract/model.ts";
import type { StopReason } from "../../contract/words.ts";
import { isProse } from "./shape.ts";

/** What one model left of one request, as far as code relies on it; and the prose, apart. */
export interface Contract {
  /** A reply that was asked for again because it did not fit, or that never did. */
  readonly hasMisfit: boolean;
  /** Nothing was decided because no reply came, or none that fits. */
  readonly hasFailed: boolean;
  readonly decision: Json;
  readonly effects: readonly { readonly name: string; readonly params: Json }[];
  /** Calls of tools in a loop, in their order. */
  readonly tools: readonly { readonly name: string; readonly arguments: Json }[];
  /** What came of it in the house's words: it agrees where another's is the same. */
  readonly outcome: { readonly kind: string; readonly label: string | null; readonly stop: string | null };
  readonly prose: string;
  readonly figures: WalkFigures;
}

const failures: readonly StopReason[] = ["model_unavailable", "non_conforming_output", "node_failed", "loop_unfinished"];
/** Whoever asked went away, or nothing was left to spend: that says nothing of a model. */
const besidesModels: readonly StopReason[] = ["cancelled", "abandoned", "budget_spent"];

/** Reads the contract of a walk from its record. */
export function contractOf(record: DecisionRecord): Contract {
  const { calls, bodies, proposal, stop, kind, label } = record;
  const deciding = calls.filter(({ node }) => node === "llm_decision");
  const decision = decidedIn(deciding);
  return {
    hasMisfit: deciding.some(({ outcome }) => outcome === "misfits"),
    hasFailed: didFail(stop?.reason ?? null),
    decision,
    effects: (proposal?.effects ?? []).map(({ effect: name, params }) => ({ name, params })),
    tools: toolsOf(bodies["loop"]),
    outcome: { kind, label, stop: stop?.reason ?? null },
    prose: proseOf(decision).join("\n"),
    figures: figuresOf(calls, msOfNodes(bodies["trace"])),
  };
}

/** Whether a stop says that nothing was decided for want of a reply, or of one that fits. */
export function didFail(stop: StopReason | null): boolean {
  return stop !== null && failures.includes(stop);
}

/** Whether a stop came from outside of the model, so that a comparison would say nothing of it. */
export function saysNothingOfModel(stop: StopReason | null): boolean {
  return stop !== null && besidesModels.includes(stop);
}

/** What the last reply that fits says, as it came; `null` where none does, or where it was too long to be kept whole. */
export function decidedIn(
  calls: readonly { readonly outcome: string; readonly reply: string; readonly isReplyWhole?: boolean }[],
): Json {
  const reply = calls.findLast(({ outcome }) => outcome === "fits");
  if (reply === undefined || reply.isReplyWhole === false) return null;
  try {
    return JSON.parse(reply.reply) as Json; // it fitted, so it is JSON
  } catch {
    return null;
  }
}

function toolsOf(loop: Json | undefined): Contract["tools"] {
  const rows = Array.isArray(loop) ? loop : [];
  return rows.flatMap((row) => {
    if (typeof row !== "object" || row === null || Array.isArray(row) || typeof row["tool"] !== "string") return [];
    return [{ name: toolName(row["tool"]), arguments: row["arguments"] ?? null }];
  });
}

/** A tool by its name; what has not the form of one is a model's own text, and is told nowhere. */
export function toolName(text: string): string {
  return idPattern.test(text) ? text : "off_list";
}

/** The texts in a value that are meant for people. */
export function proseOf(value: Json): readonly string[] {
  if (typeof value === "string") return isProse(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(proseOf);
}

/** What the calls of one walk took, and how long all of it. */
export function figuresOf(calls: readonly Pick<CallRecord, "costMicros" | "usage">[], ms: number): WalkFigures {
  const sum = (of: (call: Pick<CallRecord, "costMicros" | "usage">) => number) =>
    calls.reduce((total, call) => total + of(call), 0);
  return {
    ms,
    costMicros: sum(({ costMicros }) => costMicros),
    requests: calls.length,
    inputTokens: sum(({ usage }) => usage.inputTokens),
    cachedTokens: sum(({ usage }) => usage.cachedTokens),
    cacheWriteTokens: sum(({ usage }) => usage.cacheWriteTokens),
    outputTokens: sum(({ usage }) => usage.outputTokens),
    reasoningTokens: sum(({ usage }) => usage.reasoningTokens),
  };
}

function msOfNodes(trace: Json | undefined): number {
  const nodes = Array.isArray(trace) ? trace : [];
  return nodes.reduce<number>((total, node) => total + msOf(node), 0);
}

function msOf(node: Json): number {
  return typeof node === "object" && node !== null && "ms" in node && typeof node.ms === "number" ? node.ms : 0;
}
