import { currencyOfSign, isCurrency, isDollar } from "./currency.ts";

/** What stands beside a number: its currency, how far it reaches with it, and whether all of that is understood. */
export interface Beside {
  /** By its ISO 4217 code; empty where there is none. */
  readonly unit: string;
  /** Where it is not understood, what makes it so is within, as far as that stands at the number. */
  readonly from: number;
  readonly to: number;
  /** False where a word or a sign beside it makes it another amount than it says, such as `R$` or `trillion`. */
  readonly isClear: boolean;
}

/** How far around a number its currency and scale are looked for, in UTF-16 code units. */
const reach = 24;

/**
 * Reads what stands beside a number that is no percentage: codes on either side, signs behind it, and words that are known to change what it
 * counts and are not read. `sign` is the currency of the sign that stands before it.
 */
export function besideNumber({
  text,
  from,
  to,
  sign,
}: {
  text: string;
  from: number;
  to: number;
  sign: { readonly unit: string; readonly isBare: boolean };
}): Beside {
  const ahead = text.slice(Math.max(0, from - reach), from);
  const behind = text.slice(to, to + reach);
  const first = codeAhead.exec(ahead);
  const last = currencyBehind(behind);
  const units = [first?.[1] ?? "", last.unit].filter((code) => isCurrency(code));
  const [named = ""] = units;
  const unit = sign.unit === "" || (sign.isBare && isDollar(named)) ? named || sign.unit : sign.unit;
  const isOne = units.every((code) => code === unit);
  const start = first !== null && isCurrency(first[1] ?? "") ? from - first[0].length : from;
  const around = {
    ahead: text.slice(Math.max(0, start - reach), start),
    behind: text.slice(to + last.length, to + last.length + reach),
  };
  const isClear =
    isOne &&
    !isScaled(around, unit) &&
    (named === "" || !isSignedOutside({ ...around, number: text.slice(from, to) })) &&
    (unit === "" ? !isOdd(ahead, behind) : !isWordAhead(first, sign.unit + last.unit));
  const end = to + last.length;
  if (isClear) return { unit, from: start, to: end, isClear };
  return { unit, from: start - lengthOf(notReadAhead, around.ahead), to: end + lengthOf(notReadBehind, around.behind), isClear };
}

/** How much of the text the longest of what is not read takes. */
function lengthOf(patterns: readonly RegExp[], text: string): number {
  return Math.max(0, ...patterns.map((pattern) => pattern.exec(text)?.[0].length ?? 0));
}

const codeAhead = /(?<![\p{L}\p{N}_])([A-Z]{3})\s{1,2}$/u;
const codeBehind = /^\s{1,2}([A-Z]{3})(?![\p{L}\p{N}_])/u;
/** Words in capitals as often as currencies; before a number alone they are not read. */
const words: ReadonlySet<string> = new Set(["ALL", "TOP", "TRY", "CUP", "PEN", "MAD", "SOS", "COP", "GEL", "MOP"]);

/** A sign or a word behind a number belongs to it where no other number follows. */
function currencyBehind(behind: string): { readonly unit: string; readonly length: number } {
  const [whole, code] = codeBehind.exec(behind) ?? [];
  if (whole !== undefined && code !== undefined && isCurrency(code)) return { unit: code, length: whole.length };
  const [signed, sign] =
    /^\s{0,2}([\u20ac\u00a3\u00a5$]|(?:euros?|yen)(?![\p{L}\p{N}_]))(?!\s{0,4}[\p{N}(-])/iu.exec(behind) ?? [];
  if (signed === undefined || sign === undefined) return { unit: "", length: 0 };
  const unit = /^e/i.test(sign) ? "EUR" : /^y/i.test(sign) ? "JPY" : currencyOfSign(sign);
  return { unit: unit ?? "", length: signed.length };
}

function isWordAhead(first: RegExpExecArray | null, others: string): boolean {
  return others === "" && words.has(first?.[1] ?? "");
}

const scaleWord =
  "(?:thousand|million|billion|trillion|quadrillion|hundred|dozen|lakh|crore)s?|tn|trn|mn|mln|mio|mrd|bln|bn|tsd|tausend|million(?:en)?|milliarden?|billionen";
const scaledBehind = new RegExp(`^[\\s-]{0,3}(?:${scaleWord})(?![\\p{L}\\p{N}_])`, "iu");
const scaledAhead = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${scaleWord})\\.?\\s{1,2}$`, "iu");

/** A scale that is not read; behind money also a letter that would be a measure elsewhere. */
function isScaled({ ahead, behind }: { ahead: string; behind: string }, unit: string): boolean {
  if (scaledBehind.test(behind) || scaledAhead.test(ahead)) return true;
  return unit !== "" && letterBehind.test(behind);
}

const letterBehind = /^\s{1,2}(?:mm|[kmbt])(?![\p{L}\p{N}_])/iu;

/** `(EUR 5)` and `(5 EUR)` may be negative and may be an aside; `-EUR 5` is no form that is read. */
function isSignedOutside({ ahead, number, behind }: { ahead: string; number: string; behind: string }): boolean {
  const isOpen = number.startsWith("(");
  const isBracketed = (isOpen || /\(\s?$/.test(ahead)) && (/^\s?\)/.test(behind) || (number.endsWith(")") && !isOpen));
  return isBracketed || /(?<![\p{L}\p{N})]\s?)[-\u2212]$/u.test(ahead);
}

/** Currencies without one code of theirs, codes that nobody knows, and digits that are covered in part. */
function isOdd(ahead: string, behind: string): boolean {
  const isUnknown = codeAhead.test(ahead) || codeBehind.test(behind);
  return isUnknown || oddAhead.test(ahead) || oddBehind.test(behind) || /(?:\*{3,}|[\u2022\u25cf]{2,})\s?$/.test(ahead);
}

const oddAhead =
  /(?:\p{Sc}[\s(\-\u2212]{0,4}|(?<![\p{L}\p{N}_])(?:kr|Rs|S?Fr|Rp|RM|K\u010d|z\u0142|[TKM](?:EUR|USD|GBP|CHF))\.?\s{1,2})$/u;
const oddBehind =
  /^\s{0,2}(?:[A-Z]{0,3}\p{Sc}|(?:kr|Rs|S?Fr|Rp|RM|K\u010d|z\u0142|Ft|[TKM](?:EUR|USD|GBP|CHF)|(?:[A-Z][\p{L}.]{1,12}\s)?(?:[Dd]ollars?|[Pp]ounds?|[Ff]rancs?|[Cc]rowns?|kron(?:a|or|er)|[Rr]upees?|[Yy]uan|[Pp]esos?|[Rr]oubles?|[Rr]ubles?|[Cc]ents?|[Pp]ence))(?![\p{L}\p{N}_]))/u;

/** The `R` of `R$`. */
const joinedAhead = /(?<!\p{L})\p{L}{1,4}\p{Sc}[\s(\-\u2212]{0,4}$/u;
const notReadAhead = [codeAhead, scaledAhead, oddAhead, joinedAhead];
const notReadBehind = [codeBehind, scaledBehind, oddBehind, letterBehind];
