import { findTerms } from "./detect/find-structured.ts";
import { compileWords, type TermInWords, wordsOfTerm } from "./detect/terms.ts";
import { spellingsOfName } from "./name-spellings.ts";
import { keyOfName, readName } from "./name-words.ts";
import { stricter } from "./policy.ts";
import type { Piece } from "./settle.ts";
import type { FindAgain, SpreadValue } from "./spread.ts";
import { wordsOf } from "./stand-ins/words.ts";

/** Longer ones are no names: they are what was widened, or something in base64. */
const longest = 200;

/**
 * Makes a search for names of persons of two or more words, whatever their letter case, the white space between, look-alikes, escapes and
 * base64, with and without a title, and in the spellings of lists, handles and files: `Doe, Jane`, `DOE JANE`, `jane.doe`, `Jane_Doe`,
 * `J. Doe`, `jdoe@`. A recogniser that found one spelling may have missed another. Linear in the text, whatever their number.
 */
export function searchNames(values: ReadonlyMap<string, SpreadValue>): FindAgain {
  const names = [...values]
    .filter(([surface, { class: of }]) => of === "person" && surface.length <= longest && hasTwoWords(surface))
    // Of names that are the same but for their spelling the strictest treatment holds.
    .sort(([, { treatment: one }], [, { treatment: other }]) => (one === other ? 0 : stricter(one, other) === one ? -1 : 1));
  if (names.length === 0) return () => [];
  const people = peopleOf(names);
  // Each in its own spelling first: what is one name's own is no other's way of writing.
  const terms = compileWords([
    ...people.map(({ own }, at) => toTerm(own, at)),
    ...people.flatMap(({ loose }, at) => loose.map((words) => toTerm(words, at))),
    ...people.flatMap(({ strict }, at) => strict.map((words) => ({ ...toTerm(words, at), isStrict: true }))),
  ]);
  return (text) =>
    findTerms(text, terms).flatMap(({ start, end, kind, canonical }): readonly Piece[] => {
      const person = people[Number(kind)];
      if (person === undefined) return [];
      if (canonical === person.own.join(" ")) return [{ ...person.value, start, end }];
      return piecesOf({ text, start, end, value: { ...person.value, canonical } });
    });
}

function hasTwoWords(surface: string): boolean {
  return wordsOf(surface).filter((word) => /\p{L}/u.test(word)).length > 1;
}

const toTerm = (words: readonly string[], at: number): TermInWords => ({ words, class: "person", kind: String(at) });

/** A name with the ways in which it is written. */
interface Person {
  readonly value: SpreadValue;
  /** As it is sent whole. */
  readonly own: readonly string[];
  /** Ways that count in any letter case. */
  readonly loose: readonly (readonly string[])[];
  /** Ways that count with capitals alone. */
  readonly strict: readonly (readonly string[])[];
}

/** Names that are spellings of one another are one person's. Their own is the one of the most words, and not with the family name first. */
function peopleOf(names: readonly (readonly [string, SpreadValue])[]): readonly Person[] {
  const people = new Map<string, { readonly surface: string; readonly value: SpreadValue }[]>();
  for (const [surface, value] of names) {
    const [plain] = readName(surface);
    const key = plain === undefined ? surface : keyOfName(plain);
    const same = people.get(key);
    if (same === undefined) people.set(key, [{ surface, value }]);
    else same.push({ surface, value });
  }
  return [...people.values()].flatMap((same): readonly Person[] => {
    const [strictest] = same;
    const [first, ...others] = same.toSorted((one, other) => fitness(other.surface) - fitness(one.surface));
    if (first === undefined || strictest === undefined) return []; // no group is empty
    const spellings = readName(first.surface).map(spellingsOfName);
    const loose = [...others.map(({ surface }) => wordsOfTerm(surface)), ...spellings.flatMap((one) => one.loose)];
    if (spellings.length > 0) loose.push(...withTitleBehind(first.surface));
    const strict = spellings.flatMap((one) => one.strict);
    return [{ value: { ...first.value, treatment: strictest.value.treatment }, own: wordsOfTerm(first.surface), loose, strict }];
  });
}

/** `Roe, Dr. Jane`: with all that it is written with. */
function withTitleBehind(surface: string): readonly (readonly string[])[] {
  const words = wordsOf(surface).map(wordsOfTerm);
  return surface.includes(",") ? [] : [[...(words.at(-1) ?? []), ",", ...words.slice(0, -1).flat()]];
}

/** The greater the better as the spelling that is sent whole. */
const fitness = (surface: string): number => wordsOf(surface).length - (surface.includes(",") ? longest : 0);

interface Spelled {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: SpreadValue;
}

/**
 * The pieces of a name in another spelling: each of its words, so that they get the words of the name's own stand-in and what stands
 * between them stays. With an initial all of it is one piece, and so is what is escaped or in base64, which may hold more than the name.
 */
function piecesOf({ text, start, end, value }: Spelled): readonly Piece[] {
  const there = text.slice(start, end);
  if (wordsOfTerm(there).join(" ") !== value.canonical) return [{ ...value, start, end }];
  const words = [...there.matchAll(/[\p{L}\p{M}\p{N}'’]+/gu)].map(({ 0: word, index }) => ({ word, at: start + index }));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [{ ...value, start, end }];
  if (words.some(({ word }) => word.length === 1)) return [{ ...value, start: first.at, end: last.at + last.word.length }];
  return words.map(({ word, at }) => ({ ...value, start: at, end: at + word.length, canonical: word.toLowerCase() }));
}
