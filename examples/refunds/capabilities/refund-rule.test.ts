import { describe, expect, it } from "vitest";
import { bandLimits } from "../bands.ts";
import { readDocuments } from "../sandbox/documents.ts";
import { policySections } from "./order-status.ts";
import { allowRefund, type LineRow, type RefundReason, refundDays } from "./refund-rule.ts";
import { resolveAmounts, resolveLines, resolveReason } from "./resolve-refund.ts";

const at = Date.UTC(2026, 5, 30, 12);
const line: LineRow = {
  ...{ id: "ord-1001:1", order: "ord-1001", line: 1, product: "desk lamp", total_minor: 1_000, refunded_minor: 0 },
  ...{ refundable_minor: 1_000, version: 1, is_final_sale: false, status: "delivered", promised_on: "2026-06-01" },
  ...{ delivered_on: "2026-06-01", payment: "pay-1001", currency: "GBP", refundable: "10.00 GBP" },
};
const ruled = (reason: RefundReason, changed: Partial<LineRow> = {}) =>
  allowRefund({ line: { ...line, ...changed }, reason, at }).rule;

describe("the refund policy in code", () => {
  it.each<[RefundReason, Partial<LineRow>, string]>([
    ["changed_mind", { delivered_on: "2026-05-31" }, "changed_mind_in_time"],
    ["changed_mind", { delivered_on: "2026-05-30" }, "changed_mind_too_late"],
    ["changed_mind", { is_final_sale: true }, "final_sale"],
    ["damaged", { is_final_sale: true }, "defect_in_time"],
    ["damaged", { delivered_on: "2026-04-01" }, "defect_in_time"],
    ["not_as_described", { delivered_on: "2026-03-31" }, "defect_too_late"],
    ["damaged", { delivered_on: null, status: "shipped" }, "not_delivered"],
    ["not_received", {}, "delivered"],
    ["not_received", { delivered_on: null, status: "shipped", promised_on: "2026-06-23" }, "lost"],
    ["not_received", { delivered_on: null, status: "shipped", promised_on: "2026-06-24" }, "not_late_enough"],
    ["not_received", { delivered_on: null, status: "cancelled" }, "never_sent"],
    ["cancelled", { status: "cancelled", delivered_on: null }, "cancelled"],
    ["cancelled", {}, "not_cancelled"],
    ["damaged", { refundable_minor: 0, refunded_minor: 1_000 }, "refunded_already"],
  ])("says of %s with %j: %s", (reason, changed, rule) => {
    expect(ruled(reason, changed)).toBe(rule);
  });

  it("holds the numbers of the policy that is in force, and the archived one has others", async () => {
    const documents = await readDocuments();
    const textOf = (version: string) =>
      documents
        .find((one) => one.id === "refund-policy" && one.version === version)
        ?.passages.map(({ text }) => text)
        .join(" ") ?? "";
    const current = textOf("3.0").replaceAll("\n", " ");
    expect(current).toContain(`up to ${refundDays.changedMind} days after delivery. Final`);
    expect(current).toContain(`refunded up to ${refundDays.defect} days after delivery`);
    expect(current).toContain(`lost ${refundDays.notReceived} days after the promised day`);
    const written = (minor: number) => `${(minor / 100).toLocaleString("en", { minimumFractionDigits: 2 })}`;
    for (const minor of Object.values(bandLimits.GBP)) expect(current).toContain(written(minor));
    for (const minor of Object.values(bandLimits.JPY)) expect(current).toContain(`${minor.toLocaleString("en")} JPY`);
    expect(textOf("2.0")).not.toContain(`${refundDays.changedMind} days`);
    expect(documents.find(({ version }) => version === "2.0")?.status).toBe("archived");
  });

  it("rests on sections that the delivery terms have", async () => {
    const terms = (await readDocuments()).find(({ id }) => id === "delivery-terms");
    expect(terms?.passages.map(({ section }) => section).sort()).toEqual(Object.values(policySections).sort());
  });
});

const lines = [
  { line: 1, product: "bath towel", refundable_minor: 2_200, currency: "GBP" as const },
  { line: 2, product: "bath mat", refundable_minor: 1_800, currency: "GBP" as const },
];
const numbersOf = (text: string) => resolveLines(text, lines)?.map(({ line: number }) => number) ?? null;
const amountsOf = (text: string, of = lines) => resolveAmounts(text, of)?.map(({ amountMinor }) => amountMinor) ?? null;

describe("what a request leaves no choice about", () => {
  it.each([
    ["refund line 2", [2]],
    ["items 1 and 2", [1, 2]],
    ["lines 1, 2", [1, 2]],
    ["everything", [1, 2]],
    ["the Bath Mat is torn", [2]],
    ["line 3", null],
    ["one of them is torn", null],
  ])("of lines: `%s` names %j", (text, expected) => {
    expect(numbersOf(text)).toEqual(expected);
  });

  it.each([
    ["it is broken", "damaged"],
    ["she changed her mind", "changed_mind"],
    ["it never arrived", "not_received"],
    ["wrong size, and broken", null],
    ["hmm", null],
  ])("of reasons: `%s` states %j", (text, expected) => {
    expect(resolveReason(text)).toBe(expected);
  });

  it.each([
    ["refund it", [2_200, 1_800]],
    ["refund £18.00 and £22", [2_200, 1_800]],
    ["refund £18", null],
    ["refund £18 and £21", null],
    ["refund £18, about 1.500 euro", null],
  ])("of amounts for two lines: `%s` gives %j", (text, expected) => {
    expect(amountsOf(text)).toEqual(expected);
  });

  it.each([
    ["refund £5", [500]],
    ["refund £22.01", null],
    ["refund 5 EUR", null],
    ["refund £0", null],
  ])("of amounts for one line: `%s` gives %j", (text, expected) => {
    expect(amountsOf(text, lines.slice(0, 1))).toEqual(expected);
  });
});
