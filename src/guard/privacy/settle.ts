import type { DataClass, Finding, Treatment } from "../../contract/privacy.ts";
import { stricter } from "./policy.ts";
import type { Span } from "./stand-ins/sight.ts";

/** A part of a text that is replaced. */
export interface Piece extends Span {
  readonly class: DataClass;
  readonly kind: string;
  readonly canonical: string;
  readonly treatment: Exclude<Treatment, "allow">;
  /** Whether a recogniser found it, or a part of it: such pieces leave JSON Schemas alone. */
  readonly isNamed: boolean;
}

/** Findings of one text with what is to be done to them; ranges outside of the text and those that hold no letter or digit are left out. */
export function piecesOf({
  text,
  findings,
  treatmentOf,
  isNamed,
}: {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly treatmentOf: (finding: Finding) => Treatment;
  readonly isNamed: boolean;
}): readonly Piece[] {
  return findings.flatMap((finding) => {
    const treatment = treatmentOf(finding);
    const span = trimSpan(text, wholeSigns(text, finding));
    if (treatment === "allow" || span === null) return [];
    const { class: of, kind, canonical } = finding;
    return [{ ...span, class: of, kind, canonical, treatment, isNamed }];
  });
}

/** No end lies within a surrogate pair. */
function wholeSigns(text: string, { start, end }: Span): Span {
  return { start: isWithinPair(text, start) ? start - 1 : start, end: isWithinPair(text, end) ? end + 1 : end };
}

function isWithinPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff && at > 0;
}

/** Without the spaces at its ends; `null` where nothing is left that could be anybody's. */
function trimSpan(text: string, { start, end }: Span): Span | null {
  const part = text.slice(start, end);
  const trimmed = part.trim();
  if (trimmed === "" || !/[\p{L}\p{N}]/u.test(trimmed)) return null;
  const first = start + part.indexOf(trimmed);
  return { start: first, end: first + trimmed.length };
}

/**
 * Makes pieces disjoint and apart from each other. What lies within a stand-in (`known`, of this payload, or `others`) is none; what
 * reaches over a known one is cut by it. Those that overlap or touch are united under the strictest of their treatments.
 */
export function settlePieces({
  text,
  pieces,
  known,
  others,
}: {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly known: readonly Span[];
  readonly others: readonly Span[];
}): readonly Piece[] {
  const strangers = joinSpans(text, others);
  const apart = pieces.filter((piece) => !isWithin(piece, strangers)).flatMap((piece) => cutPiece({ text, piece, known }));
  const united: Piece[] = [];
  for (const piece of apart.sort((one, other) => one.start - other.start || other.end - one.end)) {
    const last = united.at(-1);
    if (last === undefined || piece.start > last.end) united.push(piece);
    else united[united.length - 1] = unitePieces({ text, one: last, other: piece });
  }
  return united;
}

/** Words of another's stand-in with only spaces between them are one. */
function joinSpans(text: string, spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    const isNext = last !== undefined && (span.start <= last.end || text.slice(last.end, span.start).trim() === "");
    if (last !== undefined && isNext) joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else joined.push(span);
  }
  return joined;
}

function isWithin({ start, end }: Span, spans: readonly Span[]): boolean {
  const span = spans[firstEndingAfter(spans, start)];
  return span !== undefined && span.start <= start && end <= span.end;
}

/** The place of the first of disjoint, sorted spans that ends after a point. */
function firstEndingAfter(spans: readonly Span[], point: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) > point) high = middle;
    else low = middle + 1;
  }
  return low;
}

function cutPiece({ text, piece, known }: { text: string; piece: Piece; known: readonly Span[] }): readonly Piece[] {
  let at = firstEndingAfter(known, piece.start);
  if ((known[at]?.start ?? piece.end) >= piece.end) return [piece];
  const parts: Piece[] = [];
  let start = piece.start;
  for (; start < piece.end; at += 1) {
    const next = known[at];
    const end = Math.min(piece.end, next?.start ?? piece.end);
    const span = start < end ? trimSigns(text, { start, end }) : null;
    if (span !== null) parts.push({ ...piece, ...span, canonical: text.slice(span.start, span.end) });
    start = next === undefined || next.start >= piece.end ? piece.end : next.end;
  }
  return parts;
}

/** Without what is no letter or digit at its ends. */
function trimSigns(text: string, { start, end }: Span): Span | null {
  const part = text.slice(start, end);
  const first = part.search(/[\p{L}\p{N}]/u);
  if (first === -1) return null;
  let last = part.length;
  while (last > first && !/[\p{L}\p{N}\p{M}\ud800-\udfff]/u.test(part.charAt(last - 1)) && !isWithinPair(part, last - 1))
    last -= 1;
  return { start: start + first, end: start + last };
}

/** What is found for certain goes before what is guessed; of a name and an address in one, the name. */
const ranks: readonly DataClass[] = [
  ...(["secret", "url_credential", "card", "iban", "national_id", "passport", "account", "vehicle"] as const),
  ...(["email", "phone", "mac", "ip", "birth_date", "person", "address", "term", "organisation"] as const),
];

function unitePieces({ text, one, other }: { text: string; one: Piece; other: Piece }): Piece {
  const span = { start: one.start, end: Math.max(one.end, other.end) };
  const covering = [one, other].filter((piece) => piece.start === span.start && piece.end === span.end);
  const [first = one] = (covering.length > 0 ? covering : [one, other]).sort(
    (a, b) => ranks.indexOf(a.class) - ranks.indexOf(b.class),
  );
  const canonical = covering.length > 0 ? first.canonical : text.slice(span.start, span.end);
  const treatment = stricter(one.treatment, other.treatment) as Piece["treatment"]; // neither is `allow`
  return { ...first, ...span, canonical, treatment, isNamed: one.isNamed || other.isNamed };
}
