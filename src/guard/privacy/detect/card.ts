import type { Finding } from "../../../contract/privacy.ts";
import { passesLuhn } from "./check-digits.ts";
import { cue } from "./cues.ts";
import { type Finder, hasLetterAt, isAlphanumeric, isDigit, type Reading } from "./reading.ts";

const shortest = 12;
const longest = 19;
const mostGroups = 7;
const cueReach = 32;

/**
 * Finds payment card numbers of 13 to 19 digits (of 12 where a word announces them), in one run or in the groups that cards are printed in.
 * Sure by brand, length and Luhn; also by brand and length alone, and by a word such as `card` before it. The canonical form is the digits.
 */
export const findCards: Finder = (reading) => {
  const found: Finding[] = [];
  const { starts, ends } = reading.numbers();
  for (let first = 0; first < starts.length; ) {
    const window = (ends[first] ?? 0) - (starts[first] ?? 0) >= 2 ? widestCard(reading, first) : null;
    if (window !== null) found.push(window.finding);
    first = window === null ? first + 1 : window.last + 1;
  }
  return found;
};

interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly sizes: readonly number[];
  /** Where a line ends within it, once at most: the place of the group that begins the new one. */
  readonly brokenAt: number | null;
}

interface Window {
  readonly finding: Finding;
  readonly last: number;
}

function widestCard(reading: Reading, first: number): Window | null {
  const { starts } = reading.numbers();
  let best: Window | null = null;
  let candidate: Candidate | null = null;
  for (let last = first; last < starts.length && last - first < mostGroups; last += 1) {
    candidate = widened(reading, candidate, last);
    if (candidate === null) break;
    const finding = candidate.digits.length < shortest ? null : judge(reading, candidate);
    if (finding !== null) best = { finding, last };
  }
  return best;
}

// The candidate with one more run of digits; `null` where that one is not of the same number.
function widened({ text, numbers }: Reading, candidate: Candidate | null, at: number): Candidate | null {
  const start = numbers().starts[at] ?? 0;
  const end = numbers().ends[at] ?? start;
  const { digits = "", sizes = [], brokenAt = null } = candidate ?? {};
  const gap = candidate === null ? 0 : gapKind(text, candidate.end, start);
  if (gap === null || (gap === 2 && brokenAt !== null) || digits.length + end - start > longest) return null;
  return {
    start: candidate?.start ?? start,
    end,
    digits: digits + text.slice(start, end),
    sizes: [...sizes, end - start],
    brokenAt: gap === 2 ? sizes.length : brokenAt,
  };
}

// 1: a separator within a card's number; 2: one with the end of a line; `null`: another number begins.
function gapKind(text: string, start: number, end: number): 1 | 2 | null {
  const gap = text.slice(start, Math.min(end, start + 4));
  if (gap === " " || gap === "-" || gap === "." || gap === " - ") return 1;
  return gap === "\n" || gap === "-\n" || gap === " \n" || gap === "\n " ? 2 : null;
}

const printed = /^(?:4 4 4 (?:[1-4]|4 [1-3])|4 6 [45]|8 8|6 (?:7|1[0-3]))$/;

function judge(reading: Reading, candidate: Candidate): Finding | null {
  const { start, end, digits } = candidate;
  const isPrinted = isInGroups(candidate);
  if (!isPrinted || isPartOfOther(reading.text, start, end) || /^(\d)\1*$/.test(digits)) return null;
  const brand = brandOf(digits);
  const announced = reading.cues().before(start, cueReach);
  const hasCue = (announced & (cue.card | cue.pan)) !== 0;
  const isValid = passesLuhn(digits);
  const isSure = brand?.usual.includes(digits.length) === true && isValid;
  const isLikely =
    brand !== null &&
    digits.length >= 15 &&
    (brand.isMostUsed === true || candidate.sizes.length > 1) &&
    (announced & cue.plain) === 0 &&
    !hasLetters(reading.text, start, end);
  if (!isSure && !hasCue && !isLikely) return null;
  return { start, end, class: "card", kind: brand?.name ?? "card", jurisdiction: null, canonical: digits };
}

