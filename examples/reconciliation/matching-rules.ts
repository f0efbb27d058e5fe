import type { FeedCurrency, MappedRow } from "./mappings/feed-row.ts";

/** The version of the rules below. It stands in the entry of every decision and on every posting; a change of a rule changes it. */
export const rulesVersion = "rules-2";

/** How far a day or an amount may be off, in days and in minor units. */
export const windows = { referenceDays: 5, amountDays: 2, toleranceMinor: 100 } as const;

/** Most movements of an account that one decision looks at; nothing is ruled on a list that was cut. */
export const movementLimit = 500;

/** A movement as the books have it. */
export interface Movement {
  readonly id: string;
  readonly reference: string | null;
  readonly booked_on: string;
  readonly amount_minor: number;
  readonly currency: FeedCurrency;
  readonly version: number;
  readonly state: "open" | "matched";
}

export const matchRules = ["exact_reference", "amount_and_date"] as const;
export const adjustments = ["difference", "missing_in_books"] as const;

/** What the rules say of one row: post a match, propose an adjustment for a person to sign, or call a person to look. */
export type Ruling =
  | { readonly kind: "match"; readonly name: (typeof matchRules)[number]; readonly movement: Movement }
  | {
      readonly kind: "adjust";
      readonly name: (typeof adjustments)[number];
      readonly movement: Movement | null;
      readonly differenceMinor: number;
    }
  | { readonly kind: "exception"; readonly name: string; readonly says: string };

/** Rules on one mapped row against the movements of its custodian's account, tried in this order. No rule ever picks among several. */
export function matchRow(row: MappedRow, movements: readonly Movement[]): Ruling {
  const byReference = movements.filter(({ reference }) => reference === row.reference);
  const [only, ...others] = byReference;
  if (others.length > 0) return exception("ambiguous", `the books have ${byReference.length} movements of that reference`);
  return only === undefined ? byAmountAndDate(row, movements) : byReferenceAlone(row, only);
}

function byReferenceAlone(row: MappedRow, movement: Movement): Ruling {
  if (movement.state === "matched") return exception("movement_matched", `${movement.id} is matched already`);
  if (movement.currency !== row.currency) {
    return exception("currency_differs", `the books have ${movement.currency}, the feed ${row.currency}`);
  }
  if (daysApart(movement.booked_on, row.bookedOn) > windows.referenceDays) {
    return exception("date_differs", `the books have ${movement.booked_on}, the feed ${row.bookedOn}`);
  }
  const differenceMinor = row.amountMinor - movement.amount_minor;
  if (differenceMinor === 0) return { kind: "match", name: "exact_reference", movement };
  if (row.amountMinor === -movement.amount_minor) {
    return exception("sign_flipped", `the books have the same amount on the other side as ${movement.id}`);
  }
  const isSameSide = Math.sign(row.amountMinor) === Math.sign(movement.amount_minor);
  if (isSameSide && Math.abs(differenceMinor) <= windows.toleranceMinor) {
    return { kind: "adjust", name: "difference", movement, differenceMinor };
  }
  return exception("amount_differs", `the amounts differ by ${Math.abs(differenceMinor)} minor units`);
}

/** For movements that were booked without a reference. One that has another reference belongs to another row. */
function byAmountAndDate(row: MappedRow, movements: readonly Movement[]): Ruling {
  const found = movements.filter(
    ({ reference, state, amount_minor, currency, booked_on }) =>
      reference === null &&
      state === "open" &&
      amount_minor === row.amountMinor &&
      currency === row.currency &&
      daysApart(booked_on, row.bookedOn) <= windows.amountDays,
  );
  const [movement, ...others] = found;
  if (movement === undefined)
    return { kind: "adjust", name: "missing_in_books", movement: null, differenceMinor: row.amountMinor };
  if (others.length > 0) return exception("ambiguous", `${found.map(({ id }) => id).join(" and ")} fit equally well`);
  return { kind: "match", name: "amount_and_date", movement };
}

function exception(name: string, says: string): Ruling {
  return { kind: "exception", name, says };
}

/** Days between two days `YYYY-MM-DD`, whichever comes first. */
function daysApart(one: string, other: string): number {
  return Math.abs(Date.parse(`${one}T00:00:00Z`) - Date.parse(`${other}T00:00:00Z`)) / 86_400_000;
}
