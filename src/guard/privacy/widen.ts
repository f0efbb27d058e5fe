import type { Piece } from "./settle.ts";
import type { Span } from "./stand-ins/sight.ts";

/**
 * Widens pieces of a text over all that is inside with them, on both sides. The pieces are disjoint and sorted; one that lies in what the
 * one before it was widened to gets the same span, so that however many there are, each sign is looked at a few times at most.
 */
export function widenPieces({
  text,
  pieces,
  isWanted,
  isInside,
}: {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** Whether a piece is to be widened, by its place in the list. */
  readonly isWanted: (piece: Piece, at: number) => boolean;
  /** Whether what stands at a place belongs to a piece beside it; asked only for places in the text. */
  readonly isInside: (at: number) => boolean;
}): readonly Piece[] {
  let last: Span = { start: 0, end: 0 };
  return pieces.map((piece, at) => {
    if (!isWanted(piece, at)) return piece;
    if (piece.end > last.end) last = widenSpan({ span: piece, length: text.length, isInside });
    const { start, end } = last;
    const isSame = start === piece.start && end === piece.end;
    return isSame ? piece : { ...piece, start, end, canonical: text.slice(start, end) };
  });
}

function widenSpan({ span, length, isInside }: { span: Span; length: number; isInside: (at: number) => boolean }): Span {
  let { start, end } = span;
  while (start > 0 && isInside(start - 1)) start -= 1;
  while (end < length && isInside(end)) end += 1;
  return { start, end };
}
