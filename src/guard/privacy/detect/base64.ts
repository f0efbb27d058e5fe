import type { Finding } from "../../../contract/privacy.ts";
import type { Range } from "../fold.ts";
import type { Numbers, Reading } from "./reading.ts";
import { readCharacter } from "./unescape.ts";
import { strongest } from "./unite.ts";

const shortest = 16;
/** Longer runs are read up to here. */
const longest = 262_144;
// Lines of at least so many characters go on in the next one (RFC 2045 breaks at 76, PEM at 64).
const fullLine = 60;

/**
 * Looks into base64 (RFC 4648, both alphabets, over lines too) that is printable text. The finding covers the whole run, since a part of it can be
 * neither replaced nor read. Its class is the strongest of what is within; it is the same value as the plain one where that is all there is.
 */
export function findInBase64({ text, runs }: Reading, look: (decoded: string) => readonly Finding[]): Finding[] {
  return joined(text, runs()).flatMap((run) => partsOf(text, run).flatMap((part) => lookInto(text, part, look)));
}

function joined(text: string, { starts, ends }: Numbers): Range[] {
  const all: { start: number; end: number }[] = [];
  let lineStart = 0;
  for (const [at, start] of starts.entries()) {
    const end = padded(text, ends[at] ?? start);
    if (end - start < shortest) continue;
    const last = all.at(-1);
    const isFull = last !== undefined && last.end - lineStart >= fullLine;
    if (isFull && last.end + 1 === start && text.charAt(last.end) === "\n") last.end = end;
    else all.push({ start, end });
    lineStart = start;
  }
  return all;
}

function padded(text: string, runEnd: number): number {
  let end = runEnd;
  while (end - runEnd < 2 && text.charAt(end) === "=") end += 1;
  return end;
}

// A run may be a path with base64 as one of its steps.
function partsOf(text: string, run: Range): Range[] {
  if (decode(text.slice(run.start, Math.min(run.end, run.start + longest))) !== null) return [run];
  const parts: Range[] = [];
  let start = run.start;
  for (const step of text.slice(run.start, run.end).split("/")) {
    const end = start + step.length;
    if (step.length >= shortest && step.length < run.end - run.start) parts.push({ start, end });
    start = end + 1;
  }
  return parts;
}

function lookInto(text: string, { start, end }: Range, look: (decoded: string) => readonly Finding[]): Finding[] {
  const decoded = decode(text.slice(start, Math.min(end, start + longest)));
  if (decoded === null) return [];
  const within = look(decoded);
  if (within.length === 0) return [];
  const main = strongest(within);
  const isAll = main.start === 0 && main.end === decoded.trimEnd().length;
  return [{ ...main, start, end, canonical: isAll ? main.canonical : decoded }];
}

/** The printable text that a run of base64 stands for; `null` where it is none. */
export function decode(run: string): string | null {
  const bytes = bytesOf(run);
  return bytes === null ? null : textOf(bytes);
}

function bytesOf(run: string): Uint8Array | null {
  const digits = run.replace(/[=\n]/g, "");
  if (digits.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let length = 0;
  for (let at = 0; at < digits.length; at += 1) {
    bits = ((bits << 6) | sextet(digits.charCodeAt(at))) & 0xfff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    const byte = (bits >> held) & 0xff;
    // What is no text is told by its first bytes, so that other keys and names cost little.
    if (!isTextual(byte)) return null;
    bytes[length] = byte;
    length += 1;
  }
  return bytes;
}

const isTextual = (byte: number): boolean =>
  (byte >= 0x20 && byte !== 0x7f && byte < 0xf5 && byte !== 0xc0 && byte !== 0xc1) || byte === 9 || byte === 10 || byte === 13;

function sextet(unit: number): number {
  if (unit >= 0x61) return unit - 0x61 + 26;
  if (unit === 0x5f) return 63;
  if (unit >= 0x41) return unit - 0x41;
  if (unit >= 0x30) return unit - 0x30 + 52;
  return unit === 0x2b || unit === 0x2d ? 62 : 63;
}

function textOf(bytes: Uint8Array): string | null {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    if (character === null) return null;
    text += character;
    at += sizeOf(bytes[at] ?? 0);
  }
  return text;
}

const sizeOf = (first: number): number => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

function characterAt(bytes: Uint8Array, at: number): string | null {
  const first = bytes[at] ?? 0;
  const size = sizeOf(first);
  if (size === 1) return String.fromCharCode(first);
  const character = at + size > bytes.length ? null : readCharacter([...bytes.subarray(at, at + size)]);
  // The control characters beyond ASCII are in no text.
  return character !== null && character < "\u00a0" ? null : character;
}
