import { CountersignError } from "../contract/errors.ts";

/** Deeper than any schema of ours, and far from where recursion ends. */
const deepest = 64;

/** Strings, and the characters that open, close and part. Everything else in valid JSON says nothing about its shape. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/**
 * Refuses what two readers would read differently, or could not read at all: a key twice in one object, the key `__proto__`, and
 * values nested deeper than 64. The text is valid JSON. Throws `bad_json`.
 */
export function refuseAmbiguous(text: string): void {
  // The keys of each open object; `null` for an open list.
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  for (const [token] of text.matchAll(tokens)) {
    if (isKey && token.startsWith('"')) addKey(open.at(-1), token);
    nest(open, token);
    // A key stands after what opens an object, or after a comma in one.
    isKey = token === "{" || (token === "," && open.at(-1) instanceof Set);
  }
}

function nest(open: (Set<string> | null)[], token: string): void {
  if (token === "}" || token === "]") open.pop();
  if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
  if (open.length > deepest) throw refused(`values nested deeper than ${deepest}`);
}

function addKey(keys: Set<string> | null | undefined, token: string): void {
  const key = String(JSON.parse(token));
  if (key === "__proto__") throw refused("the key `__proto__`");
  if (keys?.has(key)) throw refused("a key twice in one object");
  keys?.add(key);
}

function refused(what: string): CountersignError {
  return new CountersignError("bad_json", `the body holds ${what}; send plain JSON that everybody reads alike`);
}
