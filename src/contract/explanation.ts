import type { ContextItem } from "./context.ts";
import type { Snapshot } from "./effect.ts";
import type { Json } from "./json.ts";
import type { DecisionView, EntryView, Sight } from "./views.ts";
import type { ResolvedOutcome, Verdict } from "./words.ts";

/**
 * The causal chain of one decision, as its entries tell it: who asked, what decided, who allowed it, what was sent and what was seen.
 * Times are milliseconds since the epoch, digests SHA-256 in hex, credentials names. See docs/explain.md.
 */
export interface Explanation {
  readonly version: 1;
  /** How much of it was told; what this sight does not hold is `null` or not listed. */
  readonly sight: Sight;
  readonly decision: DecisionView;
  readonly asked: Asked;
  readonly versions: Versions;
  readonly evidence: Evidence;
  /** Where its effects may happen, such as `demo`. */
  readonly environment: string | null;
  readonly spent: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costMicros: number;
    readonly sends: number;
  };
  /** What became of each effect, by its index. */
  readonly effects: readonly ExplainedEffect[];
  readonly related: readonly RelatedDecision[];
  /** Every entry, in the order of what was committed. */
  readonly entries: readonly EntryView[];
}

/** Who asked, and for whom. */
export interface Asked {
  readonly by: string;
  readonly onBehalfOf: string | null;
  readonly roles: readonly string[];
  /** A keyed hash of the inputs. */
  readonly inputsHash: string | null;
}

/** What was in force when it was decided. `null` where it was not recorded. */
export interface Versions {
  readonly capability: string | null;
  /** Provider and id; `none` for a rule, `person:` and an id for an edit. */
  readonly model: string | null;
  readonly prompt: string | null;
  readonly policy: string | null;
  readonly calibration: string | null;
  readonly tools: string | null;
  readonly index: string | null;
}

/** What it was decided on. */
export interface Evidence {
  readonly contextDigest: string | null;
  readonly proposalDigest: string | null;
  /** Digest of a loop's trace. */
  readonly loopDigest: string | null;
  /** The passages, records, facts and memory that were loaded; `null` where this sight does not hold them or they were erased. */
  readonly items: readonly EvidenceItem[] | null;
}

export interface EvidenceItem {
  readonly id: string;
  readonly kind: ContextItem["kind"];
  readonly title: string;
  /** Of a passage's document. */
  readonly version: string | null;
  /** When a record left its system, and when a fact or memory was written down. */
  readonly readAt: number | null;
}

/** One effect from its signatures to its end. */
export interface ExplainedEffect {
  readonly index: number;
  readonly effect: string | null;
  readonly version: string | null;
  readonly sentence: string | null;
  readonly params: Json;
  readonly paramsDigest: string | null;
  readonly before: Snapshot;
  readonly beforeDigest: string | null;
  readonly expected: Snapshot;
  readonly key: string | null;
  readonly approvals: readonly ExplainedApproval[];
  readonly operations: readonly ExplainedOperation[];
  /** Attempts that came to nothing before anything was begun. */
  readonly refusals: readonly ExplainedRefusal[];
}

/** One signature: whose, for what exactly, until when, and what it came to. */
export interface ExplainedApproval {
  readonly approvalId: string;
  readonly entryId: string;
  readonly at: number;
  readonly by: string;
  readonly kind: "person" | "policy";
  readonly role: string | null;
  readonly scope: {
    readonly proposalDigest: string | null;
    readonly paramsDigest: string | null;
    readonly beforeDigest: string | null;
  };
  readonly expiresAt: number | null;
  /** The version of the policies in force, and the ids of those that let them sign; `null` and none where it was not recorded. */
  readonly policy: string | null;
  readonly policies: readonly string[];
  /** The fingerprint of the key that signed. */
  readonly keyId: string | null;
  readonly end: "open" | "consumed" | "joined" | "withdrawn" | "expired" | "refused";
}

export interface ExplainedRefusal {
  readonly entryId: string;
  readonly at: number;
  readonly code: string | null;
  readonly rule: string | null;
  readonly approvalId: string | null;
  /** The policies that refused it; none where none did. */
  readonly policies: readonly string[];
  /** Who tried, at the desk. */
  readonly by: string | null;
}

/** One operation: what was sent under which credential, what the target said, what was seen, and how it ended. */
export interface ExplainedOperation {
  readonly operationId: string;
  readonly generation: number | null;
  readonly approvalIds: readonly string[];
  readonly sends: readonly ExplainedSend[];
  readonly looks: readonly ExplainedLook[];
  readonly ends: readonly ExplainedEnd[];
}

export interface ExplainedSend {
  readonly entryId: string;
  readonly at: number;
  readonly attempt: number | null;
  /** Names in the vault, never values: of the credential that writes, and of the one that observes. */
  readonly credential: string | null;
  readonly observer: string | null;
  readonly environment: string | null;
  readonly fence: number | null;
  /** What the target answered; `null` where no answer came. */
  readonly response: { readonly at: number; readonly targetId: string | null } | null;
}

export interface ExplainedLook {
  readonly entryId: string;
  readonly at: number;
  readonly verdict: Verdict | null;
  readonly observed: Snapshot;
  readonly expected: Snapshot;
  readonly differs: readonly string[];
  readonly forbidden: readonly string[];
  /** Why nothing could be seen. */
  readonly fault: string | null;
  /** The operation of another decision that had made the same change. */
  readonly joins: string | null;
  /** What follows where it is to be undone, and why. */
  readonly next: "compensate" | null;
  readonly reason: string | null;
}

/** What ended an operation, or passed it on. */
export interface ExplainedEnd {
  readonly entryId: string;
  readonly at: number;
  readonly kind: "refused" | "escalated" | "compensated" | "resolved";
  readonly reason: string | null;
  /** Who is responsible where it was passed to a person. */
  readonly owner: string | null;
  /** The person who resolved it, or the decision that undid it. */
  readonly by: string | null;
  readonly outcome: ResolvedOutcome | null;
}

/** A decision that this one came from, or that came from it. */
export interface RelatedDecision {
  readonly how: "follows" | "supersedes" | "followed_by" | "superseded_by" | "undone_by";
  readonly decisionId: string;
}
