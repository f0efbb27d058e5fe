import type { Json } from "../contract/json.ts";

/** What a value holds at most, before it is checked against any schema. */
const maxDepth = 200;

/** What was seen of a value that is plain JSON, or why it is none. */
export type Inspected =
  | { readonly kind: "plain"; readonly value: Json; readonly longestText: number }
  | { readonly kind: "refused"; readonly problem: string };

/** Looks at all of a value: whether it is plain JSON of bearable depth, and how long its longest text is, in UTF-16 code units. */
export function inspectJson(value: unknown): Inspected {
  const seen = { longestText: 0 };
  const problem = problemOf(value, { depth: 0, seen });
  // Every member was looked at.
  return problem === null ? { kind: "plain", value: value as Json, longestText: seen.longestText } : { kind: "refused", problem };
}

function problemOf(value: unknown, { depth, seen }: { depth: number; seen: { longestText: number } }): string | null {
  if (value === null || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : "holds a number that JSON cannot write";
  if (typeof value === "string") {
    seen.longestText = Math.max(seen.longestText, value.length);
    return null;
  }
  if (typeof value !== "object") return `holds a ${typeof value}, which is not JSON`;
  if (depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`;
  if (!isPlain(value)) return "holds an object that is not plain JSON";
  const within = { depth: depth + 1, seen };
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    const problem = problemOf(member, within);
    if (problem !== null) return problem;
  }
  return null;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A text that two JSON values share where they are equal: `1` and `1.0` are, whatever the order of keys. */
export function equalityKey(value: Json): string {
  if (typeof value === "number") return String(value + 0);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(equalityKey).join()}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${equalityKey(value[key] ?? null)}`).join()}}`;
}

/** `Array.isArray`, for readonly lists. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is an object of JSON, so neither `null` nor a list. */
export function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is of a type as JSON Schema names it. */
export function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return isList(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Whether a number is a whole multiple of another above 0, in decimal: 0.0075 is one of 0.0001. */
export function isMultipleOf(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [a, b] = [decimal(value), decimal(step)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** A finite number as it is written, without a loss. */
function decimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
