// Numbers by which states know people. Sources of the checks: the issuers' own publications, named at each.
import type { Finding } from "../../../contract/privacy.ts";
import { passesMod11And10, passesVerhoeff, passesWeights } from "./check-digits.ts";
import { cue } from "./cues.ts";
import { endOfMatch, findAtNumbers, findByCue, type NumberRow, type PatternRow } from "./pattern-row.ts";
import type { Finder, Reading } from "./reading.ts";

// Social Security Administration: no area 000 or 666, no group 00, no serial 0000. Areas of 9xx are ITINs (IRS).
const isSsn = (digits: string): boolean => /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);
const isItin = (digits: string): boolean => /^9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\d{4}$/.test(digits);

// HM Revenue & Customs, NIM39110.
const isNino = (canonical: string): boolean =>
  /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(canonical);

// NHS Data Dictionary: modulus 11 over ten digits.
const isNhs = (digits: string): boolean => passesWeights(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 11);

// Bundeszentralamt für Steuern: among the first ten digits one occurs two or three times, and the last one checks.
function isSteuerId(digits: string): boolean {
  const kinds = new Set(digits.slice(0, 10)).size;
  return !digits.startsWith("0") && (kinds === 9 || kinds === 8) && passesMod11And10(digits);
}

// INSEE: 97 minus the remainder by 97; Corsica's 2A and 2B count as 19 and 18.
function isNir(canonical: string): boolean {
  const number = Number(canonical.slice(0, 13).replace("2A", "19").replace("2B", "18"));
  return 97 - (number % 97) === Number(canonical.slice(13));
}

// Ministerio del Interior: the letter is the number's remainder by 23; X, Y and Z of a foreigner count as 0, 1 and 2.
function isDni(canonical: string): boolean {
  const number = Number(canonical.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter))));
  return "TRWAGMYFPDXBNJZSQVHLCKE".charAt(number % 23) === canonical.at(-1);
}

const nationalId = (row: Omit<PatternRow, "class">): PatternRow => ({ ...row, class: "national_id" });
const nationalNumber = (row: Omit<NumberRow, "class">): NumberRow => ({ ...row, class: "national_id" });

const byDigits: readonly NumberRow[] = [
  nationalNumber({
    kind: "uk_nino",
    ...{ leads: [3, 2], first: [2, 6] },
    jurisdiction: "gb",
    pattern: /(?<![A-Za-z0-9])[A-Za-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-Da-d](?![A-Za-z0-9])/,
    cue: cue.nino,
    judge: (value) => (isNino(value) ? "sure" : "no"),
  }),
  nationalNumber({
    kind: "fr_nir",
    ...{ leads: [0], first: [1, 15] },
    jurisdiction: "fr",
    pattern: /(?<![\dA-Za-z.])[12][ .]?\d{2}[ .]?\d{2}[ .]?\d[\dABab][ .]?\d{3}[ .]?\d{3}[ .]?\d{2}(?![\dA-Za-z])/,
    cue: cue.nir,
    judge: (value) => (/^\d{5}(?:\d\d|2[AB])\d{8}$/.test(value) ? (isNir(value) && isMonth(value) ? "sure" : "likely") : "no"),
  }),
  nationalNumber({
    kind: "es_dni",
    ...{ leads: [2, 1, 0], first: [2, 8] },
    jurisdiction: "es",
    pattern: /(?<![\dA-Za-z])(?:\d{2}\.?\d{3}\.?\d{3}|[XYZxyz]-?\d{7})[ -]?[A-Za-z](?![\dA-Za-z])/,
    cue: cue.dni,
    judge: (value) => (isDni(value) ? "sure" : "likely"),
  }),
  nationalNumber({
    kind: "in_aadhaar",
    ...{ leads: [0], first: [4, 4] },
    jurisdiction: "in",
    pattern: /(?<![\dA-Za-z]|\d[ .-])[2-9]\d{3}([ -])\d{4}\1\d{4}(?![\dA-Za-z]|[ .-]\d)/,
    cue: cue.aadhaar,
    judge: (value) => (passesVerhoeff(value) ? "sure" : "likely"),
  }),
  nationalNumber({
    kind: "in_pan",
    ...{ leads: [5], first: [4, 4] },
    jurisdiction: "in",
    pattern: /(?<![\dA-Za-z])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\dA-Za-z])/,
    cue: cue.pan,
    judge: () => "sure",
  }),
  nationalNumber({
    kind: "de_steuer_id",
    ...{ leads: [0], first: [2, 2] },
    jurisdiction: "de",
    pattern: /(?<![\dA-Za-z]|\d[ .-])[1-9]\d \d{3} \d{3} \d{3}(?![\dA-Za-z]|[ .-]\d)/,
    cue: cue.steuerId,
    judge: (value) => (isSteuerId(value) ? "sure" : "likely"),
  }),
];

