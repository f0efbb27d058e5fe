import type { Drawn, Grouped } from "./stand-ins/drawn.ts";
import { sightStandIns } from "./stand-ins/sight.ts";

/** By so many digits at its beginning a number is known as made of one of ours; stand-ins have as many at least. */
const telling = 7;
/** Fewer digits than this are said by chance, and say nothing of where they come from. */
const fewestDigits = 5;
/** With so many digits a number that was not meant is out of the question, so that its value may be put in. */
const safeDigits = 9;

/** What a number that a model said stands for, itself where it stands for nothing; `null` where it was made of a stand-in or made up. */
export type DecodeCount = (count: number) => number | null;

/**
 * Makes a decoder of JSON numbers. A stand-in for a number is only itself: with another sign, or some power of ten of it, it is altered.
 * JSON writes no zeros in front, so a text's stand-in of digits may come without them: it is the value's number where all spellings of
 * the value are digits, spaces and dashes, and else altered. Numbers that the payload itself has, and short ones, stay.
 */
export function openCountDecoder(drawn: Drawn): DecodeCount {
  const beginnings = new Set([...drawn.countOf.keys()].map((standIn) => beginningOf(digitsOf(standIn))));
  let ofTexts: ReadonlyMap<string, number | null> | null = null;
  return (count) => {
    const known = drawn.countOf.get(count);
    if (known !== undefined) return known;
    if (drawn.ownCounts.has(count)) return count;
    const digits = digitsOf(count);
    if (digits.length >= fewestDigits && beginnings.has(beginningOf(digits))) return null;
    if (beginnings.size > 0 && sightStandIns(drawn, String(Math.abs(count))).some(({ surface }) => surface === null)) return null;
    ofTexts ??= numbersOfTexts(drawn);
    const value = ofTexts.get(String(Math.abs(count)));
    if (value === undefined) return count;
    return count < 0 ? null : value;
  };
}

/** From the first that is not zero on, without a point and an exponent. */
function digitsOf(count: number): string {
  return String(Math.abs(count)).replace(/e.*$/, "").replace(".", "").replace(/^0+/, "");
}

function beginningOf(digits: string): string {
  return digits.slice(0, telling).padEnd(telling, "0");
}

/** What the stand-ins of digits in texts mean without their zeros; `null` where that is more than one number, or none. */
function numbersOfTexts({ grouped }: Drawn): ReadonlyMap<string, number | null> {
  const numbers = new Map<string, number | null>();
  for (const [key, group] of grouped) {
    const digits = /^0\d+$/.test(key) ? key.replace(/^0+/, "") : "";
    if (digits.length < fewestDigits) continue;
    numbers.set(digits, numbers.has(digits) || digits.length < safeDigits ? null : numberOf(group));
  }
  return numbers;
}

/** The one number that a value is in all its spellings. */
function numberOf({ bySpelling }: Grouped): number | null {
  const numbers = new Set([...bySpelling.values()].map((surface) => surface.replaceAll(/[ -]/g, "")));
  const [digits = ""] = numbers;
  const isNumber = numbers.size === 1 && /^[1-9]\d*$/.test(digits) && Number.isSafeInteger(Number(digits));
  return isNumber ? Number(digits) : null;
}
