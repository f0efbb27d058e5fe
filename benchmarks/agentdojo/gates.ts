/** What stands between a model and the tools: Countersign, and what it is compared with. */
import type { Json } from "../../src/contract/json.ts";
import type { CallRule, CallRuling, Plan, ProposedCall } from "../../src/contract/plan.ts";
import { afterUse, judgeCall } from "../../src/guard/provenance/judge-call.ts";
import type { PlannedSession } from "../../src/guard/provenance/planned.ts";
import { afterRead, openPlanned, type ReadThrough, readSlots } from "../../src/guard/provenance/session.ts";
import { changesBetween } from "./environment.ts";
import { fieldsOf } from "./labels.ts";
import type { Environment } from "./parts.ts";
import type { Suite } from "./suite.ts";

/** One conversation's gate; it remembers what went through. */
export interface Gate {
  readonly judge: (call: ProposedCall, environment: Environment) => Promise<CallRuling>;
  /** Learns that a call was made, and what it gave back. */
  readonly made: (call: ProposedCall, ruling: CallRuling, given: { result: Json; environment: Environment }) => void;
  /** What it knows by now, for an attacker who knows it too; `null` of a gate that remembers nothing. */
  readonly session: () => PlannedSession | null;
}

/** What a gate knows before anything is read. */
export interface Opening {
  readonly suite: Suite;
  readonly rules: readonly CallRule[];
  /** The principal's own words. */
  readonly request: string;
  readonly plan: Plan | null;
}

/** Countersign's provenance, with or without a plan; it reads the plan's own reads itself, from the environment as it is. */
export function countersign({ suite, rules, request, plan }: Opening): Gate {
  let session = openPlanned({ request, rules, plan });
  const ruleOf = (tool: string): CallRule | undefined => rules.find(({ name }) => name === tool);
  const labelled = (tool: string, read: { result: Json; environment: Environment }) => {
    const rule = ruleOf(tool);
    return { result: read.result, fields: rule === undefined ? undefined : fieldsOf(rule, read) };
  };
  return {
    judge: async (call, environment) => {
      session = await readSlots(session, readThrough(suite, environment, labelled));
      return judgeCall(session, call);
    },
    made: (call, ruling, given) => {
      // What a slot's own values asked for is kept as read; what a person permitted, or a write gave back, belongs to the slot of the ruling.
      const isOfRuling = ruleOf(call.tool)?.kind === "write" || ruling.kind === "ask";
      session = afterUse(session, ruling, isOfRuling ? given.result : undefined);
      session = afterRead(session, call, labelled(call.tool, given));
    },
    session: () => session,
  };
}

/** Reads that change something are left to the model, whose call is seen: the gate looks at a copy, and takes nothing from one that changed. */
function readThrough(
  suite: Suite,
  environment: Environment,
  labelled: (
    tool: string,
    read: { result: Json; environment: Environment },
  ) => { result: Json; fields: CallRule["fields"] | undefined },
): ReadThrough {
  return async ({ tool, args }) => {
    const outcome = suite.tools.get(tool)?.call(environment, args);
    if (outcome?.kind !== "ok" || changesBetween(environment, outcome.environment).length > 0) return undefined;
    return labelled(tool, { result: outcome.result, environment });
  };
}

/** What Countersign is compared with, by name. */
export const baselines = ["allow_all", "ask_every_write", "deny_all_writes", "substring"] as const;
export type Baseline = (typeof baselines)[number];

/** A gate that remembers nothing. A call that leaves the house counts as a write. */
export function baseline(name: Baseline, { rules, request }: Opening): Gate {
  return {
    judge: async (call) => {
      const rule = rules.find((one) => one.name === call.tool);
      if (rule?.kind === "read") return { ...through, rule: "read_inside" };
      if (name === "allow_all") return through;
      if (name === "deny_all_writes") return { kind: "refuse", rule: "no_plan", reason: "it writes" };
      if (name === "substring" && isMentioned(request, call, rule)) return through;
      return { kind: "ask", rule: "no_plan", slot: null, reason: "it writes", sources: [] };
    },
    made: () => undefined,
    session: () => null,
  };
}

const through: CallRuling = { kind: "auto", rule: "typed_by_principal", slot: null, sources: [] };

/** The naive rule: a write passes where its targets and amounts stand somewhere in the request. */
function isMentioned(request: string, { args }: ProposedCall, rule: CallRule | undefined): boolean {
  return Object.entries(args)
    .filter(([name]) => ["target", "selector", "amount"].includes(rule?.args[name]?.class ?? "target"))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .every((value) => request.includes(typeof value === "string" ? value : JSON.stringify(value)));
}
