import { joinCorners } from "./corners.ts";
import { isLikely } from "./is-likely.ts";
import { repeatsOf } from "./repeats.ts";
import type { Span } from "./span.ts";
import { Break, type Tokens } from "./tokens.ts";
import type { Lexicon } from "./word-reading.ts";

const kinds = ["person", "organisation", "address", "place"] as const;
/** Tokens without letters and digits that may stand between two parts of one address. */
const widestGap = 2;

/** Makes spans of tags: trimmed, parts of one address joined, without what is unlikely, and with the other places in the text where a found person is named. Sorted, disjoint. */
export function spansOf(tokens: Tokens, { tags, lexicon }: { tags: Uint8Array; lexicon: Lexicon }): readonly Span[] {
  const whole = joinCorners(tokens, joined(tokens, taggedSpans(tags))).flatMap((span) => trimmed(tokens, span));
  const found = whole.filter((span) => isLikely(tokens, { span, lexicon }));
  return [...found, ...repeatsOf(tokens, { found, lexicon })].sort((one, other) => one.from - other.from);
}

function taggedSpans(tags: Uint8Array): readonly Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < tags.length; from += 1) {
    const tag = tags[from] ?? 0;
    const kind = kinds[(tag - 1) >> 1];
    if (tag === 0 || kind === undefined) continue;
    let to = from + 1;
    while (tags[to] === (tag | 1) + 1) to += 1;
    spans.push({ kind, from, to });
    from = to - 1;
  }
  return spans;
}

/** Joins what is one value: an address in several lines, and two names with nothing but a space between. */
function joined(tokens: Tokens, spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const before = all.at(-1);
    if (before !== undefined && (isOneAddress(tokens, before, span) || isOneName(tokens, before, span)))
      all.splice(-1, 1, { kind: before.kind, from: before.from, to: span.to });
    else all.push(span);
  }
  return all;
}

function isOneAddress(tokens: Tokens, before: Span, span: Span): boolean {
  if (before.kind !== "address" || (span.kind !== "address" && span.kind !== "place")) return false;
  return span.from - before.to <= widestGap && isBare(tokens, before.to, span.from);
}

function isOneName({ breaks }: Tokens, before: Span, span: Span): boolean {
  return before.kind === "person" && span.kind === "person" && before.to === span.from && breaks[span.from] === Break.space;
}

function isBare(tokens: Tokens, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (hasContent(tokens, at)) return false;
  return tokens.breaks[to] !== Break.paragraph;
}

/** Without marks at the ends, save the point of an initial; nothing where nothing is left. */
function trimmed(tokens: Tokens, span: Span): readonly Span[] {
  let { from, to } = span;
  while (from < to && !hasContent(tokens, from)) from += 1;
  while (to > from && !hasContent(tokens, to - 1) && !isPointOfInitial(tokens, from, to - 1)) to -= 1;
  const rest: Span = { kind: span.kind, from, to };
  return from === to || (span.kind !== "address" && !hasLetter(tokens, rest)) ? [] : [rest];
}

function hasContent({ text, starts, ends }: Tokens, at: number): boolean {
  return (
    /[\p{L}\p{N}]/u.test(text.slice(starts[at], Math.min(ends[at] ?? 0, (starts[at] ?? 0) + 8))) &&
    !isGenitive(text, starts[at] ?? 0)
  );
}

function isGenitive(text: string, start: number): boolean {
  return text[start] === "'" || text[start] === "’";
}

function isPointOfInitial({ text, starts, ends, breaks }: Tokens, from: number, at: number): boolean {
  return (
    at > from && text[starts[at] ?? 0] === "." && breaks[at] === Break.none && (ends[at - 1] ?? 0) - (starts[at - 1] ?? 0) === 1
  );
}

function hasLetter({ text, starts, ends }: Tokens, { from, to }: Span): boolean {
  return /\p{L}/u.test(text.slice(starts[from], Math.min(ends[to - 1] ?? 0, (starts[from] ?? 0) + 60)));
}
