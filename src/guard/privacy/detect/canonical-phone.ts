import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { PhoneCandidate } from "./judge-phone.ts";

/** A telephone number in E.164 with its country where the numbering plans tell, else its digits and no country. */
export interface CanonicalPhone {
  readonly canonical: string;
  readonly jurisdiction: string | null;
}

/**
 * Makes what tells which number a candidate is, once for each number however often it occurs. A number without a country is read as an American
 * one where its shape and range are such.
 */
export function canonicalPhones(): (candidate: PhoneCandidate) => CanonicalPhone {
  const known = new Map<string, CanonicalPhone>();
  return (candidate) => {
    const spelling = candidate.text.slice(candidate.start, candidate.end);
    const canonical = known.get(spelling) ?? canonicalPhone(candidate);
    known.set(spelling, canonical);
    return canonical;
  };
}

function canonicalPhone({ text, start, groups, gaps }: PhoneCandidate): CanonicalPhone {
  const digits = withoutTrunkZero(groups, gaps);
  const hasPlus = text.charAt(start) === "+" || text.startsWith("(+", start);
  const international = hasPlus ? `+${digits}` : digits.startsWith("00") ? `+${digits.slice(2)}` : null;
  if (international !== null) return parsed(international) ?? { canonical: international, jurisdiction: null };
  const isAmerican = digits.length === 10 || (digits.length === 11 && digits.startsWith("1"));
  const american = isAmerican && /^1?[2-9]/.test(digits) ? parsed(`+1${digits.slice(-10)}`) : null;
  return american ?? { canonical: digits, jurisdiction: null };
}

// `+44 (0)20` dials the zero only from within.
function withoutTrunkZero(groups: readonly string[], gaps: readonly string[]): string {
  return groups.filter((group, at) => !(group === "0" && gaps[at - 1]?.endsWith("(") === true)).join("");
}

function parsed(international: string): CanonicalPhone | null {
  const number = parsePhoneNumberFromString(international);
  if (number?.isValid() !== true) return null;
  return { canonical: number.number, jurisdiction: number.country?.toLowerCase() ?? null };
}
