import type { RunMeter } from "../contract/budget.ts";
import type { Capability } from "../contract/capability.ts";
import type { Context, LoadedContext } from "../contract/context.ts";
import type { DecisionRecord, DecisionRequest, Note, Stop } from "../contract/decision.ts";
import type { Model } from "../contract/model.ts";
import type { Plan } from "../contract/plan.ts";
import type { Clock, Deadline, Digest, HiddenValues, Permit, RuntimeSource, Slices, Spans, Tools } from "../contract/ports.ts";
import type { Cancel, Envelope } from "../contract/principal.ts";
import type { Proposal, Routing } from "../contract/proposal.ts";
import type { ContextActivity, FindDuplicates } from "../contract/retrieval.ts";
import type { Signal } from "../contract/signal.ts";
import type { LoopStep } from "../contract/tool.ts";
import type { NodeName, Route, RoutingRule, StopReason } from "../contract/words.ts";

/** Every slot of a decision's state. A node reads some and adds its own; none is written twice. */
export interface Slots {
  readonly request: DecisionRequest;
  readonly received: unknown;
  readonly envelope: Envelope;
  readonly inputs: unknown;
  /** What the capability's needs brought, before anything decided. */
  readonly loaded: LoadedContext;
  /** What `context_load` did, where it stopped; else it stands in `loaded`. */
  readonly activity: ContextActivity;
  readonly decision: unknown;
  readonly decidedBy: DecidedBy;
  /** Everything that this decision knows: what was loaded, and what a bounded loop found. Later nodes read this one. */
  readonly context: LoadedContext;
  /** What a bounded loop did, step by step; `null` where there was none. */
  readonly loop: LoopTrace | null;
  /** The decision as the guards let it through; later nodes read this one. */
  readonly guarded: unknown;
  readonly checked: Checked;
  readonly judged: Judged;
  readonly confidence: Confidence;
  readonly routed: Routing;
  readonly proposal: Proposal;
  readonly notes: readonly Note[];
  readonly outcome: Outcome;
}

/** The steps of a bounded loop in their order, and the digest over what was asked for and found. */
export interface LoopTrace {
  readonly steps: readonly LoopStep[];
  readonly digest: string;
  /** The plan that was made before the first step; `null` where no clean one was, left out where the loop makes none. */
  readonly plan?: Plan | null;
}

/** Which model and prompt, or which rule, decided or was asked to. */
export interface DecidedBy {
  readonly model: string;
  readonly prompt: string;
}

/** What verification found. */
export interface Checked {
  readonly results: readonly CheckResult[];
  readonly verified: boolean;
  readonly scorePpm: number;
}
export interface CheckResult {
  readonly name: string;
  readonly hard: boolean;
  readonly passed: boolean;
  readonly evidence: string;
}

/** The second opinion: absent, given, or asked for and not had. */
export type Judged =
  | { readonly kind: "not_sampled" }
  | { readonly kind: "scored"; readonly ppm: number; readonly reason: string }
  | { readonly kind: "failed"; readonly problem: string };

export interface Confidence {
  readonly ppm: number;
  readonly signals: readonly Signal[];
  readonly calibration: string;
}

/** What the journal needs of the outcome; the walk adds the request, the calls and the trace. */
export type Outcome = Omit<DecisionRecord, "request" | "calls">;

/** What nodes are given: the capability and the ports. Nothing else reaches the outside. */
export interface Deps {
  readonly capability: Capability;
  readonly environment: string;
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly digest: Digest;
  readonly model: Model;
  readonly context: Context;
  readonly tools: Tools;
  readonly slices: Slices;
  readonly permit: Permit;
  readonly hiddenValues: HiddenValues;
  /** Marks what is done for whoever watches; `null` where nobody does. */
  readonly spans: Spans | null;
  /** What a request stands in the middle of; left out where nobody looks. */
  readonly runtime?: RuntimeSource;
  /** Says which passages say the same; left out where nobody looks, and then all stay. */
  readonly findDuplicates?: FindDuplicates;
  /** Values planted to find leaks; an output that holds one is blocked. */
  readonly canaries: readonly string[];
  /** What the run may still use; left out where nobody counts, as in a replay. */
  readonly meter?: RunMeter;
  readonly cancel: Cancel;
}

/** A state that holds the named slots. */
export type Holding<K extends keyof Slots> = Pick<Slots, K>;

/** A node: reads some slots, adds others, or stops the decision; then it may leave behind what it knew. */
export type Node<Reads extends keyof Slots, Adds extends keyof Slots> = (
  state: Holding<Reads>,
  deps: Deps,
) => Promise<Holding<Adds> | Stop | StopWith>;

/** A stop that leaves behind what was known by then, for the record. */
export interface StopWith extends Stop {
  readonly left: Partial<Holding<"context" | "loop" | "decidedBy" | "activity">>;
}

/** Stops the decision here; `exit` comes next. */
export function stopAt(
  node: NodeName,
  reason: StopReason,
  detail: string,
  routed: { route: Route; rule: RoutingRule } | null = null,
): Stop {
  return { kind: "stop", node, reason, detail, route: routed?.route ?? null, rule: routed?.rule ?? null };
}

/** Says whether a node stopped the decision. */
export function isStop(added: object): added is Stop | StopWith {
  return "kind" in added && added.kind === "stop";
}

/** Says whether a stop leaves something behind. */
export function isStopWith(stop: Stop | StopWith): stop is StopWith {
  return "left" in stop;
}
