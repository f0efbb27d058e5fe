import type { Piece } from "./settle.ts";

/** What of a piece counts wherever its text stands again. */
export type SpreadValue = Pick<Piece, "class" | "kind" | "canonical" | "treatment" | "isNamed">;

/** Finds again, letter by letter and between borders of words, what was found once. */
export type FindAgain = (text: string) => readonly Piece[];

/** Of longer texts, such as whole keys, each is found by itself. */
const longest = 200;
/** From this many values with one first word on they are kept letter by letter, so that time stays linear. */
const many = 8;

/** Digits alone stand for too much where they are fewer. */
const fewestDigits = 4;
const fewestSigns = 2;

/**
 * Makes a search for values. Linear in the text, whatever their number. Numbers below four digits and single letters are not looked for:
 * they would be found everywhere.
 */
export function searchAgain(values: ReadonlyMap<string, SpreadValue>): FindAgain {
  const groups = new Map<string, Known[]>();
  for (const [surface, value] of values) {
    if (surface.length > longest || !isTelling(surface)) continue;
    const first = nextWord(surface, 0);
    if (first === null) continue;
    const known = { surface, value, offset: first.start };
    const word = surface.slice(first.start, first.end);
    const others = groups.get(word);
    if (others === undefined) groups.set(word, [known]);
    else others.push(known);
  }
  const searches = new Map([...groups].map(([word, group]) => [word, group.length > many ? inTree(group) : inList(group)]));
  // Most words begin and end otherwise than all of these: told before a text is made of them.
  const outlines = new Uint8Array(outlineCount);
  for (const word of searches.keys()) outlines[outlineOf(word, 0, word.length)] = 1;
  return (text) => (searches.size === 0 ? [] : findIn(text, searches, outlines));
}

const outlineCount = 4_096;

function outlineOf(text: string, start: number, end: number): number {
  return (text.charCodeAt(start) * 61 + text.charCodeAt(end - 1) * 7 + (end - start) * 389) & (outlineCount - 1);
}

interface Known {
  readonly surface: string;
  readonly value: SpreadValue;
  /** How many signs stand before its first word. */
  readonly offset: number;
}

/** The longest value whose first word begins at a place. */
type Search = (text: string, at: number) => Known | null;

function isTelling(surface: string): boolean {
  return /\p{L}/u.test(surface) ? surface.length >= fewestSigns : (surface.match(/\p{N}/gu)?.length ?? 0) >= fewestDigits;
}

function findIn(text: string, searches: ReadonlyMap<string, Search>, outlines: Uint8Array): readonly Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code < 128 ? asciiWords[code] === 0 : !isWordAt(text, at)) {
      at += 1;
      continue;
    }
    const end = wordEnd(text, at);
    const first = wordStart(text, at, end);
    at = end;
    if (outlines[outlineOf(text, first, end)] === 0) continue;
    const known = searches.get(text.slice(first, end))?.(text, first);
    if (known === undefined || known === null) continue;
    const start = first - known.offset;
    if (start < from) continue;
    from = start + known.surface.length;
    at = Math.max(at, from);
    found.push({ ...known.value, start, end: from });
  }
  return found;
}

function inList(group: readonly Known[]): Search {
  const sorted = [...group].sort((one, other) => other.surface.length - one.surface.length);
  return (text, at) =>
    sorted.find(
      ({ surface, offset }) => text.startsWith(surface, at - offset) && hasBorders(text, at - offset, surface.length),
    ) ?? null;
}

interface Branch {
  readonly next: Map<number, Branch>;
  known: Known | null;
}

function inTree(group: readonly Known[]): Search {
  const offsets = [...new Set(group.map(({ offset }) => offset))];
  const trees = offsets.map((offset) => ({ offset, tree: treeOf(group.filter((known) => known.offset === offset)) }));
  return (text, at) => {
    const found = trees
      .map(({ offset, tree }) => longestIn({ tree, text, start: at - offset }))
      .filter((known) => known !== null);
    return found.sort((one, other) => other.surface.length - one.surface.length)[0] ?? null;
  };
}

function treeOf(group: readonly Known[]): Branch {
  const root: Branch = { next: new Map(), known: null };
  for (const known of group) {
    let branch = root;
    for (let i = 0; i < known.surface.length; i += 1) {
      const unit = known.surface.charCodeAt(i);
      const next: Branch = branch.next.get(unit) ?? { next: new Map(), known: null };
      branch.next.set(unit, next);
      branch = next;
    }
    branch.known = known;
  }
  return root;
}

function longestIn({ tree, text, start }: { tree: Branch; text: string; start: number }): Known | null {
  let best: Known | null = null;
  let branch: Branch | undefined = tree;
  for (let at = start; branch !== undefined; at += 1) {
    if (branch.known !== null && hasBorders(text, start, at - start)) best = branch.known;
    branch = branch.next.get(text.charCodeAt(at));
  }
  return best;
}

function hasBorders(text: string, start: number, length: number): boolean {
  return isBorder(text, start) && isBorder(text, start + length);
}

function isBorder(text: string, at: number): boolean {
  if (!isWordAt(text, at) || !isWordAt(text, at - 1)) return true;
  // After an escape of JSON within the text a word begins.
  return /\\(?:[bfnrt]|u[0-9a-fA-F]{4})$/.test(text.slice(Math.max(0, at - 6), at));
}

/** The next run of letters, digits and marks. */
function nextWord(text: string, from: number): { readonly start: number; readonly end: number } | null {
  let start = from;
  while (start < text.length && !isWordAt(text, start)) start += 1;
  if (start >= text.length) return null;
  const end = wordEnd(text, start);
  return { start: wordStart(text, start, end), end };
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  for (let code = text.charCodeAt(end); code < 128 ? asciiWords[code] === 1 : isWordAt(text, end); code = text.charCodeAt(end))
    end += 1;
  return end;
}

/** The letter of an escape such as `\n`, in JSON within a text, is none of the word. */
function wordStart(text: string, start: number, end: number): number {
  return text.charCodeAt(start - 1) === 0x5c ? Math.min(start + escapeLength(text, start), end) : start;
}

function escapeLength(text: string, at: number): number {
  if (/^u[0-9a-fA-F]{4}$/.test(text.slice(at, at + 5))) return 5;
  return /[bfnrt]/.test(text.charAt(at)) ? 1 : 0;
}

const asciiWords = new Uint8Array(128).fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123);

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return asciiWords[code] === 1;
  return code >= 128 && ((code >= 0xd800 && code <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(text.charAt(at)));
}
