import { findTerms } from "./detect/find-structured.ts";
import { compileTerms, type TermMatcher } from "./detect/terms.ts";
import { fold } from "./fold.ts";
import { stricter } from "./policy.ts";
import type { Piece } from "./settle.ts";
import type { FindAgain, SpreadValue } from "./spread.ts";
import { wordsOf } from "./stand-ins/words.ts";

/** Longer ones are no names: they are what was widened, or something in base64. */
const longest = 200;
/** What may stand between the words of a name: `+` in the form of a URL, `_` in the name of a file. */
const joiners = [" ", "+", "_"];

/**
 * Makes a search for names of persons of two or more words, whatever their letter case, the white space between, look-alikes, escapes and
 * base64: a recogniser that found one spelling may have missed another. Linear in the text, whatever their number.
 */
export function searchNames(values: ReadonlyMap<string, SpreadValue>): FindAgain {
  const names = [...values]
    .filter(([surface, { class: of }]) => of === "person" && surface.length <= longest && hasTwoWords(surface))
    // Of names that are the same but for their spelling the strictest treatment holds.
    .sort(([, { treatment: one }], [, { treatment: other }]) => (one === other ? 0 : stricter(one, other) === one ? -1 : 1))
    .map(([surface, value]) => ({ surface, value }));
  if (names.length === 0) return () => [];
  const terms = compileTerms(
    names.flatMap(({ surface }, at) =>
      joiners.map((joiner) => ({ value: wordsOf(surface).join(joiner), class: "person", kind: String(at) }) as const),
    ),
  );
  const known = names.map(({ surface, value }) => ({ value, own: canonicalIn(terms, surface) }));
  return (text) =>
    findTerms(text, terms).flatMap(({ start, end, kind, canonical }): readonly Piece[] => {
      const name = known[Number(kind)];
      if (name === undefined) return [];
      // Within base64 there may be more than the name, which then is another value.
      return [{ ...name.value, start, end, canonical: canonical === name.own ? name.value.canonical : canonical }];
    });
}

function hasTwoWords(surface: string): boolean {
  return wordsOf(surface).filter((word) => /\p{L}/u.test(word)).length > 1;
}

function canonicalIn(terms: TermMatcher, surface: string): string | null {
  return terms(fold(surface).text)[0]?.canonical ?? null;
}
