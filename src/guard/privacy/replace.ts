import { assertNever } from "../../contract/errors.ts";
import type { Replaced } from "../../contract/privacy.ts";
import { type Piece, settlePieces } from "./settle.ts";
import type { Drawn } from "./stand-ins/drawn.ts";
import { isAlphanumericAt } from "./stand-ins/marks.ts";
import { putBack, type Span, sightStandIns } from "./stand-ins/sight.ts";
import { standInFor, standInForCount } from "./stand-ins/stand-in-for.ts";
import type { ReplacedLeaf } from "./tally.ts";
import { widenPieces } from "./widen.ts";

/** A text with what is to be replaced in it. */
export interface Replacing {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly known: readonly Span[];
  readonly others: readonly Span[];
}

/**
 * Replaces the pieces of a text. Invariant: of what comes out, decoding finds each stand-in where it was put, and nothing else. Where the
 * text around a piece would run into its stand-in, the piece is widened: to the letters and digits around it, to the next spaces, and at
 * last to the whole text, which always holds.
 */
export function replaceText(drawn: Drawn, replacing: Replacing): ReplacedLeaf<string> {
  if (replacing.pieces.length === 0) return { value: replacing.text, rows: [] };
  let { pieces } = replacing;
  const { text } = replacing;
  for (const isInside of [isInWord(text), isNoSpace(text), isInText]) {
    const { value, rows, wanted } = assemble(drawn, { ...replacing, pieces });
    const failed = unmet(drawn, value, wanted);
    // What was masked or left out does not come back, so nothing is gained by more of it.
    if (failed === null || !pieces.some(({ treatment }) => treatment === "tokenise")) return { value, rows };
    const isWanted = ({ treatment }: Piece, at: number): boolean => treatment === "tokenise" && failed.has(at);
    const wider = widenPieces({ text, pieces, isWanted, isInside });
    pieces = settlePieces({ ...replacing, pieces: wider, known: isInside === isInText ? [] : replacing.known, others: [] });
  }
  return assemble(drawn, { ...replacing, pieces });
}

interface Assembled extends ReplacedLeaf<string> {
  /** Where stand-ins were put, with the place of the piece; those that were there before have none. */
  readonly wanted: readonly (Span & { readonly surface: string | null; readonly piece: number })[];
}

function assemble(drawn: Drawn, { text, pieces, known }: Replacing): Assembled {
  const rows: Omit<Replaced, "count">[] = [];
  const wanted: { start: number; end: number; surface: string | null; piece: number }[] = [];
  let value = "";
  let from = 0;
  let nextKnown = 0;
  const copyTo = (end: number): void => {
    for (; (known[nextKnown]?.end ?? end + 1) <= end; nextKnown += 1) {
      const { start: first = 0, end: last = 0 } = known[nextKnown] ?? {};
      if (first >= from)
        wanted.push({ start: value.length + first - from, end: value.length + last - from, surface: null, piece: -1 });
    }
    value += text.slice(from, end);
  };
  pieces.forEach((piece, at) => {
    copyTo(piece.start);
    const there = text.slice(piece.start, piece.end);
    // Widened over a stand-in that was there before, a piece stands for the value behind that one.
    const surface = known.length === 0 ? there : putBack(there, sightStandIns(drawn, there));
    const standIn = standInOf({ drawn, piece, surface });
    if (piece.treatment === "tokenise")
      wanted.push({ start: value.length, end: value.length + standIn.length, surface, piece: at });
    value += standIn;
    rows.push({ class: piece.class, kind: piece.kind, treatment: piece.treatment, standIn });
    from = piece.end;
  });
  copyTo(text.length);
  return { value, rows, wanted };
}

function standInOf({ drawn, piece, surface }: { drawn: Drawn; piece: Piece; surface: string }): string {
  const { class: of, kind, canonical, treatment } = piece;
  const word = of.replaceAll("_", " ");
  switch (treatment) {
    case "tokenise":
      return standInFor(drawn, { class: of, kind, canonical, surface });
    case "mask":
      return `[${word}]`;
    case "hash":
      return `[${word} ${hexOf(drawn.key.mac(`hash|${of}|${canonical}`))}]`;
    case "drop":
      return "";
    default:
      return assertNever(treatment);
  }
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes.subarray(0, 3)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The pieces whose stand-ins would not be found where they were put; all of them where something else would be found; `null` for none. */
function unmet(drawn: Drawn, value: string, wanted: Assembled["wanted"]): { readonly has: (piece: number) => boolean } | null {
  const found = new Map(sightStandIns(drawn, value).map((sighting) => [sighting.start, sighting]));
  const failed = new Set<number>();
  for (const { start, end, surface, piece } of wanted) {
    const there = found.get(start);
    found.delete(start);
    if (there?.end !== end || there.surface === null || (surface !== null && there.surface !== surface)) failed.add(piece);
  }
  if (found.size > 0 || failed.has(-1)) return { has: () => true };
  return failed.size === 0 ? null : failed;
}

const isInWord =
  (text: string) =>
  (at: number): boolean =>
    isAlphanumericAt(text, at);

const isNoSpace =
  (text: string) =>
  (at: number): boolean =>
    !/\s/u.test(text.charAt(at));

const isInText = (): boolean => true;

/** Replaces a whole number, under the strictest treatment of what was found in it. What is not dropped, masked or hashed stays a number. */
export function replaceCount(drawn: Drawn, replacing: Replacing): ReplacedLeaf<number | string> {
  const { text } = replacing;
  const [first, ...others] = replacing.pieces;
  if (first === undefined) return { value: Number(text), rows: [] };
  const whole = { ...first, start: 0, end: text.length, canonical: text };
  const [piece = whole] = settlePieces({ text, pieces: [whole, ...others], known: [], others: [] });
  const value =
    piece.treatment === "tokenise" ? standInForCount(drawn, Number(text)) : standInOf({ drawn, piece, surface: text });
  return { value, rows: [{ class: piece.class, kind: piece.kind, treatment: piece.treatment, standIn: String(value) }] };
}
