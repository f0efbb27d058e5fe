import type { FieldUnits } from "./calculation.ts";
import type { Fact, FactNeed } from "./fact.ts";
import type { FoundPassages, Passage } from "./found-passages.ts";
import type { JsonObject } from "./json.ts";
import type { MemoryNeed, Remembered, RuledMemoryNeed } from "./memory.ts";
import type { Envelope } from "./principal.ts";
import type { ContextActivity } from "./retrieval.ts";
import type { FieldLabel } from "./words.ts";

export type { Passage } from "./found-passages.ts";
export type { FieldLabel } from "./words.ts";

/** What a capability declares that this one decision needs. */
export type Need =
  | {
      readonly kind: "passages";
      readonly name: string;
      readonly query: string;
      readonly limit: number;
      /** The refusal bar: with nothing at or above it the decision stops with `not_in_sources` before any model is called. */
      readonly minimumScore: number;
      /** Searches only the collection of this name. */
      readonly collection?: string;
      /** Searches only documents whose metadata hold all of these, by equality. */
      readonly metadata?: { readonly [key: string]: string };
      /** Searches drafts, archived and superseded documents too, and those that are not in force at the reference time. */
      readonly includeNotCurrent?: boolean;
    }
  | {
      readonly kind: "records";
      readonly name: string;
      readonly query: string;
      readonly params: JsonObject;
      /**
       * The greatest age of a row that is good enough when its query starts, in milliseconds; 0 takes only what is read for it.
       * An older row, as its connector tells, is `record_unavailable`.
       */
      readonly maxAgeMs: number;
    }
  | FactNeed
  | MemoryNeed;

/** A row of a system of record with the time it was read and who can write each field. */
export interface RecordRow {
  readonly kind: "record";
  readonly id: string;
  readonly need: string;
  readonly query: string;
  /** What a person reads as the source; the query's name where it has none. */
  readonly title?: string;
  readonly row: JsonObject;
  readonly labels: { readonly [field: string]: FieldLabel };
  /** What the numbers of its fields are in, as its query declares. */
  readonly units?: FieldUnits;
  /** Fields that are shown in part; what is left to see of them is no operand. */
  readonly masked?: readonly string[];
  /** When it left its system of record, as its query tells; else when the query started. */
  readonly readAt: number;
}

export type ContextItem = Passage | RecordRow | Fact | Remembered;

/** What `context_load` found, each item with its provenance. */
export interface LoadedContext {
  readonly items: readonly ContextItem[];
  /** SHA-256 over the canonical form of the items, in hex. */
  readonly digest: string;
  /** How they were found; left out where nobody looked, as in a replay of fixed items. */
  readonly activity?: ContextActivity;
}

/** The port to knowledge and records: permission is part of every query, time is a parameter. */
export interface Context {
  /** Finds passages that the envelope's scopes permit and that are current at its reference time, best first. */
  readonly findPassages: (need: Need & { kind: "passages" }, envelope: Envelope) => Promise<FoundPassages>;
  /** Runs a named record query under this half's own credential. */
  readonly readRecords: (need: Need & { kind: "records" }, envelope: Envelope) => Promise<readonly RecordRow[]>;
  /** Finds what was true at the need's reference time, as far as the envelope's scopes permit. */
  readonly readFacts: (need: FactNeed, envelope: Envelope) => Promise<readonly Fact[]>;
  /** Reads what is remembered within the capability's rule, as far as it is the principal's or the envelope's scopes permit. */
  readonly recall: (need: RuledMemoryNeed, envelope: Envelope) => Promise<readonly Remembered[]>;
}

/** The rows that one need brought. */
export function rowsOf(context: LoadedContext, need: string): readonly RecordRow[] {
  return context.items.filter((item) => item.kind === "record" && item.need === need) as RecordRow[]; // filtered by kind
}

/** The passages that one need brought. */
export function passagesOf(context: LoadedContext, need: string): readonly Passage[] {
  return context.items.filter((item) => item.kind === "passage" && item.need === need) as Passage[]; // filtered by kind
}

/** The facts that one need brought. */
export function factsOf(context: LoadedContext, need: string): readonly Fact[] {
  return context.items.filter((item) => item.kind === "fact" && item.need === need) as Fact[]; // filtered by kind
}

/** The memory that one need brought. */
export function memoryOf(context: LoadedContext, need: string): readonly Remembered[] {
  return context.items.filter((item) => item.kind === "memory" && item.need === need) as Remembered[]; // filtered by kind
}

/** Says whether facts that contradict each other are in the context. */
export function holdsConflict(context: LoadedContext): boolean {
  return context.items.some((item) => item.kind === "fact" && item.isInConflict);
}

/** Says whether text that outsiders can write is in the context. */
export function holdsUntrustedText(context: LoadedContext): boolean {
  return context.items.some((item) => {
    // What a model once said of outsiders' words is in memory too.
    if (item.kind === "passage" || item.kind === "memory") return true;
    if (item.kind === "fact") return isOutsiders(item.label);
    return Object.keys(item.row).some((field) => isOutsiders(labelOf(item, field)));
  });
}

function isOutsiders(label: FieldLabel): boolean {
  return label === "third" || label === "shared";
}

/** Who can write a field of a row; one that is not declared counts as `third`, also where its name is that of an object's own member. */
export function labelOf({ labels }: Pick<RecordRow, "labels">, field: string): FieldLabel {
  return (Object.hasOwn(labels, field) ? labels[field] : undefined) ?? "third";
}
