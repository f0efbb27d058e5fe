import type { Said } from "./answers.ts";

/** A text as it goes over the wire: its bytes, and the insides of the JSON strings that make it up when it is streamed. */
export interface SentText {
  readonly bytes: Buffer;
  readonly pieces: readonly Buffer[];
}

/** Cuts a text where it is to be cut, and into the pieces of a stream. */
export function sentText(said: Said): SentText {
  if (said.kind === "nothing") return { bytes: Buffer.alloc(0), pieces: [] };
  const cutAt = said.kind === "reply" ? said.cutAt : undefined;
  const units = said.kind === "reply" ? said.pieceUnits : undefined;
  const bytes = Buffer.from(said.text).subarray(0, cutAt ?? Number.POSITIVE_INFINITY);
  // Only a text that is cut goes by its bytes: a lone surrogate has none, and is sent as an escape.
  if (cutAt === undefined) return { bytes, pieces: insides(said.text, units) };
  const whole = wholeCharacters(bytes);
  const pieces = insides(bytes.toString("utf8", 0, whole), units);
  const rest = bytes.subarray(whole);
  return { bytes, pieces: rest.length === 0 ? pieces : [...pieces, rest] };
}

// More pieces than this add nothing to a long text but the weight of their frames.
const mostPieces = 64;
const shortestPiece = 12;

function insides(text: string, units: number | undefined): readonly Buffer[] {
  const length = units ?? Math.max(shortestPiece, Math.ceil(text.length / mostPieces));
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + length;
    const to = units === undefined && isInsidePair(text, end) ? end + 1 : end;
    pieces.push(Buffer.from(JSON.stringify(text.slice(from, to)).slice(1, -1)));
    from = to;
  }
  return pieces;
}

function isInsidePair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** How many of the bytes make whole characters: the rest, of three bytes at most, begins one. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start >= 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? start : bytes.length;
}
