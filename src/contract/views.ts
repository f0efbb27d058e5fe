import type { Snapshot } from "./effect.ts";
import type { Json } from "./json.ts";
import type { Claim, DroppedClaim, Source } from "./proposal.ts";
import type {
  Dedupe,
  EntryKind,
  HaltScope,
  ResolvedOutcome,
  Risk,
  Route,
  RoutingRule,
  SideEffect,
  StopReason,
  Verdict,
  WriterRole,
} from "./words.ts";

/** Where a decision stands for the person who asked; the words of the console are made from it. */
export const decisionStates = [
  "answered",
  "not_in_sources",
  "stopped",
  "rejected_by_checks",
  "waiting",
  /** Nothing was proposed, and a person has to decide it elsewhere: nothing can be signed, and a rejection with a reason ends it. */
  "needs_person",
  "rejected_by_person",
  /** A person edited it: the decision of `supersededBy` stands in its place. */
  "superseded",
  "waiting_for_policy",
  "signed",
  "applying",
  "done",
  "incomplete",
  "failed",
  "unknown",
  /** It went wrong, and what undoes it is proposed as a decision of its own. */
  "compensating",
  /** It went wrong, and that it was undone was seen. */
  "compensated",
  "escalated",
  "refused",
  "expired",
  /** It waited when its capability got another version. */
  "void",
] as const;
export type DecisionState = (typeof decisionStates)[number];

/**
 * How much of a decision somebody reads: `requester` what became of what they asked for, `reviewer` besides what they are to sign and
 * the evidence for it, `auditor` everything that was kept, replies of models included.
 */
export type Sight = "requester" | "reviewer" | "auditor";

/** Why a proposal cannot be approved, whoever looks at it: its payload does not decrypt, was erased, or is of another version. */
export type Obstacle = "payload_unreadable" | "payload_erased" | "capability_changed";

/** A person has taken a waiting decision up; the answers of others are refused until then. */
export interface Taken {
  readonly by: string;
  readonly until: number;
}

/** What a person said became of an operation that was left to people. */
export interface ResolutionView {
  readonly outcome: ResolvedOutcome;
  readonly by: string;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly at: number;
  /** The acting half has carried it out. */
  readonly isDone: boolean;
}

/** An emergency stop that stands: nothing of its scope is applied until it is lifted. */
export interface HaltView {
  readonly scope: HaltScope;
  /** The effect or the capability; for the tenant `*`. */
  readonly name: string;
  readonly by: string;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly at: number;
  readonly reason: string;
}

/** One effect of a decision with what is known of it. "Done" is said only on the verdict `complete`. */
export interface EffectView {
  readonly index: number;
  readonly effect: string;
  readonly sentence: string;
  readonly params: Json;
  readonly before: Snapshot;
  readonly expected: Snapshot;
  readonly sources: { readonly [pointer: string]: Source };
  readonly risk: Risk;
  readonly sideEffect: SideEffect;
  readonly reversible: boolean;
  readonly state:
    | "proposed"
    /** One of two has signed: nothing starts before the second. */
    | "half_signed"
    | "signed"
    | "not_started"
    | "applying"
    | "applied"
    | "complete"
    | "incomplete"
    | "failed"
    | "unknown"
    | "compensating"
    | "compensated"
    | "escalated"
    | "refused";
  readonly verdict: Verdict | null;
  readonly observed: Snapshot;
  /** Who has signed and not withdrawn, in that order. */
  readonly signedBy: readonly string[];
  /** How many people it takes. */
  readonly signaturesNeeded: number;
  /** The id of the last approver; for policy the id of the policy. */
  readonly approvedBy: string | null;
  readonly approverKind: "person" | "policy" | null;
  readonly operationId: string | null;
  readonly refusedCode: string | null;
  readonly dedupe: Dedupe | null;
  /** The effect by which it is undone where it goes wrong; `null` where nothing undoes it. */
  readonly undoneBy: string | null;
  /** Within how long after it was sent it must be seen, in milliseconds; `null` where its effect is not known here. */
  readonly seenWithinMs: number | null;
  /** What a person said became of it, after it was left to people; the newest word where there were several. */
  readonly resolution: ResolutionView | null;
  /** What may be said of it now by a person who may: nothing where it was not left to people, or was ended before. */
  readonly resolvable: readonly ResolvedOutcome[];
  /** By which emergency stop nothing of it is sent just now. */
  readonly stopped: HaltScope | null;
}

/**
 * One decision as its requester, a reviewer or an auditor sees it. The ids are those of the store, everywhere.
 * To its requester `summary`, `claims`, `droppedClaims` and `refusal` are empty where they were not released (not verified, or waiting
 * for review before delivery), `effects` where they were not verified; and `stop.detail` repeats nothing that a model wrote.
 */
export interface DecisionView {
  readonly id: string;
  readonly entryId: string;
  readonly tenant: string;
  readonly capability: string;
  readonly capabilityVersion: string;
  readonly requestedBy: string;
  /** What was asked in free text, where the capability keeps its inputs and they were not erased. */
  readonly request: string | null;
  /** The decision that this one follows, such as intake's pick. */
  readonly follows: string | null;
  readonly at: number;
  readonly state: DecisionState;
  readonly route: Route | null;
  readonly rule: RoutingRule | null;
  readonly loweredBy: readonly RoutingRule[];
  readonly confidencePpm: number | null;
  readonly thresholdPpm: number | null;
  readonly verified: boolean | null;
  /** The capability's own word for what was decided; for intake the capability that it picked. */
  readonly label: string | null;
  readonly model: string;
  /** The model's replies came from a script, not from a model. */
  readonly isScripted: boolean;
  readonly stop: { readonly reason: StopReason; readonly node: string; readonly detail: string } | null;
  readonly summary: string | null;
  readonly refusal: string | null;
  readonly claims: readonly Claim[];
  readonly droppedClaims: readonly DroppedClaim[];
  readonly effects: readonly EffectView[];
  readonly proposalDigest: string | null;
  /** What stands in the way of an approval; `null` where nothing does, or nothing waits. */
  readonly obstacle: Obstacle | null;
  /** The person who decided in a model's place by editing the proposal that this decision supersedes. */
  readonly editedBy: string | null;
  /** The decision that a person's edit put in the place of this one. */
  readonly supersededBy: string | null;
  /** Who has it to themselves, and until when (milliseconds, by the store's clock); told to reviewers alone. */
  readonly taken: Taken | null;
  /** When what waits ends without an answer, in milliseconds by the store's clock; `null` where nothing waits for a person. */
  readonly expiresAt: number | null;
}

/** One entry of a decision's story, in the order of what was committed. */
export interface EntryView {
  readonly id: string;
  readonly kind: EntryKind;
  readonly ts: number;
  readonly writer: WriterRole;
  readonly cause: string | null;
  /** Its place in the tenant's chain; `null` until it is sealed. */
  readonly seq: number | null;
  readonly body: Json;
}

/** What a request in free text led to: a decision of the capability that intake picked, or a question back. */
export type AskView =
  | { readonly kind: "decided"; readonly intake: DecisionView; readonly decision: DecisionView }
  | { readonly kind: "asked_back"; readonly intake: DecisionView; readonly question: string };
