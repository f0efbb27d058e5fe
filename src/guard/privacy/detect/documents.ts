// Passports, driving licences, accounts, vehicles and network cards: what has a shape of its own, and what only a word tells.
import type { Finding } from "../../../contract/privacy.ts";
import { passesWeights } from "./check-digits.ts";
import { cue } from "./cues.ts";
import { endOfMatch, findByCue, type PatternRow } from "./pattern-row.ts";
import { type Finder, isAlphanumeric } from "./reading.ts";

const hasDigits = (value: string, fewest: number): boolean => value.replace(/\D/g, "").length >= fewest;

// ISO 3779 with the check digit of 49 CFR 565.15: letters count by their place in the table, I, O and Q are none.
const letterValues = new Map([..."ABCDEFGH"].map((letter, at) => [letter, at + 1] as const));
for (const [at, letter] of [..."JKLMN"].entries()) letterValues.set(letter, at + 1);
for (const [letter, value] of [
  ["P", 7],
  ["R", 9],
] as const) {
  letterValues.set(letter, value);
}
for (const [at, letter] of [..."STUVWXYZ"].entries()) letterValues.set(letter, at + 2);
const vinWeights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

function isVin(canonical: string): boolean {
  const sum = vinWeights.reduce((total, weight, at) => total + weight * vinValue(canonical.charAt(at)), 0);
  return "0123456789X".charAt(sum % 11) === canonical.charAt(8);
}
const vinValue = (sign: string): number => letterValues.get(sign) ?? Number(sign);

// American Bankers Association: 3 7 1 over nine digits.
const isRouting = (digits: string): boolean => passesWeights(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1], 10);

const pairs = /(?<![0-9A-Za-z:-])[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}(?![0-9A-Za-z:-])/y;
const quarters = /(?<![0-9A-Za-z.])[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}(?![0-9A-Za-z.])/y;

// Told by two equal signs at the distance of a group, so that no letter of a text is looked at.
const findMacs: Finder = ({ text }) => [
  ...macsBy({ text, sign: ":", size: 2, pattern: pairs }),
  ...macsBy({ text, sign: "-", size: 2, pattern: pairs }),
  ...macsBy({ text, sign: ".", size: 4, pattern: quarters }).filter(({ canonical }) => /[A-F]/.test(canonical)),
];

interface MacForm {
  readonly text: string;
  readonly sign: ":" | "-" | ".";
  /** How many digits a group has. */
  readonly size: number;
  readonly pattern: RegExp;
}

function macsBy({ text, sign, size, pattern }: MacForm): readonly Finding[] {
  const found: Finding[] = [];
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    if (at < size || text.charAt(at + size + 1) !== sign) continue;
    const end = endOfMatch(pattern, text, at - size);
    if (end === null) continue;
    const canonical = text
      .slice(at - size, end)
      .replaceAll(sign, "")
      .toUpperCase();
    found.push({ start: at - size, end, class: "mac", kind: "mac", jurisdiction: null, canonical });
    at = end;
  }
  return found;
}

const vinLength = 17;

// A VIN ends in four digits at least, so that it is looked for from the ends of numbers and not at every word.
const findVins: Finder = ({ text, numbers }) => {
  const found: Finding[] = [];
  const { starts, ends } = numbers();
  for (const [at, end] of ends.entries()) {
    const start = end - vinLength;
    if (
      end - (starts[at] ?? 0) < 4 ||
      start < 0 ||
      isAlphanumeric(text.charCodeAt(start - 1)) ||
      isAlphanumeric(text.charCodeAt(end))
    )
      continue;
    const canonical = text.slice(start, end).toUpperCase();
    if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(canonical) || !/[A-Z].*[A-Z]/.test(canonical) || !isVin(canonical)) continue;
    found.push({ start, end, class: "vehicle", kind: "vin", jurisdiction: null, canonical });
  }
  return found;
};

const byCue: readonly PatternRow[] = [
  {
    class: "passport",
    kind: "passport",
    jurisdiction: null,
    pattern: /(?<![A-Za-z0-9])[A-Za-z]{0,3}\d[A-Za-z0-9]{4,8}(?![A-Za-z0-9])/,
    cue: cue.passport,
    judge: (value) => (hasDigits(value, 5) ? "likely" : "no"),
  },
  {
    class: "passport",
    kind: "passport",
    jurisdiction: "de",
    pattern: /(?<![A-Za-z0-9])[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}(?![A-Za-z0-9])/,
    cue: cue.passport,
    judge: (value) => (hasDigits(value, 2) ? "likely" : "no"),
  },
  {
    class: "national_id",
    kind: "driving_licence",
    jurisdiction: null,
    pattern: /(?<![A-Za-z0-9])[A-Za-z]{0,5}\d(?:-?[A-Za-z0-9]){4,19}(?![A-Za-z0-9])/,
    cue: cue.licence,
    judge: (value) => (hasDigits(value, 5) ? "likely" : "no"),
  },
  {
    class: "account",
    kind: "us_routing",
    jurisdiction: "us",
    pattern: /(?<!\d)\d{9}(?!\d)/,
    cue: cue.routing,
    judge: (value) => (isRouting(value) ? "likely" : "no"),
  },
  {
    class: "account",
    kind: "sort_code",
    jurisdiction: null,
    pattern: /(?<![\d.,-])(?:\d{2}-\d{2}-\d{2}|\d{6}|\d{3} ?\d{3} ?\d{2})(?![\d-])/,
    cue: cue.routing,
    judge: () => "likely",
    reach: 24,
  },
  {
    class: "account",
    kind: "account",
    jurisdiction: null,
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/,
    cue: cue.account,
    judge: (value) => (hasDigits(value, 8) ? "likely" : "no"),
    reach: 24,
  },
  {
    class: "account",
    kind: "account",
    jurisdiction: null,
    pattern: /(?<![\dA-Za-z.,$€£#-])\d(?:[ -]?\d){6,18}(?![\dA-Za-z]|[.,]\d)/,
    cue: cue.account,
    judge: () => "likely",
    reach: 24,
  },
  {
    class: "vehicle",
    kind: "vin",
    jurisdiction: null,
    pattern: /(?<![A-Za-z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/i,
    cue: cue.vin,
    judge: (value) => (hasDigits(value, 4) ? "likely" : "no"),
  },
  {
    class: "vehicle",
    kind: "plate",
    jurisdiction: null,
    pattern:
      /(?<![A-Za-z0-9])(?=[A-Z0-9 -]{0,9}\d)(?=[A-Z0-9 -]{0,9}[A-Z])[A-ZÄÖÜ0-9]{1,4}(?:[ -]?[A-Z0-9]{1,4}){1,2}(?![A-Za-z0-9])/,
    cue: cue.plate,
    judge: (value) => (hasDigits(value, 1) && value.length >= 4 && value.length <= 9 && /[A-Z]/.test(value) ? "likely" : "no"),
    reach: 24,
  },
];

/** Finders of passports, driving licences, bank accounts, vehicles and network cards. The canonical form is letters and digits alone, in capitals. */
export const documentFinders: readonly Finder[] = [findVins, findMacs, ...byCue.map(findByCue)];
