import type { Reservation } from "./budget.ts";
import type { Capability } from "./capability.ts";
import type { DecisionRecord, DecisionRequest } from "./decision.ts";
import type { Envelope, PolicyRuling, Principal } from "./principal.ts";
import type { Runtime } from "./runtime.ts";
import type { Tool, ToolAnswer } from "./tool.ts";
import type { Sight } from "./views.ts";
import type { Risk, Route } from "./words.ts";

/** Reads time. Injected everywhere; nothing else may read a clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that never go back, for durations. */
  readonly monotonic: () => number;
}

/** Ends waiting: rejects when work takes longer than it may. Injected, since the pure folders have no timers. */
export interface Deadline {
  readonly within: <T>(ms: number, work: Promise<T>) => Promise<T>;
}

/**
 * Marks stretches of work for whoever watches; OpenTelemetry stands behind it. Names and attributes are words of ours, counts and ids:
 * never what a person, a model or a record wrote, and never a secret.
 */
export interface Spans {
  readonly within: <T>(span: SpanStart, work: (note: (attributes: SpanAttributes) => void) => Promise<T>) => Promise<T>;
}
export interface SpanStart {
  readonly name: string;
  readonly attributes: SpanAttributes;
}
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Makes ids (UUID version 7, RFC 9562). */
export interface Ids {
  readonly next: () => string;
}

/** Hashes text; injected so that the pure folders need no crypto. */
export interface Digest {
  /** SHA-256 over the UTF-8 bytes, in lower-case hex. */
  readonly sha256: (text: string) => string;
}

/** A fresh random key, good for one payload: what stands in for personal data is drawn by it. It never leaves the process. */
export interface StandInKey {
  /** HMAC-SHA-256 (RFC 2104) over the UTF-8 bytes: 32 bytes. */
  readonly mac: (text: string) => Uint8Array;
}

/** How a decision may begin: newly, as a repeat of one that is done, or not at all. */
export type Opened =
  | { readonly kind: "opened" }
  | { readonly kind: "repeated"; readonly decisionId: string }
  | { readonly kind: "in_progress"; readonly decisionId: string }
  | { readonly kind: "conflict" }
  /** What was reserved for it was taken back before it began, as from a process that was frozen. */
  | { readonly kind: "reservation_gone" };

/** How it ended: with its one entry, or lost to the sweeper, which had ended it before. */
export type Closed = { readonly kind: "closed"; readonly entryId: string } | { readonly kind: "lost" };

/** The book of decisions as the graph sees it: one commit at the start, one at the end. */
export interface Journal {
  readonly open: (request: DecisionRequest, at: number, reservation?: Reservation | null) => Promise<Opened>;
  /** Throws `decision_failed` where the record cannot be kept; the decision is ended then, as stopped. */
  readonly close: (record: DecisionRecord) => Promise<Closed>;
}

/** Looks up the runtime context of a request, where it enters; `null` where there is nothing to say. */
export interface RuntimeSource {
  readonly of: (request: DecisionRequest) => Promise<Runtime | null>;
}

/** Reads the threshold of a slice; one that nobody opened is above every confidence. */
export interface Slices {
  readonly thresholdPpm: (slice: SliceName) => Promise<number>;
}
export interface SliceName {
  readonly tenant: string;
  readonly capability: string;
  readonly capabilityVersion: string;
  readonly slice: string;
}

/** The tools of a capability's loop: its own list, and nothing beside it. */
export interface Tools {
  /** The contracts that the model is shown. */
  readonly find: (capability: Pick<Capability, "deciding">) => Promise<readonly Tool[]>;
  /** Reads through one tool of the list, under the asker's own permissions. What is not on the list is never read. */
  readonly call: (call: ToolCall) => Promise<ToolAnswer>;
}
export interface ToolCall {
  readonly capability: Pick<Capability, "deciding">;
  readonly tool: string;
  readonly arguments: unknown;
  readonly step: number;
  readonly inputs: unknown;
  readonly envelope: Envelope;
}

/** What a principal may use, read and have proposed. A question that cannot be answered with yes is a no; none of them throws. */
export interface Permit {
  /** Changes with every change of the policies. */
  readonly version: string;
  /** Open to the principal, and nothing that it is known to touch is left out of the account's allow-lists. */
  readonly mayUse: (principal: Principal, capability: UsedCapability) => PolicyRuling;
  /** The labels of documents that the principal may see. */
  readonly scopes: (principal: Principal) => readonly string[];
  /** Whether a named record query is read in the principal's name. */
  readonly mayRead: (principal: Principal, query: string) => PolicyRuling;
  readonly mayCall: (principal: Principal, tool: string) => PolicyRuling;
  readonly mayPropose: (principal: Principal, effect: EffectAtRisk) => PolicyRuling;
}

/** What of a capability matters for who may use it: what it proposes and what that reads are known before it runs, its needs are not. */
export interface UsedCapability {
  readonly name: string;
  readonly openTo: readonly string[];
  readonly effects: readonly { readonly name: string; readonly before: { readonly query: string } }[];
}

/** An effect at the risk that its params make. */
export interface EffectAtRisk {
  readonly name: string;
  readonly risk: Risk;
}

/** Who would see a decision, and what of the decision matters for that. */
export interface Seeing {
  readonly principal: Principal;
  /** Whose decision it is. */
  readonly tenant: string;
  readonly requestedBy: string;
  readonly onBehalfOf: string | null;
  readonly route: Route | null;
  /** How many effects it proposes. */
  readonly effects: number;
}

/** Says how much of a decision a principal may read; `null` is nothing at all. */
export type SightOf = (seeing: Seeing) => Sight | null;

/** Knows values of records that a principal may not see, for the output guard. */
export interface HiddenValues {
  /** Those that stand in the texts of an output. What is returned blocks it, unless the requester or the context said it. */
  readonly findHidden: (search: HiddenSearch) => Promise<readonly string[]>;
}

/** What an output says, and to whom. */
export interface HiddenSearch {
  /** In lower case, compatibility forms (NFKC) plain, invisible characters gone, every run of white space one space. */
  readonly texts: readonly string[];
  readonly envelope: Envelope;
}

/** Resolves secret names of one process; a name of another side is not known here. */
export interface Vault {
  readonly secret: (name: string) => string;
}

/** The head of a tenant's chain. */
export interface ChainHead {
  readonly tenant: string;
  readonly seq: number;
  /** Hash of the last seal, in hex. */
  readonly hash: string;
}

/** Keeps heads outside the database, monotonic and durable. */
export interface HeadKeeper {
  readonly read: (tenant: string) => Promise<ChainHead | null>;
  readonly keep: (head: ChainHead) => Promise<void>;
}
