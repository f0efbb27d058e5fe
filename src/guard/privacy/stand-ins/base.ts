import { assertNever } from "../../../contract/errors.ts";
import type { DataClass } from "../../../contract/privacy.ts";
import { passesCheck } from "./checks.ts";
import { dayIn, drawDay, shiftDay } from "./dates.ts";
import { type Dice, drawSign, drawSigns } from "./dice.ts";
import { drawWord, legalFormOf, wordsOf } from "./words.ts";

/** What stands in for one value, before it is spelled like one of the value's spellings. */
export type Base =
  | { readonly kind: "name"; readonly words: readonly string[] }
  | { readonly kind: "email"; readonly word: string; readonly tail: string }
  | { readonly kind: "address"; readonly word: string; readonly house: string }
  | { readonly kind: "phone" | "number" | "code"; readonly signs: string }
  | { readonly kind: "ip"; readonly text: string }
  | { readonly kind: "mac"; readonly bytes: readonly string[] }
  | { readonly kind: "date"; readonly day: string; readonly own: string };

/** A value to draw for. */
export interface Drawing {
  readonly class: DataClass;
  readonly kind: string;
  readonly canonical: string;
  /** As it is spelled where it was found first. */
  readonly surface: string;
}

/** How a value looks, and so what stands in for it. */
export type Shape = Base["kind"];

/** The marks by which grouped letters and digits are known as ours: no card, phone or account begins so, and `ZZ` is no country. */
export const numberMark = "000";
export const codeMark = "QV";
export const ibanMark = "ZZ00";
/** Shorter ones would be met by chance. */
export const fewestSigns = 7;
const mostSigns = 40;

/** How a value looks. One that does not look like its class (in base64, say) becomes a code. */
function shapeOf({ class: of, kind, canonical, surface }: Drawing): Shape {
  switch (of) {
    case "person":
    case "organisation":
      return "name";
    case "term":
      return /\p{L}/u.test(surface) ? "name" : "number";
    case "address":
      return kind.includes("post") ? numberOrCode(surface) : "address";
    case "email":
    case "phone":
    case "ip":
    case "mac":
      return of;
    case "birth_date":
      return dayIn({ canonical, surface }) === null ? "code" : "date";
    case "iban":
      return "code";
    case "card":
    case "account":
    case "national_id":
    case "vehicle":
    case "passport":
    case "secret":
    case "url_credential":
      return numberOrCode(surface);
    default:
      return assertNever(of);
  }
}

function numberOrCode(surface: string): Shape {
  return /\p{L}/u.test(surface) || !/\p{N}/u.test(surface) ? "code" : "number";
}

/** Draws what stands in for a value. `draw` counts from 0: with it grows what is drawn, so that a free one is found in the end. */
export function drawBase({ value, dice, draw, shift }: { value: Drawing; dice: Dice; draw: number; shift: number | null }): Base {
  // Whatever is drawn by then has run out of its form, as days of a hundred years do.
  const shape = draw < 64 ? shapeOf(value) : "code";
  const extra = Math.floor((draw % 64) / 8);
  switch (shape) {
    case "name":
      return { kind: "name", words: nameLengths(value).map(() => drawWord(dice, extra)) };
    case "email":
      return { kind: "email", word: drawWord(dice, extra), tail: drawSigns(dice, "0123456789abcdef", 4) };
    case "address":
      return { kind: "address", word: drawWord(dice, extra), house: String(10 + dice(190)) };
    case "phone":
    case "number":
      return { kind: shape, signs: drawNumber({ dice, surface: value.surface, extra }) };
    case "code":
      return { kind: "code", signs: drawCode({ dice, value, extra }) };
    case "ip":
      return { kind: "ip", text: drawIp(dice, value.surface.includes(":")) };
    case "mac":
      return { kind: "mac", bytes: ["06", "c5", ...[0, 1, 2, 3].map(() => drawSigns(dice, "0123456789abcdef", 2))] };
    case "date":
      return drawDate({ dice, value, shift });
    default:
      return assertNever(shape);
  }
}

/** Longer names, and organisations, get as many words as can be copied without a slip. */
function nameLengths({ class: of, surface }: Drawing): readonly string[] {
  const words = wordsOf(surface);
  if (of === "person" && words.length <= 5) return words;
  return words.slice(0, Math.min(2, words.length - (legalFormOf(words) === null ? 0 : 1)));
}

function drawNumber({ dice, surface, extra }: { dice: Dice; surface: string; extra: number }): string {
  const count = Math.min(mostSigns, Math.max(fewestSigns, countOf(/\p{N}/gu, surface)) + extra);
  for (;;) {
    const signs = numberMark + drawSigns(dice, "0123456789", count - numberMark.length);
    // The sign behind the mark is no zero, so that the number is told from others where a model leaves its zeros out.
    if (!passesCheck(signs) && signs.charAt(numberMark.length) !== "0") return signs;
  }
}

const smallLetters = "abcdefghjkmnprstwxyz";

/** Letters for letters and digits for digits, after the mark. */
function drawCode({ dice, value, extra }: { dice: Dice; value: Drawing; extra: number }): string {
  const mark = value.class === "iban" ? ibanMark : codeMark;
  const like = (value.surface.match(/[\p{L}\p{N}]/gu) ?? []).slice(mark.length, mostSigns);
  const rest = like.map((sign) => drawLike(dice, sign)).join("");
  const wanted = (mark === ibanMark ? 14 : fewestSigns + 1) - mark.length - rest.length;
  return mark + rest + drawSigns(dice, "0123456789", Math.max(0, wanted) + extra);
}

function drawLike(dice: Dice, sign: string): string {
  if (/\p{N}/u.test(sign)) return drawSign(dice, "0123456789");
  const letter = drawSign(dice, smallLetters);
  return sign === sign.toLowerCase() && sign !== sign.toUpperCase() ? letter : letter.toUpperCase();
}

// RFC 1112, section 4: 240.0.0.0/4 is reserved. RFC 3849: 2001:db8::/32 is for examples; the third group is our mark in it.
function drawIp(dice: Dice, isSix: boolean): string {
  if (!isSix) return `241.${dice(256)}.${dice(256)}.${1 + dice(254)}`;
  const groups = [0, 1, 2, 3, 4].map(() => String(1 + dice(9)) + drawSigns(dice, "0123456789abcdef", 3));
  return `2001:db8:c5c5:${groups.join(":")}`;
}

function drawDate({ dice, value, shift }: { dice: Dice; value: Drawing; shift: number | null }): Base {
  const own = dayIn(value);
  const shifted = own === null || shift === null ? null : shiftDay(own, shift);
  return { kind: "date", day: shifted ?? drawDay(dice), own: own ?? "" };
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
