import { stricter } from "./policy.ts";
import type { Piece } from "./settle.ts";

interface Yielding {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** The words of known names in other spellings, sorted and disjoint. */
  readonly words: readonly Piece[];
}

/**
 * Leaves out names of persons that are other spellings of known names: `Doe, Jane` yields to its two words, so that they get the words of
 * the known name's stand-in. None of its letters and digits is left uncovered by that, and none gets a milder treatment. Pieces that
 * overlap aside, it is linear in the text.
 */
export function yieldToWords({ text, pieces, words }: Yielding): readonly Piece[] {
  if (words.length < 2) return pieces;
  return pieces.filter((piece) => piece.class !== "person" || !isSpelledIn(text, piece, words));
}

function isSpelledIn(text: string, piece: Piece, words: readonly Piece[]): boolean {
  let at = piece.start;
  let count = 0;
  for (let place = firstFrom(words, piece.start); ; place += 1) {
    const word = words[place];
    if (word === undefined || word.start >= piece.end) break;
    if (word.end > piece.end || stricter(word.treatment, piece.treatment) !== word.treatment) return false;
    if (holdsMore(text.slice(at, word.start))) return false;
    at = word.end;
    count += 1;
  }
  return count > 1 && !holdsMore(text.slice(at, piece.end));
}

const holdsMore = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** The place of the first that begins at a point or behind it. */
function firstFrom(words: readonly Piece[], point: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start ?? 0) < point) low = middle + 1;
    else high = middle;
  }
  return low;
}
