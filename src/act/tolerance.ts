import type { Effect, Snapshot } from "../contract/effect.ts";
import { canonicalJson, type Json } from "../contract/json.ts";
import { onePpm } from "../contract/words.ts";

/** Numbers by field that may have moved since they were approved. */
export type Tolerances = NonNullable<Effect["before"]["tolerance"]>;

/** Says whether what was found is what was approved: the same fields, numbers within their tolerance, everything else exactly. Pure. */
export function isWithin({
  approved,
  found,
  tolerance,
}: {
  approved: Snapshot;
  found: Snapshot;
  tolerance: Tolerances;
}): boolean {
  if (approved === null || found === null) return approved === found;
  const fields = new Set([...Object.keys(approved), ...Object.keys(found)]);
  return [...fields].every((field) =>
    isFieldWithin({ field, approved: ownOf(approved, field), found: ownOf(found, field), tolerance }),
  );
}

/** The same for one field; a field that is not there is within nothing but its own absence. */
export function isFieldWithin({
  field,
  approved,
  found,
  tolerance,
}: {
  field: string;
  approved: Json | undefined;
  found: Json | undefined;
  tolerance: Tolerances;
}): boolean {
  if (approved === undefined || found === undefined) return approved === found;
  const allowed = Object.hasOwn(tolerance, field) ? tolerance[field] : undefined;
  if (allowed !== undefined && typeof approved === "number" && typeof found === "number")
    return Math.abs(found - approved) * onePpm <= Math.abs(approved) * allowed.ppm;
  return canonicalJson(approved) === canonicalJson(found);
}

function ownOf(snapshot: NonNullable<Snapshot>, field: string): Json | undefined {
  return Object.hasOwn(snapshot, field) ? snapshot[field] : undefined;
}