const isMonth = (nir: string): boolean => /^.{3}(?:0[1-9]|1[0-2]|[2-9]\d)/.test(nir);

const byCue: readonly PatternRow[] = [
  nationalId({
    kind: "us_ssn",
    jurisdiction: "us",
    pattern: /(?<!\d)\d{3}[ -]?\d{2}[ -]?\d{4}(?!\d)/,
    cue: cue.ssn,
    judge: () => "likely",
  }),
  nationalId({
    kind: "uk_nhs",
    jurisdiction: "gb",
    pattern: /(?<!\d)\d{3}[ -]?\d{3}[ -]?\d{4}(?!\d)/,
    cue: cue.nhs,
    judge: (value) => (isNhs(value) ? "likely" : "no"),
  }),
  nationalId({
    kind: "de_steuer_id",
    jurisdiction: "de",
    pattern: /(?<!\d)[1-9]\d[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}(?!\d)/,
    cue: cue.steuerId,
    judge: () => "likely",
  }),
  nationalId({
    kind: "de_personalausweis",
    jurisdiction: "de",
    pattern: /(?<![\dA-Za-z])[CFGHJKLMNPRTVWXYZ0-9]{9}\d?(?![\dA-Za-z])/i,
    cue: cue.ausweis,
    judge: (value) => (/\d/.test(value) ? "likely" : "no"),
  }),
  nationalId({
    kind: "fr_nir",
    jurisdiction: "fr",
    pattern: /(?<![\dA-Za-z])[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3}(?: ?\d{2})?(?![\dA-Za-z])/i,
    cue: cue.nir,
    judge: () => "likely",
  }),
  nationalId({
    kind: "in_aadhaar",
    jurisdiction: "in",
    pattern: /(?<!\d)\d{4}[ -]?\d{4}[ -]?\d{4}(?!\d)/,
    cue: cue.aadhaar,
    judge: () => "likely",
  }),
  nationalId({
    kind: "in_pan",
    jurisdiction: "in",
    pattern: /(?<![\dA-Za-z])[A-Z]{5}\d{4}[A-Z](?![\dA-Za-z])/i,
    cue: cue.pan,
    judge: () => "likely",
  }),
];

const dashed = /(?<![\d.-])\d{3}([- ])\n?\d{2}\1\n?\d{4}(?![\d-]|\.\d)/y;

// Three, two and four digits with hyphens are told as American without a word; a space between them needs one.
const findSsns: Finder = (reading) => {
  const { text, numbers } = reading;
  const { starts, ends } = numbers();
  const found: Finding[] = [];
  for (let at = 0; at + 2 < starts.length; at += 1) {
    const start = starts[at] ?? 0;
    const end = (ends[at] ?? 0) - start === 3 ? endOfMatch(dashed, text, start) : null;
    if (end === null) continue;
    const canonical = text.slice(start, end).replace(/\D/g, "");
    if (!isAmerican(reading, start, canonical)) continue;
    const kind = isItin(canonical) ? "us_itin" : "us_ssn";
    found.push({ start, end, class: "national_id", kind, jurisdiction: "us", canonical });
    at += 2;
  }
  return found;
};

function isAmerican({ text, cues }: Reading, start: number, canonical: string): boolean {
  const announced = cues().before(start, 32);
  if ((announced & cue.ssn) !== 0) return true;
  const isPlain = (announced & cue.plain) !== 0 || /[A-Za-z_#]/.test(text.charAt(start - 1));
  return text.charAt(start + 3) !== " " && !isPlain && (isSsn(canonical) || isItin(canonical));
}

/** Finders of identity numbers of the US, the UK, Germany, France, Spain and India. The canonical form is letters and digits alone, in capitals. */
export const nationalIdFinders: readonly Finder[] = [findSsns, ...byDigits.map(findAtNumbers), ...byCue.map(findByCue)];
