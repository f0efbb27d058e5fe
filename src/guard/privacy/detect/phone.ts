import type { Finding } from "../../../contract/privacy.ts";
import { type CanonicalPhone, canonicalPhones } from "./canonical-phone.ts";
import { cue } from "./cues.ts";
import { judgePhone, type PhoneCandidate } from "./judge-phone.ts";
import { type Finder, hasLetterAt, isDigit, type Reading } from "./reading.ts";

const mostGroups = 7;
const mostDigits = 17;
const fewestDigits = 6;
const longestGap = 4;

/**
 * Finds telephone numbers: international ones, those with an area code in brackets or a leading zero, those in a country's usual groups, and any
 * other that a word such as `call` or `fax` announces. An extension belongs to the number. The canonical form is E.164 where one can be told.
 */
export const findPhones: Finder = (reading) => {
  const found: Finding[] = [];
  const canonical = canonicalPhones();
  const { starts } = reading.numbers();
  for (let first = 0; first < starts.length; ) {
    const widest = hasEnough(reading, first) ? widestPhone(reading, { first, canonical }) : null;
    if (widest !== null) found.push(widest.finding);
    first = widest === null ? first + 1 : widest.last + 1;
  }
  return found;
};

// Most numbers of a text are short and alone: told before anything is made for them.
function hasEnough({ text, numbers }: Reading, first: number): boolean {
  const { starts, ends } = numbers();
  let count = 0;
  if (continuesNumber(text, starts[first] ?? 0)) return false;
  for (let at = first; at < starts.length && at - first < mostGroups; at += 1) {
    const start = starts[at] ?? 0;
    if (at > first && start - (ends[at - 1] ?? 0) > longestGap) return false;
    count += (ends[at] ?? 0) - start;
    if (count >= fewestDigits) return true;
  }
  return false;
}

// `123-45-` before a group: whatever it is, it began further left.
function continuesNumber(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  // A comma, a hyphen, a full stop or a stroke.
  return before >= 0x2c && before <= 0x2f && isDigit(text.charCodeAt(start - 2));
}

interface Search {
  readonly first: number;
  readonly canonical: ReturnType<typeof canonicalPhones>;
}

interface Window {
  readonly candidate: PhoneCandidate;
  readonly last: number;
}

function widestPhone(
  reading: Reading,
  { first, canonical }: Search,
): { readonly finding: Finding; readonly last: number } | null {
  const { starts } = reading.numbers();
  let best: Window | null = null;
  let groups: Groups | null = null;
  for (let last = first; last < starts.length && last - first < mostGroups; last += 1) {
    groups = widened(reading, groups, last);
    if (groups === null || (best !== null && !mayGoOn(best, groups, canonical))) break;
    if (groups.count < fewestDigits) continue;
    const candidate = toCandidate(reading, groups);
    const isWhole = best === null || !endsLine(groups) || canonical(candidate).jurisdiction !== null;
    if (isWhole && judgePhone(candidate)) best = { candidate, last };
  }
  return best === null
    ? null
    : { finding: toFinding(best.candidate, canonical(best.candidate)), last: lastWithin(reading, best) };
}

const endsLine = ({ gaps }: Groups): boolean => gaps.at(-1)?.includes("\n") === true;

// What is a number already ends with its line, but for an international one that no numbering plan knows yet.
const mayGoOn = ({ candidate }: Window, groups: Groups, canonical: Search["canonical"]): boolean =>
  !endsLine(groups) || (candidate.text.charAt(candidate.start) === "+" && canonical(candidate).jurisdiction === null);

interface Groups extends Pick<PhoneCandidate, "groups" | "gaps"> {
  /** Of the first digit. */
  readonly start: number;
  readonly end: number;
  /** Digits in all. */
  readonly count: number;
}

