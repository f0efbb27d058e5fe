import { z } from "zod";
import { currencies } from "../money.ts";

/** What a line must look like in the order system's record before anything of it may be refunded. */
export const lineRow = z.object({
  id: z.string(),
  order: z.string(),
  line: z.int().min(1),
  product: z.string(),
  total_minor: z.int().min(1),
  refunded_minor: z.int().min(0),
  refundable_minor: z.int().min(0),
  version: z.int().min(1),
  is_final_sale: z.boolean(),
  status: z.enum(["paid", "packed", "shipped", "delivered", "cancelled"]),
  promised_on: z.iso.date(),
  delivered_on: z.iso.date().nullable(),
  payment: z.string(),
  currency: z.enum(currencies),
  refundable: z.string(),
});
export type LineRow = z.infer<typeof lineRow>;

export const refundReasons = ["changed_mind", "damaged", "not_as_described", "not_received", "cancelled"] as const;
export type RefundReason = (typeof refundReasons)[number];

/** Refund policy 3.0, in days: how long after delivery, and how long after the promised day. A test compares it with the document. */
export const refundDays = { changedMind: 30, defect: 90, notReceived: 7 } as const;

/** Whether a refund is allowed, by which rule, and the sentence that a person reads. */
export interface Allowance {
  readonly allowed: boolean;
  readonly rule: string;
  readonly because: string;
}

/** Refund policy 3.0 in code: says whether a line may be refunded for a reason at a time (milliseconds since the epoch). */
export function allowRefund({ line, reason, at }: { line: LineRow; reason: RefundReason; at: number }): Allowance {
  if (line.refundable_minor === 0) return refuse("refunded_already", "The line has been refunded in full.");
  switch (reason) {
    case "cancelled":
      return line.status === "cancelled"
        ? allow("cancelled", "The order was cancelled after it was paid.")
        : refuse("not_cancelled", "The order was not cancelled.");
    case "not_received":
      return allowMissing(line, at);
    case "changed_mind":
      if (line.is_final_sale) return refuse("final_sale", "The line is a final sale and is not taken back.");
      return allowWithin({ line, at, days: refundDays.changedMind, rule: "changed_mind" });
    case "damaged":
    case "not_as_described":
      return allowWithin({ line, at, days: refundDays.defect, rule: "defect" });
  }
}

function allowMissing({ status, delivered_on, promised_on }: LineRow, at: number): Allowance {
  if (delivered_on !== null)
    return refuse("delivered", `The order was delivered on ${delivered_on}; the carrier is asked first.`);
  if (status === "cancelled") return refuse("never_sent", "The order was cancelled and never sent.");
  const late = daysBetween(promised_on, at);
  return late >= refundDays.notReceived
    ? allow("lost", `The order is ${late} days late; after ${refundDays.notReceived} days it counts as lost.`)
    : refuse("not_late_enough", `The order counts as lost ${refundDays.notReceived} days after ${promised_on}.`);
}

function allowWithin(one: { line: LineRow; at: number; days: number; rule: string }): Allowance {
  const { line, at, days, rule } = one;
  if (line.delivered_on === null) return refuse("not_delivered", "The order has not been delivered.");
  const age = daysBetween(line.delivered_on, at);
  const because = `The order was delivered ${age} days ago; the policy gives ${days} days.`;
  return age <= days ? allow(`${rule}_in_time`, because) : refuse(`${rule}_too_late`, because);
}

/** Whole days from the start of a day to a moment, both in UTC; below 0 before that day. */
export function daysBetween(day: string, at: number): number {
  return Math.floor((at - Date.parse(`${day}T00:00:00Z`)) / 86_400_000);
}

function allow(rule: string, because: string): Allowance {
  return { allowed: true, rule, because };
}

function refuse(rule: string, because: string): Allowance {
  return { allowed: false, rule, because };
}
