import type { Finding } from "../../../contract/privacy.ts";
import { type Finder, isAlphanumeric, isDigit } from "./reading.ts";

// RFC 5321, 4.5.3.1: octets of a local part and of a domain.
const longestLocal = 64;
const longestDomain = 253;

/** Finds e-mail addresses, with internationalised, quoted and numeric ones. The canonical form is in small letters. */
export const findEmails: Finder = ({ text }) => {
  const found: Finding[] = [];
  let last = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const start = localStart(text, at, Math.max(last, at - longestLocal));
    if (start === at) continue;
    const end = domainEnd(text, at + 1);
    if (end === at + 1) continue;
    const canonical = text.slice(start, end).toLowerCase();
    found.push({ start, end, class: "email", kind: "email", jurisdiction: null, canonical });
    last = end;
  }
  return found;
};

const localSigns = new Set([..."._%+-'!#$&*^~"].map((sign) => sign.charCodeAt(0)));
// No address begins with these; they are what stands before one in prose.
const leadingSigns = new Set([...".'-!#$&*^~%+"].map((sign) => sign.charCodeAt(0)));

// Letters outside ASCII. Signs, spaces and punctuation beyond Latin are not.
const isForeign = (unit: number): boolean =>
  unit >= 0xc0 &&
  !(unit >= 0x2000 && unit <= 0x2bff) &&
  !(unit >= 0x3000 && unit <= 0x3004) &&
  !(unit >= 0xff00 && unit <= 0xff0f);
// Scripts that are written without spaces: a sentence may run into an address.
const isUnspaced = (unit: number): boolean => unit >= 0x2e80;

function localStart(text: string, at: number, first: number): number {
  if (text.charCodeAt(at - 1) === 0x22) return quotedStart(text, at, first);
  let start = at;
  let hasAscii = false;
  for (; start > first; start -= 1) {
    const unit = text.charCodeAt(start - 1);
    const isAscii = isAlphanumeric(unit);
    if (!isAscii && !localSigns.has(unit) && !isForeign(unit)) break;
    if (hasAscii && isUnspaced(unit)) break;
    hasAscii ||= isAscii;
  }
  while (start < at && leadingSigns.has(text.charCodeAt(start))) start += 1;
  return start;
}

function quotedStart(text: string, at: number, first: number): number {
  const open = text.lastIndexOf('"', at - 2);
  return open >= first && open < at - 2 && !text.slice(open, at).includes("\n") ? open : at;
}

function domainEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === 0x5b) return literalEnd(text, start);
  const labels: { readonly start: number; readonly end: number }[] = [];
  for (let index = start; index - start <= longestDomain; ) {
    const end = labelEnd(text, index, start + longestDomain);
    if (end === index) break;
    labels.push({ start: index, end });
    if (text.charCodeAt(end) !== 0x2e) break;
    index = end + 1;
  }
  return topEnd(text, labels) ?? start;
}

function labelEnd(text: string, start: number, limit: number): number {
  let end = start;
  for (; end < limit; end += 1) {
    const unit = text.charCodeAt(end);
    if (!isAlphanumeric(unit) && unit !== 0x2d && unit !== 0x5f && !isForeign(unit)) break;
  }
  return end;
}

// The last label that can be a top-level domain, from the right, cut where something is glued to it; an address needs another one before.
function topEnd(text: string, labels: readonly { readonly start: number; readonly end: number }[]): number | null {
  for (let at = labels.length - 1; at > 0; at -= 1) {
    const label = labels[at];
    if (label === undefined) continue;
    const end = cutTop(text, label.start, label.end);
    if (end !== null) return end;
  }
  return null;
}

// A top-level domain is letters alone, or `xn--` with more. `example-Jane` is `example` with a name glued to it, `com2` is none.
function cutTop(text: string, start: number, end: number): number | null {
  if (text.slice(start, start + 4).toLowerCase() === "xn--") return end;
  const startsUnspaced = isUnspaced(text.charCodeAt(start));
  let cut = start;
  for (; cut < end; cut += 1) {
    const unit = text.charCodeAt(cut);
    if (unit === 0x2d || unit === 0x5f || isDigit(unit)) break;
    if (!startsUnspaced && isUnspaced(unit)) break;
  }
  return cut - start >= 2 ? cut : null;
}

const longestLiteral = 48;

function literalEnd(text: string, start: number): number {
  const literal = /^\[[0-9a-fA-F:.IPv]{2,}\]/.exec(text.slice(start, start + longestLiteral + 1))?.[0];
  return literal === undefined ? start : start + literal.length;
}
