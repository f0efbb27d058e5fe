import type { DataClass, Finding } from "../../../contract/privacy.ts";
import type { Finder, Reading } from "./reading.ts";

/** A kind of data that has a shape, and what makes a text of that shape one. */
export interface PatternRow {
  readonly class: DataClass;
  readonly kind: string;
  readonly jurisdiction: string | null;
  /** Global or, for a row that is found by its cue alone, sticky. Every run in it is bounded. */
  readonly pattern: RegExp;
  /** Bits of `cue` that announce it. */
  readonly cue: number;
  /** Of the canonical form: `sure` stands alone, `likely` needs a cue before it, `no` is something else. */
  readonly judge: (canonical: string) => "sure" | "likely" | "no";
  /** How many code units may lie between a cue and the value; 32 where not said. */
  readonly reach?: number;
}

const usualReach = 32;

/** Makes a finder that looks for a row's pattern all over the text. */
export function findAnywhere(row: PatternRow): Finder {
  return (reading) => {
    const found: Finding[] = [];
    for (const { 0: value, index } of reading.text.matchAll(row.pattern)) {
      const canonical = canonicalOf(value);
      const judged = row.judge(canonical);
      if (judged === "sure" || (judged === "likely" && isAnnounced(reading, row, index))) {
        found.push(toFinding(row, { start: index, end: index + value.length, canonical }));
      }
    }
    return found;
  };
}

/** Makes a finder that looks for the first match of a row's pattern behind each of its cues, so that text without cues costs nothing. */
export function findByCue(row: PatternRow): Finder {
  const pattern = new RegExp(row.pattern.source, row.pattern.flags.includes("g") ? row.pattern.flags : `${row.pattern.flags}g`);
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
