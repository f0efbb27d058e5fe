import type { LabelledSpan, LabelledText } from "./fill-template.ts";
import type { Random } from "./random.ts";
import type { WordLists } from "./word-lists.ts";

/** Changes texts without changing what stands where, so that the tagger learns kinds of words rather than sentences. */
export function openVariation(random: Random, { common, ordinary }: WordLists): (one: LabelledText) => LabelledText {
  const replaceable = new Set(common.filter((word) => word.length > 3));
  const otherWord = (word: string): string => {
    if (replaceable.has(word) && random.isLucky(0.1)) return random.pick(random.isLucky(0.5) ? common : ordinary);
    return replaceable.has(word) && random.isLucky(0.015) ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
  };
  return (one) => {
    const varied = rewrite(one, (part) => part.replace(/\p{L}+/gu, otherWord));
    if (random.isLucky(0.07)) return inCase(varied, (text) => text.toLowerCase());
    return random.isLucky(0.03) ? inCase(varied, (text) => text.toUpperCase()) : varied;
  };
}

/** Rewrites what stands between the spans. */
function rewrite({ text, spans }: LabelledText, change: (part: string) => string): LabelledText {
  let written = "";
  let from = 0;
  const moved: LabelledSpan[] = [];
  for (const { kind, start, end } of spans) {
    written += change(text.slice(from, start));
    moved.push({ kind, start: written.length, end: written.length + end - start });
    written += text.slice(start, end);
    from = end;
  }
  return { text: written + change(text.slice(from)), spans: moved };
}

/** A change of case that would move letters is not made. */
function inCase(one: LabelledText, change: (text: string) => string): LabelledText {
  const text = change(one.text);
  return text.length === one.text.length ? { ...one, text } : one;
}

/** Puts texts behind each other. */
export function joinTexts(texts: readonly LabelledText[], between: string): LabelledText {
  let text = "";
  const spans: LabelledSpan[] = [];
  for (const [place, one] of texts.entries()) {
    if (place > 0) text += between;
    spans.push(...one.spans.map(({ kind, start, end }) => ({ kind, start: start + text.length, end: end + text.length })));
    text += one.text;
  }
  return { text, spans };
}
