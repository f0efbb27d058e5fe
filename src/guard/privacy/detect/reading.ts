import type { Finding } from "../../../contract/privacy.ts";
import { type Cues, findCues } from "./cues.ts";

/** A folded text with what several finders ask of it, each made once and only if asked for. */
export interface Reading {
  readonly text: string;
  readonly cues: () => Cues;
  readonly numbers: () => Numbers;
  /** Runs of letters, digits, `-`, `_`, `+` and `/` that are long enough to be a key or base64. */
  readonly runs: () => Numbers;
}

/** Runs in their order, of ASCII digits where nothing else is said, as places in the text; the ends are exclusive. */
export interface Numbers {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Looks for one kind of data. What it finds is in places of the folded text. */
export type Finder = (reading: Reading) => readonly Finding[];

/** Opens a folded text for the finders. */
export function openReading(text: string): Reading {
  let cues: Cues | null = null;
  let numbers: Numbers | null = null;
  let runs: Numbers | null = null;
  return {
    text,
    cues: () => {
      cues ??= findCues(text);
      return cues;
    },
    numbers: () => {
      numbers ??= findNumbers(text);
      return numbers;
    },
    runs: () => {
      runs ??= findRuns(text);
      return runs;
    },
  };
}

/** Whether a UTF-16 code unit is a digit of ASCII; so is none that is not there (`NaN`). */
export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Whether a UTF-16 code unit is a letter or a digit of ASCII. */
export const isAlphanumeric = (unit: number): boolean => {
  const small = unit | 0x20;
  return (small >= 0x61 && small <= 0x7a && unit < 0x80) || isDigit(unit);
};

/** Whether a letter stands at a place of the text; letters outside ASCII count. */
export function hasLetterAt(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return (isAlphanumeric(unit) && !isDigit(unit)) || (unit >= 0xc0 && unit < 0x2000 && unit !== 0xd7 && unit !== 0xf7);
}

function findNumbers(text: string): Numbers {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    if (!isDigit(text.charCodeAt(index))) continue;
    starts.push(index);
    while (isDigit(text.charCodeAt(index))) index += 1;
    ends.push(index);
  }
  return { starts, ends };
}

/** No key of a known form has fewer signs in one run. */
const shortestRun = 11;

const runSigns = new Uint8Array(128);
for (const sign of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") runSigns[sign.charCodeAt(0)] = 1;
const isOfRun = (unit: number): boolean => runSigns[unit] === 1;

// Every run of this length has one of its signs at each so many places, so that most of a text need not be looked at.
function findRuns(text: string): Numbers {
  const starts: number[] = [];
  const ends: number[] = [];
  let from = 0;
  for (let probe = shortestRun - 1; probe < text.length; probe = from + shortestRun - 1) {
    if (!isOfRun(text.charCodeAt(probe))) {
      from = probe + 1;
      continue;
    }
    let start = probe;
    while (start > from && isOfRun(text.charCodeAt(start - 1))) start -= 1;
    let end = probe + 1;
    while (isOfRun(text.charCodeAt(end))) end += 1;
    if (end - start >= shortestRun) {
      starts.push(start);
      ends.push(end);
    }
    from = end + 1;
  }
  return { starts, ends };
}
