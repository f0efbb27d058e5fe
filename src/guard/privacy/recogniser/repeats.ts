import type { Span } from "./span.ts";
import { plainWord, type Tokens } from "./tokens.ts";
import { bitOf, type Lexicon } from "./word-reading.ts";

/** Shortest part of a name that counts by itself. */
const shortest = 3;

/**
 * Finds where a part of a found person's name stands by itself in the same text. It counts as it is written there, with a capital, and only
 * where it is no ordinary word.
 */
export function repeatsOf(tokens: Tokens, { found, lexicon }: { found: readonly Span[]; lexicon: Lexicon }): readonly Span[] {
  const taken = new Uint8Array(tokens.count);
  const parts = new Set<string>();
  for (const { kind, from, to } of found) {
    taken.fill(1, from, to);
    if (kind !== "person") continue;
    for (let at = from; at < to; at += 1) parts.add(wordAt(tokens, at));
  }
  for (const part of parts) if (!tells(part, lexicon)) parts.delete(part);
  if (parts.size === 0) return [];
  const repeats: Span[] = [];
  for (let at = 0; at < tokens.count; at += 1)
    if (taken[at] === 0 && parts.has(wordAt(tokens, at))) repeats.push({ kind: "person", from: at, to: at + 1 });
  return repeats;
}

function wordAt({ text, starts, ends }: Tokens, at: number): string {
  return text.slice(starts[at], ends[at]);
}

function tells(part: string, lexicon: Lexicon): boolean {
  if (part.length < shortest || part.toLowerCase() === part) return false;
  return (lexicon.classOf(plainWord(part)) & (bitOf("common") | bitOf("foreign"))) === 0;
}
