import { describe, expect, it } from "vitest";
import { type RefundParams, refundLine, refundRef, reverseRefund } from "./effects.ts";

const params: RefundParams = {
  ...{ order: "ord-1001", line: 1, version: 3, payment: "pay-1001", currency: "GBP" },
  ...{ amountMinor: 9_000, refundedMinor: 0, reason: "damaged" },
};
const before = {
  version: 3,
  total_minor: 20_000,
  refunded_minor: 0,
  refund_state: "none",
  bookings: 0,
  booked_minor: 0,
  shown_ref: null,
};
const issued = {
  ...before,
  version: 4,
  refunded_minor: 9_000,
  refund_state: "issued",
  bookings: 1,
  shown_ref: refundRef(params),
};
const partial = (observed: object) => refundLine.recovery?.partial.find(({ holds }) => holds(observed as typeof issued, params));
const compensation = (observed: object) => refundLine.compensate?.params({ params, before, observed: observed as typeof issued });
const broken = (changed: Partial<RefundParams>, seen: object | null = before) =>
  refundLine.requires.filter(({ holds }) => !holds({ ...params, ...changed }, seen as typeof before)).map(({ name }) => name);

describe("refund_line", () => {
  it("has a key of order, line and approved version, without a person in it", () => {
    expect(refundLine.key(params)).toBe("refund:ord-1001:1:3");
    expect(refundLine.key({ ...params, version: 4 })).not.toBe(refundLine.key(params));
    expect(refundLine.key({ ...params, amountMinor: 1 })).toBe(refundLine.key(params));
  });

  it("is as risky as all that was refunded of the line, so that parts do not hide the whole", () => {
    expect(refundLine.risk(params)).toBe("low");
    expect(refundLine.risk({ ...params, refundedMinor: 9_000 })).toBe("medium");
    expect(refundLine.risk({ ...params, refundedMinor: 95_000 })).toBe("high");
  });

  it("holds to the cap, to what was paid and to the line as it was read", () => {
    expect(broken({})).toEqual([]);
    expect(broken({ amountMinor: 500_001 })).toEqual(["within_cap", "not_more_than_paid"]);
    expect(broken({ amountMinor: 20_001 })).toEqual(["not_more_than_paid"]);
    expect(broken({ version: 2 })).toEqual(["line_as_read"]);
    expect(broken({}, { ...before, refund_state: "issued" })).toEqual(["line_as_read"]);
    expect(broken({}, null)).toEqual(["not_more_than_paid", "line_as_read"]);
  });

  it("knows by name what lies between not done and done", () => {
    expect(partial(before)).toBeUndefined();
    expect(partial({ ...issued, bookings: 0 })).toMatchObject({ name: "refund_not_booked" });
    expect(partial({ ...issued, shown_ref: null })).toMatchObject({ name: "status_missing" });
    expect(partial({ ...issued, shown_ref: "refund:ord-1001:1:2" })).toMatchObject({ name: "status_missing" });
    expect(partial(issued)).toBeUndefined();
    expect(refundLine.recovery?.partial.map(({ means }) => means)).toEqual(["compensate", "escalate"]);
  });
});

describe("the compensation of a refund", () => {
  it("is another effect, for the same money, that books back only what was booked", async () => {
    expect(refundLine.compensate?.effect).toBe(reverseRefund.erased);
    const unbooked = compensation({ ...issued, bookings: 0 });
    expect(unbooked).toEqual({
      ...{ order: "ord-1001", line: 1, version: 3, payment: "pay-1001", currency: "GBP" },
      ...{ amountMinor: 9_000, isBooked: false },
    });
    expect(compensation(issued)).toMatchObject({ isBooked: true });
    // What it gives is what the effect takes.
    expect(await reverseRefund.params["~standard"].validate(unbooked)).not.toHaveProperty("issues");
  });

  it("leaves line and books as before the refund, by another name, and is never small because the refund was signed", () => {
    const reversal = { ...params, amountMinor: 150_000, isBooked: true };
    expect(reverseRefund.key(reversal)).toBe("reverse:refund:ord-1001:1:3");
    expect(reverseRefund.risk(reversal)).toBe("high");
    expect(reverseRefund.expect.state({ ...reversal, amountMinor: 9_000 }, issued)).toMatchObject({
      ...{ refunded_minor: 0, booked_minor: 0, bookings: 2, refund_state: "reversed", shown_status: "refund_withdrawn" },
    });
  });

  it("is for a refund that is out, with the bookings that are known", () => {
    const broken = (isBooked: boolean, seen: object) =>
      reverseRefund.requires
        .filter(({ holds }) => !holds({ ...params, isBooked }, seen as typeof issued))
        .map(({ name }) => name);
    expect(broken(true, issued)).toEqual([]);
    expect(broken(false, issued)).toEqual(["booked_as_known"]);
    expect(broken(false, before)).toEqual(["refund_is_out"]);
  });
});
