import type { Json } from "../../contract/json.ts";

/**
 * Reads JSON without losing digits: a whole number beyond 2^53, which a double would change, stays the text of its digits, so that a schema of
 * numbers refuses it and a schema of texts has all of it. Throws `SyntaxError` for what is no JSON.
 */
export function readJson(text: string): Json {
  // The third argument is of ES2026 and not in the types yet.
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, revive) as Json; // what `JSON.parse` gives is JSON
}

/** Says whether a text stands in a value or a key of JSON, however it was escaped there. */
export function holdsText(json: Json, text: string): boolean {
  const left: Json[] = [json];
  // A stack of its own: how deep an answer goes is its sender's choice.
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== "object" || one === null) {
      if (String(one).includes(text)) return true;
      continue;
    }
    for (const [key, value] of Object.entries(one)) {
      if (key.includes(text)) return true;
      left.push(value);
    }
  }
  return false;
}
