import type { AnyCase, EventRule } from "./case.ts";
import type { Json } from "./json.ts";
import type { PolicyRuling, Principal } from "./principal.ts";

/** Who would see a case, and what of it matters for that. */
export interface CaseSeeing {
  readonly principal: Principal;
  /** Whose case it is. */
  readonly tenant: string;
  readonly startedBy: string;
  readonly onBehalfOf: string | null;
  /** Roles that may tell it something. */
  readonly tellers: readonly string[];
}

/** How much of a case somebody reads: `whole`, or `progress`, which is everything but what it holds. */
export type CaseSight = "whole" | "progress";

/** What policy rules on of cases. */
export interface CaseRules {
  readonly mayStart: (principal: Principal, one: Pick<AnyCase, "name" | "openTo">) => PolicyRuling;
  readonly mayTell: (seeing: CaseSeeing, rule: Pick<EventRule, "by" | "notByStarter">) => PolicyRuling;
  /** Whether this person may have a step of a case begun again. */
  readonly mayRetry: (principal: Principal) => PolicyRuling;
  /** `null` is nothing at all. */
  readonly caseSightOf: (seeing: CaseSeeing) => CaseSight | null;
  /** Whether this principal sees every case of the tenant in whole. */
  readonly seesEveryCase: (principal: Principal) => boolean;
}

/** What a case waits for. */
export type CaseWaits =
  | { readonly kind: "decision"; readonly decisionId: string | null }
  | { readonly kind: "event"; readonly events: readonly string[]; readonly until: number | null }
  | { readonly kind: "cases" }
  /** Nobody but a person moves it: `retry` has the step begun again, or looked at again. */
  | { readonly kind: "person" }
  /** A worker, within a moment. */
  | { readonly kind: "worker" };

/** One move of a case: the step that was entered, and the hand-off edge that led there. */
export interface CaseMoveView {
  readonly place: number;
  readonly kind: "entered" | "escalated" | "migrated" | "resumed";
  readonly version: string;
  readonly step: string;
  readonly from: string | null;
  /** How the step that was left ended: a word for its decision, `event:` with a name, `time`, `joined`. */
  readonly outcome: string | null;
  readonly decisionId: string | null;
  readonly code: string | null;
  readonly at: number;
}

/** A case as somebody may read it; times in milliseconds since the epoch, by the store's clock. */
export interface CaseView {
  readonly id: string;
  readonly tenant: string;
  readonly case: string;
  readonly version: string;
  readonly key: string;
  readonly state: "running" | "escalated" | "ended";
  /** The word of its end. */
  readonly outcome: string | null;
  readonly isFailure: boolean;
  readonly step: string;
  readonly waitsFor: CaseWaits | null;
  readonly owner: string;
  readonly startedBy: string;
  readonly onBehalfOf: string | null;
  readonly startedAt: number;
  readonly deadlineAt: number | null;
  /** Why it was left to its owner; `null` where it was not. */
  readonly code: string | null;
  /** The case that it is a part of. */
  readonly parentId: string | null;
  /** What it holds; `null` where this is not this reader's to see, or cannot be read. */
  readonly data: Json;
  readonly moves: readonly CaseMoveView[];
  readonly parts: readonly {
    readonly id: string;
    readonly name: string;
    readonly case: string;
    readonly state: CaseView["state"];
  }[];
}

/** A case in a list. */
export type CaseLine = Omit<CaseView, "data" | "moves" | "parts">;
