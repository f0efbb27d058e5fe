import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MappedRow } from "./mappings/feed-row.ts";
import { type Movement, matchRow, windows } from "./matching-rules.ts";

const row: MappedRow = {
  ...{ kind: "mapped", line: 2, mapping: "norda-3", reference: "NB-100", bookedOn: "2026-11-27" },
  ...{ amountMinor: 10_000, currency: "EUR", text: "" },
};
const movement: Movement = {
  ...{
    id: "mov-0001",
    reference: "NB-100",
    booked_on: "2026-11-27",
    amount_minor: 10_000,
    currency: "EUR",
    version: 1,
    state: "open",
  },
};
const unnamed = { ...movement, reference: null };
const nameOf = (movements: readonly Movement[], changed: Partial<MappedRow> = {}) =>
  matchRow({ ...row, ...changed }, movements).name;

describe("the matching rules", () => {
  it.each<[string, readonly Movement[], Partial<MappedRow>]>([
    ["exact_reference", [movement], {}],
    ["exact_reference", [movement], { bookedOn: "2026-12-02" }],
    ["exact_reference", [movement, { ...unnamed, id: "mov-0002" }], {}],
    ["date_differs", [movement], { bookedOn: "2026-12-03" }],
    ["difference", [movement], { amountMinor: 10_100 }],
    ["amount_differs", [movement], { amountMinor: 10_101 }],
    ["sign_flipped", [movement], { amountMinor: -10_000 }],
    ["amount_differs", [{ ...movement, amount_minor: -30 }], { amountMinor: 20 }],
    ["currency_differs", [movement], { currency: "GBP" }],
    ["movement_matched", [{ ...movement, state: "matched" }], {}],
    ["ambiguous", [movement, { ...movement, id: "mov-0002" }], {}],
    ["amount_and_date", [unnamed], { bookedOn: "2026-11-29" }],
    ["missing_in_books", [unnamed], { bookedOn: "2026-11-30" }],
    ["missing_in_books", [{ ...unnamed, state: "matched" }], {}],
    ["missing_in_books", [{ ...movement, reference: "NB-200" }], {}],
    ["ambiguous", [unnamed, { ...unnamed, id: "mov-0002" }], {}],
  ])("say %s", (name, movements, changed) => {
    expect(nameOf(movements, changed)).toBe(name);
  });

  const movements = fc.array(
    fc.record({
      id: fc.constantFrom("mov-0001", "mov-0002", "mov-0003"),
      reference: fc.constantFrom("NB-100", "NB-200", null),
      booked_on: fc.constantFrom("2026-11-20", "2026-11-26", "2026-11-27", "2026-11-29"),
      amount_minor: fc.constantFrom(10_000, -10_000, 9_950, 500),
      currency: fc.constantFrom("EUR" as const, "GBP" as const),
      version: fc.constant(1),
      state: fc.constantFrom("open" as const, "matched" as const),
    }),
    { maxLength: 5 },
  );

  it("never match but an open movement over the very same amount, and never depend on the order of the books", () => {
    fc.assert(
      fc.property(movements, fc.infiniteStream(fc.nat()), (books, picks) => {
        const ruling = matchRow(row, books);
        if (ruling.kind === "match") {
          expect(ruling.movement).toMatchObject({ state: "open", amount_minor: row.amountMinor, currency: row.currency });
        }
        if (ruling.kind === "adjust" && ruling.name === "difference") {
          expect(Math.abs(ruling.differenceMinor)).toBeLessThanOrEqual(windows.toleranceMinor);
        }
        const shuffled = books.toSorted(() => ((picks.next().value ?? 0) % 2 === 0 ? 1 : -1));
        const again = matchRow(row, shuffled);
        expect([again.kind, again.name]).toEqual([ruling.kind, ruling.name]);
      }),
    );
  });
});
