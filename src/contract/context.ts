import type { JsonObject } from "./json.ts";
import type { Envelope } from "./principal.ts";

/** Who can write into a field of a record; an undeclared field is `third`. */
export type FieldLabel = "own" | "directory" | "system" | "shared" | "third" | "secret";

/** What a capability declares that this one decision needs. */
export type Need =
  | {
      readonly kind: "passages";
      readonly name: string;
      readonly query: string;
      readonly limit: number;
      /** The refusal bar: with nothing at or above it the decision stops with `not_in_sources` before any model is called. */
      readonly minimumScore: number;
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
    };

/** A piece of retrieved text. Its text is data, never instructions. */
export interface Passage {
  readonly kind: "passage";
  readonly id: string;
  readonly need: string;
  readonly document: string;
  readonly title: string;
  readonly version: string;
  readonly section: string;
  readonly text: string;
  readonly score: number;
}

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
  /** When it left its system of record, as its query tells; else when the query started. */
  readonly readAt: number;
}

export type ContextItem = Passage | RecordRow;

/** What `context_load` found, each item with its provenance. */
export interface LoadedContext {
  readonly items: readonly ContextItem[];
  /** SHA-256 over the canonical form of the items, in hex. */
  readonly digest: string;
}

/** The port to knowledge and records: permission is part of every query, time is a parameter. */
export interface Context {
  /** Finds passages that the envelope's scopes permit and that are current at its reference time, best first. */
  readonly findPassages: (need: Need & { kind: "passages" }, envelope: Envelope) => Promise<readonly Passage[]>;
  /** Runs a named record query under this half's own credential. */
  readonly readRecords: (need: Need & { kind: "records" }, envelope: Envelope) => Promise<readonly RecordRow[]>;
}

/** The rows that one need brought. */
export function rowsOf(context: LoadedContext, need: string): readonly RecordRow[] {
  return context.items.filter((item) => item.kind === "record" && item.need === need) as RecordRow[]; // filtered by kind
}

/** The passages that one need brought. */
export function passagesOf(context: LoadedContext, need: string): readonly Passage[] {
  return context.items.filter((item) => item.kind === "passage" && item.need === need) as Passage[]; // filtered by kind
}

/** Says whether text that outsiders can write is in the context. */
export function holdsUntrustedText(context: LoadedContext): boolean {
  return context.items.some((item) => {
    if (item.kind === "passage") return true;
    return Object.keys(item.row).some((field) => ["third", "shared"].includes(labelOf(item, field)));
  });
}

/** Who can write a field of a row; one that is not declared counts as `third`, also where its name is that of an object's own member. */
export function labelOf({ labels }: Pick<RecordRow, "labels">, field: string): FieldLabel {
  return (Object.hasOwn(labels, field) ? labels[field] : undefined) ?? "third";
}
