import type { Finding } from "../../../contract/privacy.ts";
import { type Cues, findCues } from "./cues.ts";

/** A folded text with what several finders ask of it, each made once and only if asked for. */
export interface Reading {
  readonly text: string;
  readonly cues: () => Cues;
  readonly numbers: () => Numbers;
}

/** Runs of ASCII digits in their order, as places in the text; the ends are exclusive. */
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
