import { type Measure, measuresIn, unreadIn } from "./measures.ts";
import { namesIn } from "./names.ts";
import { datesIn, type FoundDate } from "./spell-dates.ts";
import { withoutSpans } from "./without-spans.ts";

/** What can be checked in a statement. Its `text` is as it stands there, for people. */
export type Detail =
  | { readonly kind: "date"; readonly text: string; readonly date: FoundDate }
  | { readonly kind: "time"; readonly text: string; readonly minutes: number }
  | { readonly kind: "number"; readonly text: string; readonly measure: Measure }
  | { readonly kind: "identifier"; readonly text: string }
  | { readonly kind: "name"; readonly text: string };

/**
 * Every number, date, time, identifier and name of a text. A number or identifier that none of the forms fits is an identifier, letter by
 * letter: no figure gets away unread. `namedElsewhere` holds words, in lower case, that are known to be names: only they and words with
 * another capitalised word behind them count where a sentence begins, since there every word is capitalised.
 */
export function detailsOf(text: string, namedElsewhere: ReadonlySet<string> = new Set()): readonly Detail[] {
  const masked = mask(plainText(text));
  const dates = masked.take(datesIn(masked.rest()), (date, said): Detail => ({ kind: "date", text: said, date }));
  const times = masked.take(timesIn(masked.rest()), ({ minutes }, said): Detail => ({ kind: "time", text: said, minutes }));
  const codes = masked.take(codesIn(masked.rest()), (_code, said): Detail => ({ kind: "identifier", text: said }));
  const unread = masked.take(unreadIn(masked.rest()), (_span, said): Detail => ({ kind: "identifier", text: said }));
  const numbers = masked.take(measuresIn(masked.rest()), (measure, said): Detail => ({ kind: "number", text: said, measure }));
  const left = masked.take(spansOf(masked.rest(), leftFigures), (_span, said): Detail => ({ kind: "identifier", text: said }));
  const names = namesIn(masked.rest(), namedElsewhere).map((name): Detail => ({ kind: "name", text: name }));
  return [...dates, ...times, ...codes, ...unread, ...numbers, ...left, ...names];
}

/** A text as a reader sees it: a figure in another alphabet's form is a figure, and what is invisible is gone. Lines stay. */
export function plainText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[\u2010\u2011\u2212]/g, "-")
    .replace(/[^\S\n]+/g, " ");
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A text of which pieces are taken, each once; what is left keeps its place. */
function mask(text: string) {
  let rest = text;
  return {
    rest: () => rest,
    take: <S extends Span>(spans: readonly S[], make: (span: S, said: string) => Detail): readonly Detail[] => {
      const made = spans.map((span) => make(span, text.slice(span.from, span.to)));
      rest = withoutSpans(rest, spans);
      return made;
    },
  };
}

const clock =
  /(?<![\p{L}\p{N}:.])(?<hours>\d{1,2})(?::(?<minutes>\d{2})(?::\d{2}(?:\.\d+)?)?)? ?(?<half>[ap](?:m\b|\.m\b\.?))?(?![\p{L}\p{N}:])/giu;

function timesIn(text: string): readonly (Span & { readonly minutes: number })[] {
  return [...text.matchAll(clock)].flatMap((match) => {
    const { hours = "", minutes, half } = match.groups ?? {};
    // A figure without minutes is a time only with its half of the day.
    if (minutes === undefined && half === undefined) return [];
    const isAfternoon = half?.toLowerCase().startsWith("p") === true;
    const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
    if (hour > 24 || Number(minutes ?? 0) > 59) return [];
    const to = match.index + match[0].trimEnd().length;
    return [{ from: match.index, to, minutes: hour * 60 + Number(minutes ?? 0) }];
  });
}

/** Letters and digits, or words, with what joins them inside an identifier, an address or a path. */
const joined = /[\p{L}\p{N}\p{M}]+(?:[._:/@#+\\-]+[\p{L}\p{N}\p{M}]+)*/gu;
/** A number with what it counts, such as `30-day`, `5kg` or `2nd`, and a word with a hyphen, are read as what they are. */
const counted = /^\d+(?:[.,]\d+)?(?:-?\p{L}+(?:-\p{L}+)*)$/u;

function codesIn(text: string): readonly Span[] {
  return spansOf(text, joined).filter(({ from, to }) => {
    const code = text.slice(from, to);
    if (/[_@\\]/.test(code) || /:\/\//.test(code) || /\p{L}[./]\p{L}/u.test(code))
      return !/^\p{L}+\/\p{L}+$/u.test(code) && !isShortened(code);
    if (/^\d+(?:\/\d+)+$/.test(code)) return true;
    return /\p{L}/u.test(code) && /\p{N}/u.test(code) && !(counted.test(code) && isMeasured(code));
  });
}

/** `e.g`, `U.S` and the like, whose last point is not part of the match. */
function isShortened(code: string): boolean {
  return /^(?:\p{L}\.){1,3}\p{L}$/u.test(code);
}

/** `30-day` and `5kg` say a number of something; `3f2a` and `4711-x` are codes. */
function isMeasured(code: string): boolean {
  const [only] = measuresIn(code.replace(/^(\d+(?:[.,]\d+)?)-?(\p{L})/u, "$1 $2"));
  return only !== undefined && only.unit !== "";
}

const leftFigures = /\p{N}[\p{N}.,:/-]*\p{N}|\p{N}/gu;

function spansOf(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}
