import type { DataClass, Finding } from "../../../contract/privacy.ts";
import type { Finder, Reading } from "./reading.ts";

/** A kind of data that has a shape, and what makes a text of that shape one. */
export interface PatternRow {
  readonly class: DataClass;
  readonly kind: string;
  readonly jurisdiction: string | null;
  /** Without the flags that say where to look. Every run in it is bounded. */
  readonly pattern: RegExp;
  /** Bits of `cue` that announce it. */
  readonly cue: number;
  /** Of the canonical form: `sure` stands alone, `likely` needs a cue before it, `no` is something else. */
  readonly judge: (canonical: string) => "sure" | "likely" | "no";
  /** How many code units may lie between a cue and the value; 32 where not said. */
  readonly reach?: number;
}

const usualReach = 32;

/** A pattern that holds digits, by which it is found: nothing is tried where there are none. */
export interface NumberRow extends PatternRow {
  /** How many code units may stand before its first run of digits; the longest first. */
  readonly leads: readonly number[];
  /** How many digits that run may have at least and at most. */
  readonly first: readonly [number, number];
}

/** Makes a finder that looks for a row's pattern around the numbers of a text. */
export function findAtNumbers(row: NumberRow): Finder {
  const pattern = new RegExp(row.pattern.source, `${row.pattern.flags}y`);
  const [fewest, most] = row.first;
  return (reading) => {
    const found: Finding[] = [];
    const { starts, ends } = reading.numbers();
    let last = 0;
    for (let at = 0; at < starts.length; at += 1) {
      const digit = starts[at] ?? 0;
      const size = (ends[at] ?? 0) - digit;
      const match = size < fewest || size > most ? null : matchAround(reading.text, { pattern, row, digit, last });
      if (match === null) continue;
      last = match.end;
      const canonical = canonicalOf(reading.text.slice(match.start, match.end));
      if (isMeant(reading, row, match.start, canonical)) found.push(toFinding(row, { ...match, canonical }));
    }
    return found;
  };
}

function isMeant(reading: Reading, row: NumberRow, start: number, canonical: string): boolean {
  const judged = row.judge(canonical);
  return judged === "sure" || (judged === "likely" && isAnnounced(reading, row, start));
}

interface Around {
  readonly pattern: RegExp;
  readonly row: NumberRow;
  /** Of the first digit. */
  readonly digit: number;
  /** Where the match before it ends. */
  readonly last: number;
}

function matchAround(
  text: string,
  { pattern, row, digit, last }: Around,
): { readonly start: number; readonly end: number } | null {
  for (const lead of row.leads) {
    const start = digit - lead;
    const end = start < last ? null : endOfMatch(pattern, text, start);
    if (end !== null) return { start, end };
  }
  return null;
}

/** Where a sticky pattern ends that begins at a place; `null` where it does not begin there. */
export function endOfMatch(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Makes a finder that looks for the first match of a row's pattern behind each of its cues, so that text without cues costs nothing. */
export function findByCue(row: PatternRow): Finder {
  const pattern = new RegExp(row.pattern.source, `${row.pattern.flags}g`);
  return (reading) =>
    reading
      .cues()
      .endsOf(row.cue)
      .flatMap((end) => firstBehind(reading, { row, pattern, end }));
}

interface Behind {
  readonly row: PatternRow;
  readonly pattern: RegExp;
  readonly end: number;
}

function firstBehind(reading: Reading, { row, pattern, end }: Behind): Finding[] {
  const reach = row.reach ?? usualReach;
  // One code unit before, for what looks behind itself, and a longest value after the reach.
  const from = Math.max(0, end - 1);
  const window = reading.text.slice(from, end + reach + usualReach);
  for (const { 0: value, index } of window.matchAll(pattern)) {
    const start = from + index;
    if (index === 0 && from < end) continue;
    if (start > end + reach) return [];
    const canonical = canonicalOf(value);
    if (row.judge(canonical) === "no" || !isAnnounced(reading, row, start)) continue;
    return [toFinding(row, { start, end: start + value.length, canonical })];
  }
  return [];
}

const isAnnounced = ({ cues }: Reading, row: PatternRow, start: number): boolean =>
  (cues().before(start, row.reach ?? usualReach) & row.cue) !== 0;

const canonicalOf = (value: string): string => value.replace(/[^A-Za-z0-9]/g, "").toUpperCase();

const toFinding = (
  row: PatternRow,
  { start, end, canonical }: { readonly start: number; readonly end: number; readonly canonical: string },
): Finding => ({ start, end, class: row.class, kind: row.kind, jurisdiction: row.jurisdiction, canonical });
