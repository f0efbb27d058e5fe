/** What is compared: the words of texts, or their characters, as numbers. */

/** By what texts are compared. */
export const redundancyUnits = ["words", "characters"] as const;
export type RedundancyUnit = (typeof redundancyUnits)[number];

/** A text to compare, by the name under which it is reported. */
export interface NamedText {
  readonly id: string;
  readonly text: string;
}

/** All texts one behind the other, as numbers of their words or characters. */
export interface Tokens {
  readonly ids: Int32Array;
  /** Where each token stands in its own text, in UTF-16 code units: the first, and the one after the last. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Where each text begins in `ids`; one more at the end. */
  readonly starts: readonly number[];
}

const wordPattern = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
const visiblePattern = /\S/gu;

/** Reads texts into numbers, in their order: words without regard to case, or characters without white space. Linear in their length. */
export function tokensOf(texts: readonly NamedText[], unit: RedundancyUnit): Tokens {
  const numbers = new Map<string, number>();
  const [ids, from, to] = [growing(), growing(), growing()];
  const starts = [0];
  for (const { text } of texts) {
    const pattern = unit === "words" ? wordPattern : visiblePattern;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const word = found.toLowerCase();
      let known = numbers.get(word);
      if (known === undefined) {
        known = numbers.size;
        numbers.set(word, known);
      }
      ids.push(known);
      from.push(index);
      to.push(index + found.length);
    }
    starts.push(ids.size());
  }
  return { ids: ids.done(), from: from.done(), to: to.done(), starts };
}

/** An array of numbers that doubles when it is full: half the memory of a plain one, and no holes. */
function growing(): { push: (value: number) => void; size: () => number; done: () => Int32Array } {
  let array = new Int32Array(1_024);
  let size = 0;
  return {
    push: (value) => {
      if (size === array.length) {
        const larger = new Int32Array(size * 2);
        larger.set(array);
        array = larger;
      }
      array[size] = value;
      size += 1;
    },
    size: () => size,
    done: () => array.subarray(0, size),
  };
}
