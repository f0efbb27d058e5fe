import type { Json } from "./json.ts";
import type { CallRecord } from "./model.ts";
import type { Principal } from "./principal.ts";
import type { Proposal } from "./proposal.ts";
import type { WorkflowStep } from "./runtime.ts";
import type { Signal } from "./signal.ts";
import type { NodeName, Route, RoutingRule, StopReason } from "./words.ts";

/** One request for one decision, as the door hands it to the graph. */
export interface DecisionRequest {
  readonly decisionId: string;
  readonly entryId: string;
  readonly principal: Principal;
  readonly capability: string;
  /** As received; not yet checked against the capability's schema. */
  readonly inputs: unknown;
  /** The client's key against double submits, or `null`. */
  readonly idempotencyKey: string | null;
  /** The entry that this decision follows, such as intake's. */
  readonly cause: string | null;
  /** The session of which this is a turn, by the client's own id. */
  readonly session?: string | null;
  /** The reference time that the request names, in milliseconds since the epoch; the clock's where there is none. */
  readonly at?: number | null;
  /** The step of a case that wants it. */
  readonly workflow?: WorkflowStep | null;
}

/** An early end of a decision: straight to `exit`, with the reason that the requester is told. */
export interface Stop {
  readonly kind: "stop";
  readonly reason: StopReason;
  readonly node: NodeName;
  readonly detail: string;
  /** `reject` for a reply that never fitted; `null` where nothing was decided that could be routed. */
  readonly route: Route | null;
  readonly rule: RoutingRule | null;
}

/** A note for the decision's audit memory. */
export interface Note {
  readonly text: string;
}

/** The time and outcome of one node, for the trace. */
export interface NodeTrace {
  readonly node: NodeName;
  readonly ms: number;
  readonly outcome: "added" | "stopped" | "failed";
}

/** Ids of the policies that let a decision be asked for, and its effects be proposed. */
export interface DecidingPolicies {
  readonly use: readonly string[];
  readonly propose: readonly string[];
}

/** What the graph hands to the journal at the end: the fields of the entry and the bodies of the payload. */
export interface DecisionRecord {
  readonly kind: "decided" | "stopped";
  readonly request: DecisionRequest;
  readonly at: number;
  readonly environment: string;
  readonly capabilityVersion: string;
  /** Provider and id of the model that decided, or was asked last where none did; `none` for a rule, and where no model was asked to decide. */
  readonly model: string;
  readonly prompt: string;
  /** The version of the policies in force. */
  readonly policy: string;
  /** What let the principal use the capability, and each effect be proposed: ids of policies. Empty where nothing did. */
  readonly policies?: DecidingPolicies;
  readonly calibration: string;
  /** The digest of the definition that its authority rests on; left out where nothing is to be applied. */
  readonly basis?: string;
  readonly label: string | null;
  readonly route: Route | null;
  readonly rule: RoutingRule | null;
  readonly loweredBy: readonly RoutingRule[];
  readonly slice: string | null;
  readonly thresholdPpm: number | null;
  readonly confidencePpm: number | null;
  readonly signals: readonly Signal[];
  readonly verified: boolean | null;
  readonly stop: Stop | null;
  readonly contextDigest: string | null;
  readonly proposal: Proposal | null;
  /** Of a bounded loop: how many steps it took, and a digest over what was asked for and found, without times and bills. */
  readonly loop?: { readonly steps: number; readonly digest: string; readonly plan?: string | null };
  readonly calls: readonly CallRecord[];
  readonly notes: readonly Note[];
  /** Bodies that go into the encrypted payload and are committed to in the entry: trace, context, replies, inputs. */
  readonly bodies: { readonly [name: string]: Json };
}

/** What the requester gets back. */
export interface DecisionOutcome {
  readonly decisionId: string;
  readonly entryId: string;
  readonly record: DecisionRecord;
}
