import { assertNever } from "../../../contract/errors.ts";
import { type Base, codeMark, ibanMark, numberMark } from "./base.ts";
import { spellDay } from "./dates.ts";
import { casedLike, legalFormOf, wordsOf } from "./words.ts";

/** Ways of writing a stand-in like a value is spelled; the first is the most like it. */
export function spellingsOf(base: Base, surface: string): readonly string[] {
  switch (base.kind) {
    case "name":
      return [spellName(base.words, surface)];
    case "email":
      return [casedLike(`${base.word}.${base.tail}@example.invalid`, surface)];
    case "address":
      return [spellAddress(base, surface)];
    case "phone":
      return [spellPhone(base.signs, surface)];
    case "number":
    case "code":
      return [spellGrouped(base.signs, surface)];
    case "ip":
      return [base.text];
    case "mac":
      return [spellMac(base.bytes, surface)];
    case "date":
      return spellDay({ day: base.day, own: base.own, surface });
    default:
      return assertNever(base);
  }
}

function spellName(words: readonly string[], surface: string): string {
  const originals = wordsOf(surface);
  const form = originals.length > words.length ? legalFormOf(originals) : null;
  const name = words.map((word, at) => casedLike(word, originals[at] ?? surface)).join(" ");
  return form === null ? name : `${name} ${form}`;
}

function spellAddress({ word, house }: { word: string; house: string }, surface: string): string {
  const street = casedLike(word, surface);
  const text = street === street.toUpperCase() ? `${street} STREET` : `${street} Street`;
  return /\p{N}/u.test(surface) ? `${house} ${text}` : text;
}

const sixBytes = /^[^-:]{2}([-:])/;

function spellMac(bytes: readonly string[], surface: string): string {
  const text = bytes.join(sixBytes.exec(surface)?.[1] ?? ":");
  return surface === surface.toUpperCase() && surface !== surface.toLowerCase() ? text.toUpperCase() : text;
}

/** `+00`, then as many digits as are left in the groups of the original without its first two. */
function spellPhone(signs: string, surface: string): string {
  const groups = surface.split(/\P{N}+/u).filter((group) => group !== "");
  const separators = /\p{N}(\P{N}+)(?=\p{N})/gu;
  const between = [...surface.matchAll(separators)].map(([, text = ""]) => separatorOf(text));
  let skipped = 2;
  let at = 2;
  let text = "";
  groups.forEach((group, index) => {
    const kept = [...group].length - skipped;
    skipped = Math.max(0, -kept);
    if (kept <= 0 || at >= signs.length) return;
    if (text !== "") text += between[index - 1] ?? " ";
    text += signs.slice(at, at + kept);
    at += kept;
  });
  return `+00${between.length > 0 ? " " : ""}${text}${signs.slice(at)}`;
}

function separatorOf(text: string): string {
  return /[-.]/.exec(text)?.[0] ?? " ";
}

/** The signs in the groups of the original; no group ends within the mark of a code. */
function spellGrouped(signs: string, surface: string): string {
  const mark = signs.startsWith(numberMark) ? 0 : signs.startsWith(ibanMark) ? ibanMark.length : codeMark.length;
  let text = "";
  let at = 0;
  let between = "";
  for (const sign of surface) {
    if (at === signs.length) break;
    if (!/[\p{L}\p{N}]/u.test(sign)) {
      if (at >= mark && at > 0) between ||= separator(sign);
      continue;
    }
    text += between + signs.charAt(at);
    between = "";
    at += 1;
  }
  const spelled = text + signs.slice(at);
  return surface === surface.toLowerCase() && surface !== surface.toUpperCase() ? spelled.toLowerCase() : spelled;
}

function separator(sign: string): string {
  if (/[-./]/.test(sign)) return sign;
  if (/\s/u.test(sign)) return " ";
  return /\p{Pd}/u.test(sign) ? "-" : "";
}
