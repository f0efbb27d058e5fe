import { describe, expect, it } from "vitest";
import { findingOf } from "./order-status.ts";

const at = Date.UTC(2026, 5, 10, 12);
const order = (status: string, promised_on = "2026-06-12") => ({ row: { status, promised_on } });
const scan = (event: string) => ({ row: { event } });

describe("what order system and carrier say together", () => {
  it.each([
    ["on_time", order("shipped"), scan("in transit")],
    ["on_time", order("packed", "2026-06-10"), null],
    ["late", order("shipped", "2026-06-09"), scan("in transit")],
    ["delivered", order("delivered", "2026-06-09"), scan("delivered")],
    ["conflict", order("delivered"), scan("returned")],
    ["conflict", order("delivered"), null],
    ["conflict", order("shipped"), scan("delivered")],
    ["none", null, scan("delivered")],
  ])("is %s", (finding, known, seen) => {
    expect(findingOf(known, seen, at)).toBe(finding);
  });
});