// A line may end between two groups of print or within one.
function isInGroups({ sizes, brokenAt }: Candidate): boolean {
  const fits = (groups: readonly number[]): boolean => groups.length === 1 || printed.test(groups.join(" "));
  if (brokenAt === null || fits(sizes)) return fits(sizes);
  const joint = (sizes[brokenAt - 1] ?? 0) + (sizes[brokenAt] ?? 0);
  return fits([...sizes.slice(0, brokenAt - 1), joint, ...sizes.slice(brokenAt + 1)]);
}

const hasLetters = (text: string, start: number, end: number): boolean => hasLetterAt(text, start - 1) || hasLetterAt(text, end);

// A fraction, a part of a UUID or of a key in hexadecimal, a longer number in groups.
function isPartOfOther(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (isDigit(text.charCodeAt(start - 2)) && (before === 0x2e || before === 0x2c || before === 0x2d)) return true;
  if (isDigit(text.charCodeAt(end + 1)) && (after === 0x2e || after === 0x2c || after === 0x2d)) return true;
  return isMixedBefore(text, start) || isMixedAfter(text, end) || (before === 0x2d && isHexGroup(text, start - 2));
}

const nearby = 24;

// Whether the letters glued to the number have digits of their own behind them.
function isMixedBefore(text: string, start: number): boolean {
  for (let at = start - 1; at >= 0 && at > start - nearby; at -= 1) {
    const unit = text.charCodeAt(at);
    if (!isAlphanumeric(unit)) return false;
    if (isDigit(unit)) return true;
  }
  return false;
}

function isMixedAfter(text: string, end: number): boolean {
  for (let at = end; at < end + nearby; at += 1) {
    const unit = text.charCodeAt(at);
    if (!isAlphanumeric(unit)) return false;
    if (isDigit(unit)) return true;
  }
  return false;
}

// Four hexadecimal digits with a hyphen before them, as the middle of a UUID has.
function isHexGroup(text: string, last: number): boolean {
  return /-[0-9a-f]{4}$/i.test(text.slice(Math.max(0, last - 4), last + 1));
}

interface Brand {
  readonly name: string;
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
  /** Those at which a number without a word beside it is taken for a card: barcodes have 13 digits as well. */
  readonly usual: readonly number[];
  /** A number of its prefix and length in one run is more likely its card than anything else, though its check digit be wrong. */
  readonly isMostUsed?: true;
}

// Issuer ranges as the schemes publish them; the first that fits counts.
const brands: readonly Brand[] = [
  { name: "visa", prefix: /^4/, lengths: [13, 16, 19], usual: [13, 16, 19], isMostUsed: true },
  { name: "mastercard", prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16], usual: [16], isMostUsed: true },
  { name: "amex", prefix: /^3[47]/, lengths: [15], usual: [15], isMostUsed: true },
  { name: "jcb", prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19], usual: [16] },
  { name: "jcb", prefix: /^(?:2131|1800)/, lengths: [15], usual: [15] },
  { name: "diners", prefix: /^3(?:0[0-5]|09|[689])/, lengths: [14, 15, 16, 17, 18, 19], usual: [14, 16] },
  { name: "discover", prefix: /^6(?:011|4[4-9]|5)/, lengths: [16, 17, 18, 19], usual: [16, 19] },
  { name: "unionpay", prefix: /^(?:62|81)/, lengths: [16, 17, 18, 19], usual: [16, 17, 18, 19] },
  { name: "mir", prefix: /^220[0-4]/, lengths: [16, 17, 18, 19], usual: [16, 19] },
  { name: "maestro", prefix: /^(?:50|5[6-9]|6)/, lengths: [12, 13, 14, 15, 16, 17, 18, 19], usual: [16, 18, 19] },
];

function brandOf(digits: string): Brand | null {
  return brands.find(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) ?? null;
}
