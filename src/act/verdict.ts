import type { Snapshot } from "../contract/effect.ts";
import { canonicalJson, type Json, type JsonObject } from "../contract/json.ts";
import type { Verdict } from "../contract/words.ts";
import { isFieldWithin, isWithin, type Tolerances } from "./tolerance.ts";

/** What a separate read is compared with. */
export interface Seen {
  readonly before: Snapshot;
  /** The exact state after, by the names of the fields. */
  readonly expected: JsonObject;
  /** Fields that may change beside the expected ones. */
  readonly mayChange: readonly string[];
  readonly observed: Snapshot;
  /** Numbers of the state before that may have moved since they were approved. */
  readonly tolerance?: Tolerances;
}

/** What the read says: a verdict, and whether the thing is exactly as it was before. */
export interface Judged {
  readonly verdict: Exclude<Verdict, "unknown">;
  readonly isAsBefore: boolean;
  /** The fields that are not as expected. */
  readonly differs: readonly string[];
  /** The fields that changed and must not have. */
  readonly forbidden: readonly string[];
}

/**
 * Compares what was observed with what must be true. `complete`: every expected field is exact and nothing else changed.
 * `failed`: a field changed that must not. `incomplete`: anything else. A field that was not there before and now is has changed.
 */
export function judgeObserved({ before, expected, mayChange, observed, tolerance = {} }: Seen): Judged {
  // What is to change is as before only where it is exactly so: less than the tolerance is a change too.
  const unexpected = Object.fromEntries(Object.entries(tolerance).filter(([field]) => !Object.hasOwn(expected, field)));
  const isAsBefore = isWithin({ approved: before, found: observed, tolerance: unexpected });
  const differs = Object.keys(expected).filter((field) => !same(fieldOf(observed, field), fieldOf(expected, field)));
  const free = new Set([...Object.keys(expected), ...mayChange]);
  const forbidden = fieldsOf(before, observed).filter(
    (field) =>
      !free.has(field) && !isFieldWithin({ field, approved: fieldOf(before, field), found: fieldOf(observed, field), tolerance }),
  );
  return { verdict: verdictOf({ observed, before, differs, forbidden }), isAsBefore, differs, forbidden };
}

function verdictOf({
  observed,
  before,
  differs,
  forbidden,
}: Pick<Seen, "observed" | "before"> & Pick<Judged, "differs" | "forbidden">): Judged["verdict"] {
  // A thing that is gone lost every field; whether that was expected cannot be said by fields, so it is never complete.
  if (observed === null) return before === null ? "incomplete" : "failed";
  if (forbidden.length > 0) return "failed";
  return differs.length === 0 ? "complete" : "incomplete";
}

function fieldsOf(before: Snapshot, observed: Snapshot): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(observed ?? {})])];
}

/** Own members only; a field that is not there is `undefined`, which differs from `null`. */
function fieldOf(snapshot: Snapshot, field: string): Json | undefined {
  return snapshot !== null && Object.hasOwn(snapshot, field) ? snapshot[field] : undefined;
}

function same(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}
