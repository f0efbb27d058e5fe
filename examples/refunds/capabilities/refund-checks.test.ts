import type { RecordRow } from "countersign";
import { everything } from "countersign";
import { describe, expect, it } from "vitest";
import { type Choosing, sliceOf } from "./choose-lines.ts";
import { refundChecks } from "./refund-checks.ts";
import type { LineRow } from "./refund-rule.ts";

const at = Date.UTC(2026, 5, 10);

/** A decision on lines of the given prices, all of them chosen, each without a choice. */
function chosen(
  prices: readonly number[],
  { roles = ["support", "support-lead"], ...said }: Partial<Choosing["decision"]> & { roles?: string[] } = {},
): Choosing {
  const items = prices.map((price, place): RecordRow => {
    const row: LineRow = {
      ...{ id: `ord-1001:${place + 1}`, order: "ord-1001", line: place + 1, product: `thing ${place}`, total_minor: price },
      ...{ refunded_minor: 0, refundable_minor: price, version: 1, is_final_sale: false, status: "delivered" },
      ...{ promised_on: "2026-06-01", delivered_on: "2026-06-01", payment: "pay-1001", currency: "GBP", refundable: "" },
    };
    return {
      kind: "record",
      id: `orders.lines:${row.id}`,
      need: "line",
      query: "orders.lines",
      row: { ...row },
      labels: {},
      readAt: at,
    };
  });
  const principal = { tenant: "acme", id: "agt-1", roles, attributes: {}, onBehalfOf: null, allow: everything };
  return {
    inputs: { text: "Refund everything of ord-1001, it is damaged" },
    envelope: { principal, scopes: [], environment: "demo", at },
    context: { items, digest: "" },
    decision: {
      ...{ order: "ord-1001", lines: prices.map((_price, place) => place + 1), reason: "damaged", eligible: true },
      ...{ policy: "passage:refund-policy:3.0:3", note: "n", confidence: 90, ...said },
    },
  };
}

const failed = (decided: Choosing) =>
  refundChecks
    .filter(({ run }) => !run(decided).passed)
    .map(({ name }) => name)
    .filter((name) => name !== "policy_retrieved");

describe("what code checks of a refund", () => {
  it("passes what fits", () => {
    expect(failed(chosen([1_000, 100_000]))).toEqual([]);
  });

  it.each<[string, Choosing, readonly string[]]>([
    ["a total above the cap", chosen([300_000, 200_001]), ["within_cap", "within_role_limit"]],
    ["a total above the asker's limit", chosen([60_000, 40_001], { roles: ["support"] }), ["within_role_limit"]],
    ["an asker without a limit", chosen([1], { roles: ["customer"] }), ["within_role_limit"]],
    ["another order", chosen([1_000], { order: "ord-1002" }), ["order_as_named"]],
    ["a line fewer than named", chosen([1_000, 2_000], { lines: [1] }), ["lines_as_named"]],
    [
      "a line twice",
      chosen([1_000], { lines: [1, 1] }),
      ["lines_of_order", "lines_as_named", "eligible_by_rule", "within_cap", "within_role_limit"],
    ],
    ["another reason than stated", chosen([1_000], { reason: "not_as_described" }), ["reason_as_stated"]],
    ["a no where the policy says yes", chosen([1_000], { eligible: false }), ["eligible_by_rule"]],
  ])("fails %s", (_what, decided, names) => {
    expect(failed(decided)).toEqual(names);
  });

  it("takes the slice of the whole request, so that many small lines are no small refund", () => {
    expect(sliceOf(chosen([9_000]))).toBe("small");
    expect(sliceOf(chosen([9_000, 9_000]))).toBe("medium");
    expect(sliceOf(chosen([90_000, 90_000]))).toBe("large");
  });
});
