import type { Finding } from "../../../contract/privacy.ts";
import { cue } from "./cues.ts";
import type { Finder } from "./reading.ts";

const reach = 32;
const longestDate = 40;

const months: readonly string[] = [
  "jan january januar janvier enero gennaio januari janeiro",
  "feb february februar février fevrier febrero febbraio februari fevereiro",
  "mar march märz maerz mars marzo maart março",
  "apr april avril abril aprile",
  "may mai mayo maggio mei maio",
  "jun june juni juin junio giugno junho",
  "jul july juli juillet julio luglio julho",
  "aug august août aout agosto augustus",
  "sep sept september septembre septiembre settembre setembro",
  "oct okt october oktober octobre octubre ottobre outubro",
  "nov november novembre noviembre novembro",
  "dec dez december dezember décembre decembre diciembre dicembre dezembro",
];
const monthNumbers: ReadonlyMap<string, number> = new Map(
  months.flatMap((names, at) => names.split(" ").map((name) => [name, at + 1] as const)),
);

const numeric = /(?<!\d)(\d{1,4})([./-] ?)(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const dayFirst =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[ -](?:of |de |d')?([A-Za-zÀ-ɏ]{3,12})\.?,?[ -](?:de |del )?(\d{4})(?!\d)/i;
const monthFirst = /(?<![A-Za-zÀ-ɏ])([A-Za-zÀ-ɏ]{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/i;
const compact = /(?<!\d)(?:19|20)\d{6}(?!\d)/;

/**
 * Finds dates of birth: a date, in figures or with the month's name, behind a word such as `born` or `geboren`. A year alone is none.
 * The canonical form is `YYYY-MM-DD` where the order of day and month is plain, else the figures as they stand.
 */
export const findBirthDates: Finder = ({ text, cues }) => {
  const found: Finding[] = [];
  for (const end of cues().endsOf(cue.birth)) {
    const first = firstDate(text.slice(end, end + reach + longestDate));
    if (first === null || first.start > reach) continue;
    const start = end + first.start;
    const { length, canonical } = first;
    found.push({ start, end: start + length, class: "birth_date", kind: "birth_date", jurisdiction: null, canonical });
  }
  return found;
};

interface FoundDate {
  readonly start: number;
  readonly length: number;
  readonly canonical: string;
}

function firstDate(text: string): FoundDate | null {
  const found = [inFigures(text), withName(text, dayFirst, 1), withName(text, monthFirst, 2), inOneRun(text)];
  return found.reduce<FoundDate | null>(
    (first, date) => (date !== null && (first === null || date.start < first.start) ? date : first),
    null,
  );
}

function inFigures(text: string): FoundDate | null {
  const match = numeric.exec(text);
  if (match === null) return null;
  const [whole, first = "", , second = "", third = ""] = match;
  if (first.length === 3 || (first.length === 4) === (third.length === 4)) {
    if (first.length !== 2 && first.length !== 1) return null;
  }
  return { start: match.index, length: whole.length, canonical: inOrder(first, second, third) };
}

function inOrder(first: string, second: string, third: string): string {
  if (first.length === 4) return toIso(first, second, third);
  if (third.length === 4 && Number(first) > 12) return toIso(third, second, first);
  if (third.length === 4 && Number(second) > 12) return toIso(third, first, second);
  return `${Number(first)}/${Number(second)}/${third}`;
}

function withName(text: string, pattern: RegExp, dayAt: 1 | 2): FoundDate | null {
  const match = pattern.exec(text);
  const month = monthNumbers.get((match?.[3 - dayAt] ?? "").toLowerCase());
  if (match === null || month === undefined) return null;
  return { start: match.index, length: match[0].length, canonical: toIso(match[3] ?? "", String(month), match[dayAt] ?? "") };
}

function inOneRun(text: string): FoundDate | null {
  const match = compact.exec(text);
  if (match === null) return null;
  const [digits] = match;
  return { start: match.index, length: 8, canonical: toIso(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)) };
}

const toIso = (year: string, month: string, day: string): string => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
