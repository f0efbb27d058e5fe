import { countrySpecs } from "ibantools";
import type { Finding } from "../../../contract/privacy.ts";
import { remainderBy97 } from "./check-digits.ts";
import { endOfMatch } from "./pattern-row.ts";
import { type Finder, isAlphanumeric } from "./reading.ts";

interface Layout {
  readonly length: number;
  readonly account: RegExp;
}

// Length and national layout of each country of the IBAN registry.
const layouts: ReadonlyMap<string, Layout> = new Map(
  Object.entries(countrySpecs).flatMap(([country, { chars, bban_regexp: account }]) =>
    typeof chars !== "number" || typeof account !== "string"
      ? []
      : [[country, { length: chars, account: new RegExp(account) }] as const],
  ),
);

const opening = /[A-Za-z]{2}[ -]?\d{2}[ -]?[A-Za-z0-9]{2}/y;

/**
 * Finds IBANs (ISO 13616) by their country's length and layout, in one run or in groups, in capitals or small letters.
 * One with wrong check digits is found too: a slip of the hand is somebody's account still. The canonical form is without separators, in capitals.
 */
export const findIbans: Finder = ({ text, numbers }) => {
  const found: Finding[] = [];
  const { starts, ends } = numbers();
  for (let at = 0; at < starts.length; at += 1) {
    const digit = starts[at] ?? 0;
    // The country stands before the two check digits.
    const start = digit - (isAlphanumeric(text.charCodeAt(digit - 1)) ? 2 : 3);
    if ((ends[at] ?? 0) - digit < 2 || start < 0 || endOfMatch(opening, text, start) === null) continue;
    const country = text.slice(start, start + 2).toUpperCase();
    const layout = layouts.get(country);
    const taken = layout === undefined ? null : take(text, start, layout.length);
    if (layout === undefined || taken === null || !fits(taken, layout, isAlphanumeric(text.charCodeAt(start - 1)))) continue;
    const jurisdiction = country.toLowerCase();
    found.push({ start, end: taken.end, class: "iban", kind: "iban", jurisdiction, canonical: taken.canonical });
  }
  return found;
};

interface Taken {
  readonly canonical: string;
  readonly end: number;
  /** Groups are of one length but for the last one, or there is one group alone. */
  readonly isRegular: boolean;
}

// So many letters and digits from a place on, with one separator between groups; `null` where there are not as many, or one more follows.
function take(text: string, start: number, length: number): Taken | null {
  let canonical = "";
  const sizes: number[] = [];
  let place = start;
  while (canonical.length < length) {
    const from = place;
    while (place - from < length - canonical.length && isAlphanumeric(text.charCodeAt(place))) place += 1;
    if (place === from) return null;
    canonical += text.slice(from, place).toUpperCase();
    sizes.push(place - from);
    if (canonical.length < length) place += gapLength(text, place);
  }
  if (isAlphanumeric(text.charCodeAt(place))) return null;
  return { canonical, end: place, isRegular: sizes.length === 1 || sizes.slice(0, -1).every((size) => size === 4) };
}

function gapLength(text: string, place: number): number {
  const isSeparated = " -\n".includes(text.charAt(place));
  return isSeparated && text.charAt(place) === "-" && text.charAt(place + 1) === "\n" ? 2 : isSeparated ? 1 : 0;
}

// What is glued to a word, or oddly grouped, must pass the check as well.
function fits({ canonical, isRegular }: Taken, { account }: Layout, isGlued: boolean): boolean {
  if (!account.test(canonical.slice(4))) return false;
  return (isRegular && !isGlued) || remainderBy97(canonical.slice(4) + canonical.slice(0, 4)) === 1;
}
