import { defineEffect, type JsonObject, type Snapshot } from "countersign";
import { z } from "zod";
import { bandLimits, riskOf } from "./bands.ts";
import { refundReasons } from "./capabilities/refund-rule.ts";
import { currencies, formatMoney } from "./money.ts";

const owner = "customer-service";
const minorUnits = z.int().min(1).max(1_000_000_000);

/** What names one refund: the line, and the version of it that was approved, so that a later refund of the line is another one. */
export interface LineVersion {
  readonly order: string;
  readonly line: number;
  readonly version: number;
}

/** The refund's own name in all three systems, which is its business key too. It holds nothing about a person. */
export function refundRef({ order, line, version }: LineVersion): string {
  return `refund:${order}:${line}:${version}`;
}

const lineParams = {
  order: z.string().regex(/^ord-\d{4}$/),
  line: z.int().min(1).max(999),
  version: z.int().min(1),
  payment: z.string().regex(/^pay-\d{4}$/),
  currency: z.enum(currencies),
  amountMinor: minorUnits,
};

const refundParams = z.strictObject({
  ...lineParams,
  refundedMinor: z.int().min(0),
  reason: z.enum(refundReasons),
});
export type RefundParams = z.infer<typeof refundParams>;

const reversalParams = z.strictObject({ ...lineParams, isBooked: z.boolean() });
export type ReversalParams = z.infer<typeof reversalParams>;

/** Where the values of a line may come from; an amount may be computed besides. */
function lineRules(sources: readonly ("record" | "calculation")[]) {
  return {
    order: { class: "target", sources },
    line: { class: "target", sources },
    version: { class: "selector", sources },
    payment: { class: "target", sources },
    currency: { class: "selector", sources },
    amountMinor: { class: "amount", sources: ["record", "calculation"] },
  } as const;
}

const before = {
  query: "refunds.forLine",
  params: (params: LineVersion) => ({ order: params.order, line: params.line, ref: refundRef(params) }),
  project: refundSnapshot,
};

/** Undoes one refund: the payment is called back, what was booked is booked back, and the customer is told. Signed for itself. */
export const reverseRefund = defineEffect<ReversalParams>({
  name: "reverse_refund",
  version: "1",
  owner,
  params: reversalParams,
  // Computed from the refund that went wrong; nobody chooses them.
  paramRules: { ...lineRules(["calculation"]), isBooked: { class: "flag", sources: ["calculation"] } },
  sideEffect: "external",
  risk: ({ amountMinor, currency }) => riskOf({ minor: amountMinor, currency }),
  reversible: false,
  describe: ({ amountMinor, currency, order, line }) =>
    `Call back the refund of ${formatMoney({ minor: amountMinor, currency })} for line ${line} of order ${order}`,
  key: (params) => `reverse:${refundRef(params)}`,
  dedupe: "key",
  settleMs: 2_000,
  requires: [
    { name: "refund_is_out", holds: (_params, seen) => seen?.["refund_state"] === "issued" },
    { name: "booked_as_known", holds: ({ isBooked }, seen) => seen?.["bookings"] === (isBooked ? 1 : 0) },
  ],
  before,
  expect: {
    state: (params, seen) => ({
      // Of a line that is not there nothing is sent, see `requires`.
      version: (numberOf(seen, "version") || 0) + 1,
      refunded_minor: (numberOf(seen, "refunded_minor") || 0) - params.amountMinor,
      refund_state: "reversed",
      booked_minor: 0,
      bookings: params.isBooked ? 2 : 0,
      shown_status: "refund_withdrawn",
      shown_ref: refundRef(params),
    }),
    mayChange: [],
    deadlineMs: 60_000,
  },
});

/** Refunds one line of an order to the payment it was paid with. Done is: refund record, booking and customer-visible status agree. */
export const refundLine = defineEffect<RefundParams>({
  name: "refund_line",
  version: "1",
  owner,
  params: refundParams,
  paramRules: {
    ...lineRules(["record"]),
    refundedMinor: { class: "selector", sources: ["record"] },
    reason: { class: "param", sources: ["calculation"] },
  },
  sideEffect: "external",
  // By all that was refunded of the line, so that a large refund does not become small by being asked for in parts.
  risk: ({ amountMinor, refundedMinor, currency }) => riskOf({ minor: refundedMinor + amountMinor, currency }),
  reversible: true,
  describe: ({ amountMinor, currency, order, line, payment }) =>
    `Refund ${formatMoney({ minor: amountMinor, currency })} for line ${line} of order ${order} to payment ${payment}`,
  key: refundRef,
  dedupe: "key",
  settleMs: 2_000,
  requires: [
    { name: "within_cap", holds: ({ amountMinor, currency }) => amountMinor <= bandLimits[currency].cap },
    {
      name: "not_more_than_paid",
      holds: ({ amountMinor }, seen) => numberOf(seen, "refunded_minor") + amountMinor <= numberOf(seen, "total_minor"),
    },
    {
      name: "line_as_read",
      holds: ({ version, refundedMinor }, seen) =>
        seen?.["version"] === version && seen["refunded_minor"] === refundedMinor && seen["refund_state"] === "none",
    },
  ],
  before,
  expect: {
    state: (params) => ({
      version: params.version + 1,
      refunded_minor: params.refundedMinor + params.amountMinor,
      refund_state: "issued",
      payment: params.payment,
      currency: params.currency,
      amount_minor: params.amountMinor,
      reason: params.reason,
      booked_minor: -params.amountMinor,
      bookings: 1,
      shown_status: "refund_on_its_way",
      shown_ref: refundRef(params),
    }),
    mayChange: [],
    deadlineMs: 60_000,
  },
  compensate: {
    effect: reverseRefund.erased,
    params: ({ params: { reason: _reason, refundedMinor: _before, ...line }, observed }) => ({
      ...line,
      isBooked: observed?.["bookings"] === 1,
    }),
  },
  recovery: {
    maxSends: 3,
    partial: [
      {
        // Money is out that the books know nothing of.
        name: "refund_not_booked",
        holds: (seen) => seen?.["refund_state"] === "issued" && seen["bookings"] === 0,
        means: "compensate",
      },
      {
        // Money and books agree, and the customer reads nothing of it. No reason to call money back: somebody mends the status.
        name: "status_missing",
        holds: (seen, params) =>
          seen?.["refund_state"] === "issued" && seen["bookings"] === 1 && seen["shown_ref"] !== refundRef(params),
        means: "escalate",
      },
    ],
  },
  // A shop of this size refunds a few dozen lines an hour; more than this is a loop or a thief.
  limits: { perHour: 120 },
});

/** What both effects see of the world: the line, the refund of that name, what is booked for it, and what the customer is shown. */
export function refundSnapshot(rows: readonly JsonObject[]): Snapshot {
  const [row] = rows;
  if (row === undefined) return null;
  return Object.fromEntries(seenFields.map((field) => [field, row[field] ?? null]));
}

const seenFields = [
  ...["version", "total_minor", "refunded_minor", "refund_state", "payment", "currency", "amount_minor", "reason"],
  ...["booked_minor", "bookings", "shown_status", "shown_ref"],
];

/** Not a number where nothing was seen, so that no comparison holds. */
function numberOf(seen: Snapshot, field: string): number {
  const value = seen?.[field];
  return typeof value === "number" ? value : Number.NaN;
}
