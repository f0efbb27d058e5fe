import type { FeedRow, MappedRow, Mapping } from "./feed-row.ts";
import { norda } from "./norda.ts";
import { pelican } from "./pelican.ts";

/** One mapping for each custodian. */
export const mappings = { norda, pelican } as const satisfies Readonly<Record<string, Mapping>>;
export type Custodian = keyof typeof mappings;
export const custodians = ["norda", "pelican"] as const satisfies readonly Custodian[];

/** The name of a feed, such as `norda-2026-11-27.csv`. */
export const feedName = /^(norda|pelican)-\d{4}-\d{2}-\d{2}\.(csv|json)$/;

/** A row with what the other rows of its file say of it. */
export type ReadRow = FeedRow & {
  /** How many lines the file has in all, so that a reader can tell that none is missing. */
  readonly ofLines: number;
  /** An earlier line with the same content; `null` where this one is the first. */
  readonly repeatsLine: number | null;
  /** Another line has the same reference and other content. */
  readonly sharesReference: boolean;
};

/** The custodian whose feed a file is, or `null`. */
export function custodianOf(file: string): Custodian | null {
  const name = feedName.exec(file)?.[1];
  return custodians.find((one) => one === name) ?? null;
}

/** Reads a whole feed: every line of it, with the lines named that repeat another or share its reference. */
export function readFeed(custodian: Custodian, text: string): readonly ReadRow[] {
  const rows = mappings[custodian].read(text);
  const mapped = rows.filter((row) => row.kind === "mapped");
  return rows.map((row) => ({ ...row, ofLines: rows.length, ...standingOf(row, mapped) }));
}

function standingOf(row: FeedRow, mapped: readonly MappedRow[]): Pick<ReadRow, "repeatsLine" | "sharesReference"> {
  if (row.kind === "faulty") return { repeatsLine: null, sharesReference: false };
  const sameReference = mapped.filter(({ reference }) => reference === row.reference);
  const first = sameReference.find((other) => isSame(other, row));
  return {
    repeatsLine: first === undefined || first.line === row.line ? null : first.line,
    sharesReference: sameReference.some((other) => !isSame(other, row)),
  };
}

function isSame(one: MappedRow, other: MappedRow): boolean {
  const { line: _line, ...content } = one;
  const { line: _otherLine, ...otherContent } = other;
  return JSON.stringify(content) === JSON.stringify(otherContent);
}
