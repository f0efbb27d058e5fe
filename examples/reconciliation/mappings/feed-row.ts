/** One line of a custodian's feed after its mapping: a movement, or a fault with a name. There is no third thing, so no line gets lost. */
export type FeedRow = MappedRow | FaultyRow;

export interface MappedRow {
  readonly kind: "mapped";
  /** Its place in the file: the line of a text file, the place in the list of a JSON file, from 1. */
  readonly line: number;
  /** Name and version of the mapping that read it; stands on every row and goes with it into the books. */
  readonly mapping: string;
  readonly reference: string;
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string;
  /** Whole minor units; below 0 for what left the account. */
  readonly amountMinor: number;
  readonly currency: FeedCurrency;
  /** As the custodian wrote it. */
  readonly text: string;
}

export interface FaultyRow {
  readonly kind: "faulty";
  readonly line: number;
  readonly mapping: string;
  readonly fault: FeedFault;
  /** What stands there and what was expected, for a person. */
  readonly says: string;
}

export const feedCurrencies = ["EUR", "GBP", "JPY"] as const;
export type FeedCurrency = (typeof feedCurrencies)[number];

export const feedFaults = [
  "feed_unreadable",
  "line_empty",
  "columns_differ",
  "quote_open",
  "field_missing",
  "field_unknown",
  "reference_malformed",
  "date_impossible",
  "amount_ambiguous",
  "amount_not_whole",
  "amount_zero",
  "amount_too_large",
  "sign_contradicts",
  "currency_unknown",
] as const;
export type FeedFault = (typeof feedFaults)[number];

/** A reader of one custodian's feeds. `version` changes with every change of what a line is read as. */
export interface Mapping {
  readonly custodian: string;
  readonly version: string;
  /** Every line of the file, in order, each read or with its fault. Never throws. */
  readonly read: (file: string) => readonly FeedRow[];
}

/** A value that was read, or the fault that it has. */
export type Read<T> = { readonly value: T } | { readonly fault: FeedFault; readonly says: string };

/** Largest amount that a mapping lets through, in minor units: what the books' column holds. */
export const largestMinor = 2_000_000_000;

/** A day that the calendar has, written `YYYY-MM-DD`. */
export function readDay(year: string, month: string, day: string): Read<string> {
  const written = `${year}-${month}-${day}`;
  const at = new Date(`${written}T00:00:00Z`);
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written);
  return isReal ? { value: written } : { fault: "date_impossible", says: `the calendar has no ${written}` };
}

/** A reference as both custodians make them: capitals, digits and dashes. */
export function readReference(written: string): Read<string> {
  if (written === "") return { fault: "field_missing", says: "the reference is empty" };
  if (/^[A-Z]{2}-\d{3,12}$/.test(written)) return { value: written };
  return { fault: "reference_malformed", says: "the reference has not the form XX-12345" };
}

/** One of the currencies that the books are kept in, in the letters of ISO 4217. */
export function readCurrency(written: string): Read<FeedCurrency> {
  const known = feedCurrencies.find((one) => one === written);
  if (known !== undefined) return { value: known };
  return written === ""
    ? { fault: "field_missing", says: "the currency is empty" }
    : { fault: "currency_unknown", says: `the books have no currency ${shortened(written)}` };
}

/** An amount within what the books hold, and not nothing. */
export function readSize(minor: number): Read<number> {
  if (minor === 0) return { fault: "amount_zero", says: "the amount is 0" };
  if (Math.abs(minor) <= largestMinor) return { value: minor };
  return { fault: "amount_too_large", says: "the amount is larger than the books hold" };
}

/** What stood in a feed, cut for a message. */
export function shortened(written: string): string {
  return `"${written.slice(0, 40)}${written.length > 40 ? "..." : ""}"`;
}
