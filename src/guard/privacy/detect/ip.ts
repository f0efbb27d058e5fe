import type { Finding } from "../../../contract/privacy.ts";
import { cue } from "./cues.ts";
import { endOfMatch } from "./pattern-row.ts";
import { type Finder, isAlphanumeric, isDigit, type Reading } from "./reading.ts";

/** Finds IPv4 and IPv6 addresses as `node:net` reads them, but no version numbers and no loopback. A port or a mask stays outside. */
export const findAddresses: Finder = (reading) => [...findV4(reading), ...findV6(reading.text)];

const v4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d]|\.\d)/y;
const beforeProduct = /(?:[a-z]\/|\bv|-)$/i;

function findV4({ text, numbers, cues }: Reading): Finding[] {
  const found: Finding[] = [];
  const { starts, ends } = numbers();
  for (let at = 0; at + 3 < starts.length; at += 1) {
    const start = starts[at] ?? 0;
    if (text.charCodeAt(ends[at] ?? 0) !== 0x2e) continue;
    const end = endOfMatch(v4, text, start);
    const address = end === null ? "" : text.slice(start, end);
    if (end === null || !isV4(address) || isNobodys(address)) continue;
    if (beforeProduct.test(text.slice(Math.max(0, start - 2), start)) || (cues().before(start, 10) & cue.version) !== 0) continue;
    found.push(finding(start, end, "ipv4", address));
  }
  return found;
}

// A machine's name for itself, or for any.
const isNobodys = (address: string): boolean =>
  address.startsWith("127.") || address === "0.0.0.0" || address === "255.255.255.255";

/** Whether a text is an IPv4 address in dotted decimals, without leading zeros. */
export function isV4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

// 39 for eight groups, 45 with a dotted tail.
const longestV6 = 45;

function findV6(text: string): Finding[] {
  const found: Finding[] = [];
  let from = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", Math.max(from, colon + 1))) {
    // There are two colons in one, with four digits between them at most.
    if (!hasSecondColon(text, colon)) continue;
    const { start, end } = runAround(text, colon, from);
    from = end;
    const groups = end - start <= longestV6 && isFree(text, start, end) ? groupsOf(text.slice(start, end)) : null;
    if (groups !== null && /[1-9]/.test(text.slice(start, end).replace(/^::1$/, "")))
      found.push(finding(start, end, "ipv6", groups.join(":")));
  }
  return found;
}

function hasSecondColon(text: string, colon: number): boolean {
  let at = colon + 1;
  while (at - colon <= 4 && isOfV6(text.charCodeAt(at)) && text.charCodeAt(at) !== 0x3a) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

const isOfV6 = (unit: number): boolean =>
  isDigit(unit) || (unit >= 0x61 && unit <= 0x66) || (unit >= 0x41 && unit <= 0x46) || unit === 0x3a || unit === 0x2e;

// The run of the characters of an address around a colon; a full stop or a colon at its end belongs to the sentence.
function runAround(text: string, colon: number, first: number): { readonly start: number; readonly end: number } {
  let start = colon;
  while (start > first && isOfV6(text.charCodeAt(start - 1))) start -= 1;
  let end = colon + 1;
  while (isOfV6(text.charCodeAt(end))) end += 1;
  while (text.charCodeAt(end - 1) === 0x2e) end -= 1;
  if (text.charCodeAt(end - 1) === 0x3a && text.charCodeAt(end - 2) !== 0x3a) end -= 1;
  return { start, end: Math.max(end, colon + 1) };
}

const isFree = (text: string, start: number, end: number): boolean =>
  !isAlphanumeric(text.charCodeAt(start - 1)) && !isAlphanumeric(text.charCodeAt(end)) && text.charCodeAt(end) !== 0x5f;

/** The eight groups of an IPv6 address, without leading zeros and in small letters; `null` where the text is none. */
export function groupsOf(text: string): readonly string[] | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half, at) => (half === "" ? [] : hexGroups(half.split(":"), at === halves.length - 1)));
  if (head === undefined || head === null || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? head : null;
  const missing = 8 - head.length - tail.length;
  return missing < 1 || head.length + tail.length === 0 ? null : [...head, ...Array<string>(missing).fill("0"), ...tail];
}

function hexGroups(parts: readonly string[], isLast: boolean): string[] | null {
  const groups: string[] = [];
  for (const [at, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16).toString(16));
    else if (isLast && at === parts.length - 1 && isV4(part)) groups.push(...dottedGroups(part));
    else return null;
  }
  return groups;
}

function dottedGroups(address: string): readonly [string, string] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}

const finding = (start: number, end: number, kind: string, canonical: string): Finding => ({
  start,
  end,
  class: "ip",
  kind,
  jurisdiction: null,
  canonical,
});
