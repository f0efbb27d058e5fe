import { defineEffect, type JsonObject, type Snapshot } from "countersign";
import { z } from "zod";
import { formatMoney } from "../refunds/money.ts";
import { feedCurrencies } from "./mappings/feed-row.ts";
import { custodians } from "./mappings/mappings.ts";
import { adjustments, matchRules, windows } from "./matching-rules.ts";

const owner = "accounting";
const minorUnits = z.int().min(-2_000_000_000).max(2_000_000_000);

/** What names a row for good, whichever file it comes in: custodian and reference. */
export interface RowName {
  readonly custodian: string;
  readonly reference: string;
}

const rowParams = {
  custodian: z.enum(custodians),
  reference: z.string().regex(/^[A-Z]{2}-\d{3,12}$/),
  file: z.string().min(1).max(60),
  line: z.int().min(1),
  currency: z.enum(feedCurrencies),
  mappingVersion: z.string().min(1).max(40),
  rulesVersion: z.string().min(1).max(40),
};
const rowRules = {
  custodian: { class: "target", sources: ["record"] },
  reference: { class: "target", sources: ["record"] },
  file: { class: "memo", sources: ["record"] },
  line: { class: "memo", sources: ["record"] },
  currency: { class: "selector", sources: ["record"] },
  mappingVersion: { class: "memo", sources: ["record"] },
  rulesVersion: { class: "memo", sources: ["constant"] },
} as const;

const matchParams = z.strictObject({
  ...rowParams,
  movement: z.string().regex(/^mov-\d{4}$/),
  version: z.int().min(1),
  amountMinor: minorUnits,
  rule: z.enum(matchRules),
});
export type MatchParams = z.infer<typeof matchParams>;

const adjustmentParams = z.strictObject({
  ...rowParams,
  kind: z.enum(adjustments),
  bookedOn: z.iso.date(),
  /** `null` for what the books do not have. */
  movement: z
    .string()
    .regex(/^mov-\d{4}$/)
    .nullable(),
  version: z.int().min(1).nullable(),
  differenceMinor: minorUnits,
});
export type AdjustmentParams = z.infer<typeof adjustmentParams>;

const before = {
  query: "books.forPosting",
  params: ({ custodian, reference, movement }: RowName & { movement: string | null }) => ({ custodian, reference, movement }),
  project: postingSnapshot,
};
const isUnposted = { name: "row_not_posted", holds: (_params: RowName, seen: Snapshot) => seen?.["posting"] === "none" };

/** Posts that a row of a feed and a movement of the books are the same, amount for amount. */
export const postMatch = defineEffect<MatchParams>({
  name: "post_match",
  version: "1",
  owner,
  params: matchParams,
  paramRules: {
    ...rowRules,
    movement: { class: "target", sources: ["record"] },
    version: { class: "selector", sources: ["record"] },
    amountMinor: { class: "amount", sources: ["record"] },
    rule: { class: "memo", sources: ["calculation"] },
  },
  sideEffect: "mutating",
  risk: "low",
  reversible: true,
  describe: ({ movement, custodian, reference, amountMinor, currency, rule }) =>
    `Match ${movement} with ${custodian} ${reference} over ${formatMoney({ minor: amountMinor, currency })}, by ${rule}`,
  key: ({ movement, version, ...row }) => `match:${rowKey(row)}:${movement}:${version}`,
  dedupe: "key",
  settleMs: 2_000,
  requires: [
    isUnposted,
    {
      name: "same_amount",
      holds: ({ amountMinor, currency }, seen) => seen?.["amount_minor"] === amountMinor && seen["currency"] === currency,
    },
    { name: "movement_open", holds: ({ version }, seen) => seen?.["state"] === "open" && seen["version"] === version },
  ],
  before,
  expect: {
    state: ({ version, movement, rule, rulesVersion, mappingVersion }) => ({
      ...{ state: "matched", version: version + 1, posting: "match", posted_movement: movement, difference_minor: 0 },
      ...{ posted_rule: rule, rules_version: rulesVersion, mapping_version: mappingVersion },
    }),
    mayChange: [],
    deadlineMs: 60_000,
  },
});

/** Books what a feed has and the books have not, or have otherwise: always signed by a person, large ones by two. */
export const postAdjustment = defineEffect<AdjustmentParams>({
  name: "post_adjustment",
  version: "1",
  owner,
  params: adjustmentParams,
  paramRules: {
    ...rowRules,
    kind: { class: "param", sources: ["calculation"] },
    bookedOn: { class: "time", sources: ["record"] },
    movement: { class: "target", sources: ["record", "calculation"] },
    version: { class: "selector", sources: ["record", "calculation"] },
    differenceMinor: { class: "amount", sources: ["calculation"] },
  },
  sideEffect: "mutating",
  risk: ({ differenceMinor }) => (Math.abs(differenceMinor) > largeMinor ? "high" : "medium"),
  reversible: true,
  describe: ({ kind, differenceMinor, currency, custodian, reference, movement }) =>
    `Book ${formatMoney({ minor: differenceMinor, currency })} for ${custodian} ${reference}: ${
      kind === "difference" ? `difference to ${movement}` : "not in the books"
    }`,
  key: ({ kind, ...row }) => `adjust:${rowKey(row)}:${kind}`,
  dedupe: "key",
  settleMs: 2_000,
  requires: [
    isUnposted,
    {
      name: "difference_is_small",
      holds: ({ kind, differenceMinor }) => kind !== "difference" || Math.abs(differenceMinor) <= windows.toleranceMinor,
    },
    {
      name: "movement_open",
      holds: ({ kind, movement, version }, seen) =>
        kind === "missing_in_books" ? movement === null : seen?.["state"] === "open" && seen["version"] === version,
    },
  ],
  before,
  expect: {
    state: ({ kind, movement, version, differenceMinor, rulesVersion, mappingVersion }) => ({
      ...(version === null ? {} : { state: "matched", version: version + 1 }),
      // The movement that is made for what was not in the books gets its number there.
      ...(movement === null ? {} : { posted_movement: movement }),
      ...{ posting: "adjustment", difference_minor: differenceMinor, posted_rule: kind },
      ...{ rules_version: rulesVersion, mapping_version: mappingVersion },
    }),
    mayChange: ["posted_movement"],
    deadlineMs: 60_000,
  },
});

/** From here on an adjustment takes two people, in minor units of any currency. */
const largeMinor = 1_000_000;

function rowKey({ custodian, reference }: RowName): string {
  return `${custodian}:${reference}`;
}

/** What both effects see of the books: the movement where there is one, and what was posted for the row. */
export function postingSnapshot(rows: readonly JsonObject[]): Snapshot {
  const [row] = rows;
  if (row === undefined) return null;
  return Object.fromEntries(seenFields.map((field) => [field, row[field] ?? null]));
}

const seenFields = [
  ...["state", "version", "amount_minor", "currency"],
  ...["posting", "posted_movement", "difference_minor", "posted_rule", "rules_version", "mapping_version"],
];
