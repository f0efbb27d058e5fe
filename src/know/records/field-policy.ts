import type { FieldPolicy, Mask } from "../../contract/field-policy.ts";
import { type Json, type JsonObject, leavesOf } from "../../contract/json.ts";

/** A row as it is shown, and the texts of what is hidden of it. */
export interface ShownRow {
  readonly row: JsonObject;
  readonly hidden: readonly string[];
  /** The fields that are there and covered. */
  readonly masked: readonly string[];
}

/** Leaves out and masks what the policy of a query says, and gives what it hid for those who look that it comes out nowhere. */
export function showRow(row: JsonObject, policy: FieldPolicy): ShownRow {
  const shown: { [field: string]: Json } = {};
  const hidden: string[] = [];
  const covered: string[] = [];
  for (const [field, value] of Object.entries(row)) {
    const rule = Object.hasOwn(policy, field) ? policy[field] : undefined;
    if (rule === undefined) shown[field] = value;
    else hidden.push(...textsOf(value));
    if (rule === undefined || rule === "exclude") continue;
    shown[field] = value === null ? null : masked(value, rule.mask);
    covered.push(field);
  }
  return { row: shown, hidden, masked: covered };
}

/** The texts of a value that somebody could repeat; truth values and nothing are no secrets of their own. */
export function textsOf(value: Json): readonly string[] {
  return leavesOf(value).flatMap((leaf) =>
    typeof leaf.value === "string" || typeof leaf.value === "number" ? [String(leaf.value)] : [],
  );
}

const cover = "***";

function masked(value: Json, mask: Mask): string {
  if (typeof value === "object" || typeof value === "boolean") return cover;
  const text = String(value);
  switch (mask) {
    case "all":
      return cover;
    case "last_four":
      // Of a short value four characters would be most of it.
      return text.length < 8 ? cover : cover + text.slice(-4);
    case "domain": {
      const [, domain] = /^[^@]+@([^@]+)$/.exec(text) ?? [];
      return domain === undefined ? cover : `${cover}@${domain}`;
    }
  }
}
