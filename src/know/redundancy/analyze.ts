/**
 * How much of a set of texts is said more than once: by runs of n words or characters, without a model and without chance. A first
 * occurrence is never counted against its text; every later one is.
 */
import type { RedundancyView, RedundantText, Savings, Segment } from "../../contract/redundancy.ts";
import { gramsOf } from "./grams.ts";
import { type NamedText, type RedundancyUnit, type Tokens, tokensOf } from "./tokens.ts";

/** How texts are compared. */
export interface RedundancyOptions {
  readonly unit?: RedundancyUnit;
  /** Length of the runs; 5 where it is left out. */
  readonly n?: number;
}

/** What is redundant in one text, and in all together. Shares are parts per million of runs. */
export interface Redundancy {
  readonly unit: RedundancyUnit;
  readonly n: number;
  /** Of all runs, those that had stood before. */
  readonly sharePpm: number;
  readonly texts: readonly RedundantText[];
}

const flagPpm = 700_000;
const bytesPerToken = 4;

/** The share of what had stood before, for each text and for all together; texts in their order count as what came first. */
export function analyze(texts: readonly NamedText[], { unit = "words", n = 5 }: RedundancyOptions = {}): Redundancy {
  const tokens = tokensOf(texts, unit);
  const { first } = gramsOf(tokens, n);
  const counted = texts.map(({ id }, text) => {
    const [start, end] = boundsOf(tokens, text);
    let [runs, repeated] = [0, 0];
    for (let place = start; place < end; place += 1) {
      const at = first[place] ?? -1;
      if (at < 0) continue;
      runs += 1;
      if (at < place) repeated += 1;
    }
    return { id, runs, repeated };
  });
  const runs = counted.reduce((sum, one) => sum + one.runs, 0);
  const repeated = counted.reduce((sum, one) => sum + one.repeated, 0);
  return {
    ...{ unit, n, sharePpm: ppmOf(repeated, runs) },
    texts: counted.map((one) => {
      const sharePpm = ppmOf(one.repeated, one.runs);
      return { id: one.id, runs: one.runs, sharePpm, isFlagged: sharePpm > flagPpm };
    }),
  };
}

/** The runs that had stood before, each as long as it goes on alike, in the order of the texts. */
export function segments(texts: readonly NamedText[], { unit = "words", n = 5 }: RedundancyOptions = {}): readonly Segment[] {
  const tokens = tokensOf(texts, unit);
  const { first } = gramsOf(tokens, n);
  const found: Segment[] = [];
  for (const [text, { id }] of texts.entries()) {
    const [start, end] = boundsOf(tokens, text);
    for (let place = start; place < end; ) {
      const at = first[place] ?? -1;
      if (at < 0 || at >= place) {
        place += 1;
        continue;
      }
      const length = lengthOf({ first, place, end, n, home: boundsOf(tokens, textAt(tokens, at))[1] });
      found.push({ id, ...charactersOf(tokens, place, length), of: originOf({ tokens, texts, at, length }), tokens: length });
      place += length;
    }
  }
  return found;
}

/** Bytes and tokens that the segments take beyond their first occurrence. */
export function savings(texts: readonly NamedText[], options: RedundancyOptions = {}): Savings {
  const byId = new Map(texts.map(({ id, text }) => [id, text]));
  const bytes = segments(texts, options).reduce(
    (sum, { id, from, to }) => sum + bytesOf((byId.get(id) ?? "").slice(from, to)),
    0,
  );
  const totalBytes = texts.reduce((sum, { text }) => sum + bytesOf(text), 0);
  return { bytes, totalBytes, tokens: Math.round(bytes / bytesPerToken), totalTokens: Math.round(totalBytes / bytesPerToken) };
}

/** How many tokens go on alike at both places: the run that begins here, and one more for each next run that follows its first. */
function lengthOf({
  first,
  place,
  end,
  n,
  home,
}: {
  first: Int32Array;
  place: number;
  end: number;
  n: number;
  /** The end of the text in which it stood first. */
  home: number;
}): number {
  const at = first[place] ?? 0;
  let on = 1;
  while (place + on + n <= end && at + on + n <= home && first[place + on] === at + on) on += 1;
  return on + n - 1;
}

function originOf({
  tokens,
  texts,
  at,
  length,
}: {
  tokens: Tokens;
  texts: readonly NamedText[];
  at: number;
  length: number;
}): Segment["of"] {
  return { id: texts[textAt(tokens, at)]?.id ?? "", ...charactersOf(tokens, at, length) };
}

function charactersOf({ from, to }: Tokens, place: number, length: number): { from: number; to: number } {
  return { from: from[place] ?? 0, to: to[place + length - 1] ?? 0 };
}

function boundsOf({ starts }: Tokens, text: number): readonly [number, number] {
  return [starts[text] ?? 0, starts[text + 1] ?? 0];
}

/** The text in which a token stands, by halving. */
function textAt({ starts }: Tokens, place: number): number {
  let [low, high] = [0, starts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function ppmOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 1_000_000) / whole);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** All that is told of some texts at once, by the usual runs. */
export function redundancyOf(texts: readonly NamedText[]): RedundancyView {
  const { sharePpm, texts: each } = analyze(texts);
  return { sharePpm, texts: each, segments: segments(texts), savings: savings(texts) };
}
