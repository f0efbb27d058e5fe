import { type Base, fewestSigns } from "./base.ts";
import type { Shaped } from "./marks.ts";

// Two numbers or codes with this many signs in common could be taken for one another.
const longest = 12;

/** By what a shape is remembered: of what is grouped by its beginnings, since more groups may stand behind it. */
export function keysOfShaped({ kind, key }: Shaped): readonly string[] {
  return kind === "number" || kind === "code" || kind === "count" ? beginningsOf(key) : [wholeKey(key)];
}

/** What a shape is found by: a hardware address has two signs to stand between its bytes. */
export function wholeKey(key: string): string {
  return key.startsWith("06") ? key.replaceAll("-", ":") : key;
}

/** The beginnings of what is grouped by which two of them are told apart. */
export function beginningsOf(key: string): string[] {
  const keys: string[] = [];
  for (let length = fewestSigns; length <= Math.min(longest, key.length); length += 1) keys.push(key.slice(0, length));
  return keys;
}

/** By what a base must differ from all others, and what others must not be drawn like. */
export function keysOfBase(
  base: Base,
  isInOrder: boolean,
): { readonly wanted: readonly string[]; readonly takes: readonly string[] } {
  switch (base.kind) {
    case "name":
      return { wanted: base.words, takes: base.words };
    case "email":
    case "address":
      return { wanted: [base.word], takes: [base.word] };
    case "phone":
    case "number":
    case "code": {
      const takes = beginningsOf(base.signs.toLowerCase());
      // Shorter ones are there as a whole, longer ones by each beginning.
      const whole = takes.slice(0, -1).map((key) => `${key}.`);
      return { wanted: [takes.at(-1) ?? "", ...whole], takes: [...takes, `${base.signs.toLowerCase()}.`] };
    }
    case "ip":
      return { wanted: [base.text], takes: [base.text] };
    case "mac":
      return { wanted: [base.bytes.join(":")], takes: [base.bytes.join(":")] };
    default:
      // In order two days cannot meet; the year is looked for in texts, so a foreign one is passed by where it can be.
      return isInOrder ? { wanted: [], takes: [] } : { wanted: [base.day, base.day.slice(0, 4)], takes: [base.day] };
  }
}
