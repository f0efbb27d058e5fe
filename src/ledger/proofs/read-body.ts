import { canonicalJson, type Json } from "../../contract/json.ts";

/** What an entry's bytes say of themselves. */
export interface BodyHead {
  readonly id: unknown;
  readonly tenant: unknown;
}

/** Deeper than any entry; other programs end at depths of their own, and all must say the same of the same bytes. */
const deepest = 256;

/** Reads an entry's bytes where they are canonical JSON (RFC 8785) with integers only, as entries are written; `null` where not. */
export function readBody(bytes: string): BodyHead | null {
  try {
    // `JSON.parse` returns plain JSON.
    const value = JSON.parse(bytes) as Json;
    if (typeof value !== "object" || value === null || !("id" in value) || !("tenant" in value)) return null;
    const order = orderOf(value, 0);
    if (order === "fraction" || !isSpelled(value, { bytes, isInOrder: order === "in order" })) return null;
    return { id: value.id, tenant: value.tenant };
  } catch {
    return null;
  }
}

// Where the members stand in order already, writing them as they stand is enough, and takes half the time. What is escaped as `\u` may be a
// character that entries do not hold; the careful way knows which.
function isSpelled(value: Json, { bytes, isInOrder }: { bytes: string; isInOrder: boolean }): boolean {
  const isPlain = isInOrder && !bytes.includes("\\u");
  return (isPlain ? JSON.stringify(value) : canonicalJson(value)) === bytes;
}

type Order = "in order" | "out of order" | "fraction";

/** Whether the members stand in the order of RFC 8785 all the way down, and all numbers are integers. */
function orderOf(value: Json, depth: number): Order {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "in order" : "fraction";
  if (typeof value !== "object" || value === null) return "in order";
  if (depth >= deepest) return "fraction";
  return Array.isArray(value) ? orderOfAll(value, depth) : orderOfRecord(value as { readonly [name: string]: Json }, depth); // an object that is no list
}

function orderOfAll(list: readonly Json[], depth: number): Order {
  let order: Order = "in order";
  for (const one of list) {
    const below = orderOf(one, depth + 1);
    if (below === "fraction") return below;
    if (below !== "in order") order = below;
  }
  return order;
}

function orderOfRecord(record: { readonly [name: string]: Json }, depth: number): Order {
  let order: Order = "in order";
  let last: string | null = null;
  for (const name of Object.keys(record)) {
    const below = orderOf(record[name] ?? null, depth + 1);
    if (below === "fraction") return below;
    if (below !== "in order" || (last !== null && name <= last)) order = "out of order";
    last = name;
  }
  return order;
}
