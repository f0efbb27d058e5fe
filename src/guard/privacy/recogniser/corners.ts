import type { Span } from "./span.ts";
import type { Tokens } from "./tokens.ts";

const nouns = new Set(["corner", "intersection", "junction", "esquina", "ecke", "angle", "angolo", "hoek"]);
const links = new Set(["of", "de", "von", "des", "di", "van"]);
const joints = new Set(["and", "&", "at", "y", "und", "et", "e", "en", "/"]);
/** Words that may stand before the noun and belong to the place. */
const articles = new Set(["the", "la", "der", "l'", "de"]);

/** Makes one address of a place that is told by two streets, such as `the corner of Mill Lane and Oak Street`. Other spans stay as they are. */
export function joinCorners(tokens: Tokens, spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at];
    if (span === undefined) continue;
    let from = beginOf(tokens, span);
    if (from === null) {
      all.push(span);
      continue;
    }
    const next = spans[at + 1];
    const isPair = next !== undefined && next.from === span.to + 1 && joints.has(wordAt(tokens, span.to));
    // The tagger may have found `the corner` by itself.
    while ((all.at(-1)?.to ?? 0) > from) from = Math.min(from, all.pop()?.from ?? from);
    all.push({ kind: "address", from, to: isPair ? next.to : span.to });
    if (isPair) at += 1;
  }
  return all;
}

/** Where the words begin that lead to a street of a corner; `null` for a span that is none. */
function beginOf(tokens: Tokens, { from, to }: Span): number | null {
  // The noun stands before the span, or the tagger took it in.
  for (let noun = Math.max(0, from - 2); noun < Math.min(from + 2, to); noun += 1) {
    if (!nouns.has(wordAt(tokens, noun)) || !links.has(wordAt(tokens, noun + 1))) continue;
    if (noun + 2 < from) return null;
    return Math.min(from, noun > 0 && articles.has(wordAt(tokens, noun - 1)) ? noun - 1 : noun);
  }
  return null;
}

function wordAt({ text, starts, ends }: Tokens, at: number): string {
  return text.slice(starts[at], ends[at]).toLowerCase();
}
