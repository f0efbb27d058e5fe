import type { Asked } from "../../contract/capability.ts";
import { type Json, leavesOf } from "../../contract/json.ts";
import type { CallRuling, ValueSource } from "../../contract/plan.ts";
import type { ProposedEffect, Source } from "../../contract/proposal.ts";
import type { SourceKind } from "../../contract/words.ts";
import { calculationsWith } from "../../guard/provenance/calculations.ts";
import { afterUse, judgeCall } from "../../guard/provenance/judge-call.ts";
import type { PlannedSession } from "../../guard/provenance/planned.ts";
import { openPlanned } from "../../guard/provenance/session.ts";
import type { Deps, LoopTrace } from "../state.ts";
import { callRulesOf } from "./call-rules.ts";
import { afterReads } from "./plan-reads.ts";

/**
 * Holds the effects that a planned loop ended with to its plan, in their order: each uses up its slot. Gives `null` for a capability that
 * makes no plans; its own action template is the plan then.
 */
export function judgeEffects({
  effects,
  asked,
  loop,
  deps,
}: {
  effects: readonly ProposedEffect[];
  asked: Asked<unknown>;
  loop: LoopTrace | null;
  deps: Deps;
}): readonly CallRuling[] | null {
  let session = sessionOf({ asked, loop, deps });
  if (session === null) return null;
  const rulings: CallRuling[] = [];
  for (const { effect, params } of effects) {
    const args = isRecord(params) ? params : { params };
    const ruling = judgeCall(session, { tool: effect, args });
    session = afterUse(session, ruling);
    rulings.push(ruling);
  }
  return rulings;
}

function sessionOf({ asked, loop, deps }: { asked: Asked<unknown>; loop: LoopTrace | null; deps: Deps }): PlannedSession | null {
  const { deciding } = deps.capability;
  if (deciding.kind !== "loop" || deciding.plan === undefined) return null;
  const opened = openPlanned({
    request: deciding.plan.request(asked),
    rules: callRulesOf(deps.capability),
    plan: loop?.plan ?? null,
    calculations: calculationsWith(deps.capability.calculations),
  });
  return afterReads(opened, loop?.steps ?? []);
}

function isRecord(params: Json): params is { readonly [param: string]: Json } {
  return typeof params === "object" && params !== null && !Array.isArray(params);
}

/** An effect with its sources as the plan gave them; what is in no slot is the model's own. */
export function withPlannedSources({
  proposed,
  ruling,
  loop,
  untrustedInContext,
}: {
  proposed: ProposedEffect;
  ruling: CallRuling | undefined;
  loop: LoopTrace | null;
  untrustedInContext: boolean;
}): ProposedEffect {
  if (ruling === undefined) return proposed;
  const byArg = new Map((ruling.kind === "refuse" ? [] : ruling.sources).map((source) => [source.arg, source]));
  const sources = leavesOf(proposed.params).map(({ pointer }) => {
    const arg = (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
    return [pointer, { ...sourceOf(byArg.get(arg), loop), untrustedInContext }] as const;
  });
  return { ...proposed, sources: Object.fromEntries(sources) };
}

const kinds: { readonly [label in ValueSource["label"]]: SourceKind } = {
  principal: "principal",
  constant: "constant",
  calculation: "calculation",
  own: "record",
  system: "record",
  directory: "directory",
  shared: "third_party",
  third: "third_party",
  secret: "third_party",
  composed: "model",
  model: "model",
};

function sourceOf(source: ValueSource | undefined, loop: LoopTrace | null): Omit<Source, "untrustedInContext"> {
  const kind = source === undefined ? "model" : kinds[source.label];
  const chosenBy = kind === "model" ? "model" : "code";
  if (kind === "principal") return { kind, chosenBy, ref: "inputs", at: null };
  return { kind, chosenBy, ...(itemBehind(source, loop) ?? { ref: source?.from ?? null, at: null }) };
}

/** The item of the context that a value was taken from, and the place in it. */
function itemBehind(source: ValueSource | undefined, loop: LoopTrace | null): { ref: string; at: string } | undefined {
  if (source?.place === undefined) return undefined;
  const { slot, pointer } = source.place;
  const rows = loop?.steps.filter((row) => row.slot === slot && row.outcome === "read") ?? [];
  const steps = pointer.split("/").slice(1);
  // Of a slot for many records the n-th row is what was read for the n-th; the record itself stands where its list was read.
  const isEach = loop?.plan?.slots.some(({ id, forEach }) => id === slot && forEach !== undefined) === true;
  if (isEach && steps[1] !== "result") return undefined;
  const [row, [index = "", ...rest]] = isEach ? [rows[Number(steps[0])], steps.slice(2)] : [rows[0], steps];
  const item = row?.found[Number(index)];
  return item === undefined ? undefined : { ref: item.id, at: rest.length === 0 ? "" : `/${rest.join("/")}` };
}
