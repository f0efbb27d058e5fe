import type { Finding } from "../../src/contract/privacy.ts";
import { findNames } from "../../src/guard/privacy/recogniser/find-names.ts";
import type { NameModel } from "../../src/guard/privacy/recogniser/name-model.ts";
import type { LabelKind, LabelledSpan, LabelledText } from "./fill-template.ts";

/** Shares from 0 to 1, rounded to three places. */
export interface ClassScore {
  readonly spans: number;
  /** Share of spans that are covered whole by findings of this class. */
  readonly recall: number;
  /** Share of spans that are covered whole by findings of any class. */
  readonly covered: number;
  /** Share of found characters of this class that stand in a span of it. */
  readonly precision: number;
}

export interface UnseenScores {
  readonly texts: number;
  readonly classes: Readonly<Record<string, ClassScore>>;
  /** Share of the characters outside of all spans that were found. */
  readonly overRedaction: number;
}

interface Found {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
  readonly findings: readonly Finding[];
}

const kinds: readonly LabelKind[] = ["person", "organisation", "address"];

/** Scores a model on labelled texts. */
export function scoreOn(texts: readonly LabelledText[], model: NameModel): UnseenScores {
  const all: readonly Found[] = texts.map((one) => ({ ...one, findings: findNames(one.text, { model, places: false }) }));
  const clean = sumOf(all, ({ text, spans }) => text.length - count(marks(text, spans)));
  const over = sumOf(all, ({ text, spans, findings }) => count(without(marks(text, findings), marks(text, spans))));
  return {
    texts: texts.length,
    classes: Object.fromEntries(kinds.map((kind) => [kind, scoreOf(kind, all)])),
    overRedaction: share(over, clean),
  };
}

function scoreOf(kind: LabelKind, all: readonly Found[]): ClassScore {
  const own = all.map(({ text, spans, findings }) => ({
    spans: spans.filter((span) => span.kind === kind),
    labelled: marks(
      text,
      spans.filter((span) => span.kind === kind),
    ),
    byAny: marks(text, findings),
    byOwn: marks(
      text,
      findings.filter((finding) => finding.class === kind),
    ),
  }));
  const spans = sumOf(own, (one) => one.spans.length);
  const whole = (page: Uint8Array, list: readonly LabelledSpan[]) =>
    list.filter(({ start, end }) => !page.subarray(start, end).includes(0)).length;
  const found = sumOf(own, ({ byOwn }) => count(byOwn));
  return {
    spans,
    recall: share(
      sumOf(own, (one) => whole(one.byOwn, one.spans)),
      spans,
    ),
    covered: share(
      sumOf(own, (one) => whole(one.byAny, one.spans)),
      spans,
    ),
    precision: share(found - sumOf(own, ({ byOwn, labelled }) => count(without(byOwn, labelled))), found),
  };
}

function marks({ length }: string, ranges: readonly { readonly start: number; readonly end: number }[]): Uint8Array {
  const page = new Uint8Array(length);
  for (const { start, end } of ranges) page.fill(1, start, end);
  return page;
}

function without(page: Uint8Array, other: Uint8Array): Uint8Array {
  return page.map((mark, at) => (other[at] === 1 ? 0 : mark));
}

function count(page: Uint8Array): number {
  return page.reduce((sum, mark) => sum + mark, 0);
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 1000;
}
