import type { Json } from "../../contract/json.ts";
import type { Where } from "../../contract/plan.ts";
import { sameValues } from "./same-values.ts";

/** One condition on one record. A number is compared with numbers alone, text with text alone. */
export function holds({ is }: Where, field: Json | undefined, value: Json): boolean {
  if (field === undefined) return false;
  switch (is) {
    case "equals":
      return sameValues(field, value, false);
    case "in":
      return Array.isArray(value) && value.some((one) => sameValues(field, one, false));
    case "not_in":
      return Array.isArray(value) && !value.some((one) => sameValues(field, one, false));
    case "contains":
      if (Array.isArray(field)) return field.some((one) => sameValues(one, value, false));
      return typeof field === "string" && typeof value === "string" && field.toLowerCase().includes(value.toLowerCase());
    case "starts_with":
      return typeof field === "string" && typeof value === "string" && field.toLowerCase().startsWith(value.toLowerCase());
    default: {
      const order = compare(field, value);
      if (order === undefined) return false;
      return { less_than: order < 0, greater_than: order > 0, at_least: order >= 0, at_most: order <= 0 }[is];
    }
  }
}

function compare(left: Json, right: Json): number | undefined {
  const [a, b] = [sizeOf(left), sizeOf(right)];
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What is compared: a list counts as its length. */
function sizeOf(value: Json): Json {
  return Array.isArray(value) ? value.length : value;
}

/** The records whose value is greatest or least; several where several are alike, and then none is meant alone. */
export function best(
  records: readonly string[],
  order: "greatest" | "least",
  sizeAt: (record: string) => Json | undefined,
): readonly string[] {
  const sign = order === "greatest" ? 1 : -1;
  let top: string[] = [];
  let known: Json | undefined;
  for (const record of records) {
    const value = sizeAt(record);
    const order = value === undefined || known === undefined ? 0 : compare(value, known);
    // A record without the value, or with one of another kind, leaves open which is best.
    if (value === undefined || order === undefined) return [];
    if (known === undefined || order * sign > 0) [top, known] = [[record], value];
    else if (order === 0) top.push(record);
  }
  return top;
}
