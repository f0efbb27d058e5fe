import type { NameWords } from "./name-words.ts";

/** Ways of writing a name, in words as terms are compared. */
export interface NameSpellings {
  /** What counts in any letter case. */
  readonly loose: readonly (readonly string[])[];
  /** What counts on one line and with capitals alone: in small letters ordinary words stand so beside each other. */
  readonly strict: readonly (readonly string[])[];
}

/** What may stand between the words of a name: `+` in the form of a URL, the others in handles and names of files. */
const joiners = ["+", "_", ".", "-"];
/** Shorter family names are too often the end of another word behind an initial. */
const shortestFamily = 3;

/**
 * The spellings of a name of two words or more, as `readName` reads it: in lists, handles and names of files, with an initial, and with the
 * family name first. The words of a name of more than two stand beside its first and last ones alone as well.
 */
export function spellingsOfName(words: NameWords): NameSpellings {
  const [first = [], last = []] = [words[0], words.at(-1)];
  const short = words.length > 2 ? [first, last] : null;
  const initials = withInitial(first, last);
  return {
    loose: [
      words.flat(),
      [...last, ",", ...words.slice(0, -1).flat()],
      ...(short === null ? [] : [short.flat(), [...last, ",", ...first], [...words.slice(1).flat(), ",", ...first]]),
      ...joiners.flatMap((joiner) => [
        joined(words, joiner),
        [...last, joiner, ...first],
        ...(short === null ? [] : [joined(short, joiner)]),
      ]),
      ...initials.loose,
    ],
    strict: [[...last, ...words.slice(0, -1).flat()], ...(short === null ? [] : [[...last, ...first]]), ...initials.strict],
  };
}

const joined = (words: NameWords, joiner: string): readonly string[] =>
  words.flatMap((word, at) => (at === 0 ? word : [joiner, ...word]));

/** `J. Doe`, `J Doe` and `Doe J`, and with an `@` beside it `jdoe`, `j.doe`, `j_doe` and `janedoe`. */
function withInitial([first = ""]: readonly string[], last: readonly string[]): NameSpellings {
  const initial = /^\p{L}/u.exec(first)?.[0];
  const [family = ""] = last;
  if (initial === undefined || last.join("").length < shortestFamily) return { loose: [], strict: [] };
  const handles = [[initial + family], [first + family], [initial, ".", family], [initial, "_", family]];
  // English has a word of one letter that always is a capital: `May I`.
  const bare =
    initial === "i"
      ? []
      : [
          [initial, ...last],
          [...last, initial],
          [...last, ",", initial],
        ];
  return {
    loose: [
      [initial, ".", ...last],
      ...handles.flatMap((handle) => [
        [...handle, ...last.slice(1), "@"],
        ["@", ...handle, ...last.slice(1)],
      ]),
    ],
    strict: [...bare, [...last, initial, "."], [...last, ",", initial, "."]],
  };
}
