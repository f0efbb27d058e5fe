import type { FactDraft, FactSource, FactsWritten, PredicateDraft } from "./fact.ts";
import type { KeptKind, MemoryScope } from "./memory.ts";

/** The decision that an effect is carried out for. */
export interface EffectDecision {
  readonly id: string;
  readonly capability: string;
  readonly requestedBy: string;
  readonly onBehalfOf: string | null;
}

/** Where knowledge is written: the tenant, and for facts the source that says so. */
export interface KeepingPlace {
  readonly tenant: string;
  readonly source: string;
}

/** A piece of memory of whom the decision was made for; of the tenant where labels are given. */
export interface Remembering {
  readonly tenant: string;
  readonly decision: EffectDecision;
  readonly of: KeptKind;
  readonly scope: MemoryScope;
  readonly session?: string;
  readonly about?: string;
  readonly text: string;
  readonly scopes?: readonly string[];
}

/**
 * What the hands of a declared effect may write of what the house itself knows; each call is a transaction of its own, and the same
 * call again changes nothing.
 */
export interface Keeper {
  readonly nameSource: (tenant: string, source: FactSource) => Promise<void>;
  readonly declarePredicates: (
    tenant: string,
    mapping: { readonly version: number; readonly predicates: readonly PredicateDraft[] },
  ) => Promise<void>;
  readonly writeFacts: (
    place: KeepingPlace,
    told: { readonly mapping: number; readonly facts: readonly FactDraft[] },
  ) => Promise<FactsWritten>;
  /**
   * What held before ends where the new fact begins, and one without an end ends where the next that is known begins. Throws
   * `bad_request` where it would reach over that.
   */
  readonly succeedFact: (
    place: KeepingPlace,
    told: { readonly mapping: number; readonly fact: FactDraft; readonly reason: string },
  ) => Promise<FactsWritten>;
  /**
   * What the fact of this id said is known no more; `instead`, where there is one, is known from now on. Gives the id of that one. Throws
   * `not_found` where it is not known (any more), unless this same correction closed it.
   */
  readonly correctFact: (
    tenant: string,
    told: { readonly id: string; readonly reason: string; readonly instead: FactDraft | null },
  ) => Promise<string | null>;
  /** Changes who may see the fact of this id and what it came in the place of, also as it was known before. Throws `not_found`. */
  readonly changeFactScopes: (tenant: string, told: { readonly id: string; readonly scopes: readonly string[] }) => Promise<void>;
  /** Removes all facts of an entity for good, also what was corrected. */
  readonly eraseFacts: (tenant: string, entity: string) => Promise<number>;
  /** Keeps it under the rule of the decision's capability; throws `definition_invalid` where that has none. */
  readonly remember: (remembering: Remembering) => Promise<string>;
  /** Forgets what is kept of a person, or about an entity. */
  readonly forget: (tenant: string, what: { readonly owner: string } | { readonly about: string }) => Promise<number>;
}

/** A fact as it stands, for a look after it was written. */
export interface StandingFact {
  readonly id: string;
  readonly object: string;
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly source: string;
  /** Labels that may see it. */
  readonly scopes: readonly string[];
}

/** What the hands of a declared effect may look at afterwards. */
export interface KeptSight {
  /** What is known of a subject as of an instant, in milliseconds since the epoch, whoever may see it. */
  readonly facts: (
    tenant: string,
    asked: { readonly subject: string; readonly predicate: string; readonly at: number },
  ) => Promise<readonly StandingFact[]>;
  /** The texts that are kept of one kind for the decision's own person, newest first. */
  readonly memory: (
    tenant: string,
    asked: { readonly of: KeptKind; readonly owner: string; readonly onBehalfOf: string | null; readonly about?: string },
  ) => Promise<readonly string[]>;
}
