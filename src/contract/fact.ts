import type { FieldLabel } from "./words.ts";

/** How far a walk along relations goes: at most six steps. */
export const maxFactSteps = 6;
/** Most facts that one question brings, and most that a walk takes along in one step. */
export const maxFacts = 100;

/** What a capability asks of the facts: what was true of a subject at the reference time. */
export interface FactNeed {
  readonly kind: "facts";
  readonly name: string;
  /** The id of the entity that is asked about, such as `employee:e-17`. */
  readonly subject: string;
  /** The predicates that are asked for and walked along. */
  readonly predicates: readonly string[] | "all";
  /** The reference time, in milliseconds since the epoch: the envelope's clock or what the request names, never a model's. */
  readonly at: number;
  /** As it was known then, in milliseconds since the epoch; as it is known now where it is left out. */
  readonly asKnownAt?: number;
  /** How many relations are followed from the subject, 1 to 6. With 1 only its own facts are found, which is what is meant if it is left out. */
  readonly steps?: number;
  /** Most facts that are found, and most that a walk takes along in one step: 1 to 100. */
  readonly limit: number;
  /** With nothing found the decision stops with `not_in_sources`, before any model is called. */
  readonly isRequired: boolean;
}

/** A statement that is true within a window, as a decision is handed it. */
export interface Fact {
  readonly kind: "fact";
  readonly id: string;
  readonly need: string;
  readonly subject: string;
  readonly predicate: string;
  /** A value, or the id of another entity. */
  readonly object: string;
  /** True from this instant on, in milliseconds since the epoch. */
  readonly validFrom: number;
  /** And before this one; until further notice where it is `null`. */
  readonly validTo: number | null;
  /** The reference time that was asked for. */
  readonly at: number;
  /** When it was written down here, in milliseconds since the epoch. */
  readonly learntAt: number;
  readonly source: string;
  /** What a person reads as the source. */
  readonly sourceTitle: string;
  /** Who can write into the source. */
  readonly label: FieldLabel;
  /** The zone in which the source writes its dates. */
  readonly zone: string;
  readonly mappingVersion: number;
  /** A value of a later time is known, which does not apply at the reference time. */
  readonly hasLater: boolean;
  /** The predicate has one value at a time, and here are several: none of them is taken without a person. */
  readonly isInConflict: boolean;
  /** The ids of the facts that lead here from the subject, this one last. */
  readonly path: readonly string[];
  /** There are more than were asked for; the list is not all. */
  readonly isCutOff: boolean;
}

/** What a predicate means: one value at a time or several, and whether its objects are entities that a walk may go on from. */
export interface PredicateDraft {
  readonly name: string;
  readonly values: "one" | "many";
  readonly objects: "value" | "entity";
}

/** Where facts come from. Its zone is that of dates which it writes without an offset. */
export interface FactSource {
  readonly name: string;
  readonly title: string;
  /** An IANA name, such as `Europe/Berlin`. */
  readonly zone: string;
  /** Who can write into it; what outsiders can write into is `third` or `shared`. */
  readonly label: FieldLabel;
}

/** A fact as it is written: dates as its source writes them, or instants in milliseconds since the epoch. */
export interface FactDraft {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly validFrom: string | number;
  /** `null` for until further notice. */
  readonly validTo: string | number | null;
  /** The source means the whole year, month or day that `validTo` names; not included where it is left out. */
  readonly validToIsIncluded?: boolean;
  /** Labels that may see it; at least one. */
  readonly scopes: readonly string[];
}

/** The ids of facts that were written, and of those that stood there already, word for word. */
export interface FactsWritten {
  readonly written: readonly string[];
  readonly known: readonly string[];
}