// The groups with one more run of digits; `null` where that one is not of the same number.
function widened({ text, numbers }: Reading, groups: Groups | null, at: number): Groups | null {
  const start = numbers().starts[at] ?? 0;
  const end = numbers().ends[at] ?? start;
  const count = (groups?.count ?? 0) + end - start;
  if (count > mostDigits) return null;
  if (groups === null) return { start, end, count, groups: [text.slice(start, end)], gaps: [] };
  const gap = gapBetween(text, groups.end, start);
  const isAreaAbroad =
    groups.groups.length === 1 && (text.charAt(groups.start - 1) === "+" || /^0\d\d/.test(groups.groups[0] ?? ""));
  if (gap === null || (!isAreaAbroad && isStray(text, start, { end, gap }))) return null;
  return { start: groups.start, end, count, groups: [...groups.groups, text.slice(start, end)], gaps: [...groups.gaps, gap] };
}

function toCandidate(reading: Reading, { start: digit, end, groups, gaps }: Groups): PhoneCandidate {
  const { text } = reading;
  const opening = openingOf(text, digit);
  const start = gaps.some((gap) => gap.includes(")")) ? opening : withoutBracket(text, opening, digit);
  return { text, start, end: closingOf(text, end), groups, gaps, cues: cuesOf(reading, start, end) };
}

const beforeReach = 36;
const nearReach = 12;

function cuesOf({ text, cues }: Reading, start: number, end: number): PhoneCandidate["cues"] {
  const before = cues().before(start, beforeReach);
  const after = cues().after(end, 3);
  return {
    isAnnounced: (before & cue.phone) !== 0 || ((before & cue.plain) === 0 && (after & cue.phoneAfter) !== 0),
    isNear: (cues().before(start, nearReach) & cue.phone) !== 0,
    isPlain: (before & cue.plain) !== 0 && (before & cue.phone) === 0,
    isGlued: hasLetterAt(text, start - 1) && (cues().before(start, 0) & cue.phone) === 0,
  };
}

// A single digit begins a number, or is the `(0)` that is not dialled from abroad.
const isStray = (text: string, start: number, { end, gap }: { readonly end: number; readonly gap: string }): boolean =>
  end - start === 1 && gap !== "" && !(text.charAt(start) === "0" && gap.endsWith("("));

// A plus sign, a bracket or both before the first digit belong to the number.
function openingOf(text: string, first: number): number {
  let start = first;
  while (start > 0 && first - start < 3 && "+( ".includes(text.charAt(start - 1))) start -= 1;
  while (text.charAt(start) === " ") start += 1;
  return start;
}

// A bracket that closes behind the number, or never, is the sentence's.
function withoutBracket(text: string, opening: number, digit: number): number {
  const plus = text.slice(opening, digit).indexOf("+");
  return plus >= 0 ? opening + plus : text.charAt(opening) === "(" ? digit : opening;
}

// A bracket that only now closes, as in `(0) 30 (1234567)`.
const closingOf = (text: string, end: number): number =>
  text.charAt(end) === ")" && text.slice(Math.max(0, end - 8), end).includes("(") ? end + 1 : end;

const gapPattern = /^(?:[ .\-/]|\)|\) ?-?|-?\n| ?\(| ?\(0\) ?| ?[-/.] |\)\()$/;

function gapBetween(text: string, start: number, end: number): string | null {
  if (end - start > longestGap) return null;
  const gap = text.slice(start, end);
  return gapPattern.test(gap) ? gap : null;
}

const extension = /^,? ?(?:x|ext\.?|extension|durchwahl|poste|#|;ext=) ?\.?:? ?(\d{1,6})(?!\d)/i;

function toFinding({ text, start, end }: PhoneCandidate, { canonical, jurisdiction }: CanonicalPhone): Finding {
  const tail = extension.exec(text.slice(end, end + 20));
  return {
    start,
    end: end + (tail?.[0].length ?? 0),
    class: "phone",
    kind: "phone",
    jurisdiction,
    canonical: tail === null ? canonical : `${canonical};ext=${tail[1]}`,
  };
}

// The extension is a run of digits of its own; it must not begin the next number.
function lastWithin({ numbers }: Reading, { candidate: { text, end }, last }: Window): number {
  const next = numbers().starts[last + 1];
  return next !== undefined && extension.test(text.slice(end, end + 20)) ? last + 1 : last;
}
