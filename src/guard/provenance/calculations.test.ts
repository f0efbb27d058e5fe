import { describe, expect, test } from "vitest";
import type { Calculation } from "../../contract/calculation.ts";
import type { Json } from "../../contract/json.ts";
import { refused } from "../../contract/quantity.ts";
import { calculatedJson, calculationsWith } from "./calculations.ts";

const calculated = (name: string, ...values: readonly Json[]) =>
  calculatedJson({ calculations: calculationsWith([]), name, values });

describe("a calculation by code", () => {
  test.each<[string, readonly Json[], Json | undefined]>([
    ["minutes_between", ["2024-05-16 23:30", "2024-05-17 00:30"], 60],
    ["minutes_between", ["2024-05-16T09:00:00", "2024-05-16 09:45"], 45],
    ["minutes_between", ["2024-05-16 09:00", "2024-05-16 09:00"], 0],
    ["minutes_between", ["2024-05-16 10:00", "2024-05-16 09:00"], undefined],
    ["minutes_between", ["2024-05-16", "2024-05-17"], undefined],
    ["minutes_between", ["2024-13-16 10:00", "2024-13-16 11:00"], undefined],
    ["add_minutes", ["2024-05-16 23:30", 60], "2024-05-17 00:30"],
    ["add_minutes", ["2024-05-16", 60], undefined],
    ["add_minutes", ["2024-05-16 23:30", 1e300], undefined],
    ["add_minutes", ["2024-05-16 23:30", 0.5], undefined],
    ["add_minutes", ["2024-13-16 23:30", 5], undefined],
    ["date_time", ["2024-05-16", "9:00"], "2024-05-16 09:00"],
    ["date_time", ["2024-02-30", "9:00"], undefined],
    ["add_days", ["2024-02-28", 2], "2024-03-01"],
    ["days_between", ["2024-05-17", "2024-05-16"], -1],
    ["add", [0.1, 0.2], 0.3],
    ["add", [1, "2"], undefined],
    ["percent_of", [19.5, 1004], 195.78],
    ["round2", [1.005], 1.01],
    ["round2", [1.7e308], undefined],
    ["sum", [[0.1, 0.2, 0.3]], 0.6],
    ["sum", [[]], 0],
    ["sum", [[1, null]], undefined],
    ["sum", [[1.7e308, 1.7e308]], undefined],
    ["mean", [[1, 2, 4]], 2.333333333333333],
    ["divide", [1, 0], undefined],
    ["percent_change", [44.1, 56.7], -22.22222222222222],
    ["count", [["a", "b"]], 2],
    ["join", ["a", "b"], "ab"],
    ["text", [5], "5"],
    ["subtract", [5], undefined],
    ["subtract", [5, 3, 1], undefined],
    ["constructor", [5], undefined],
  ])("%s of %j gives %j", (name, values, expected) => {
    expect(calculated(name, ...values)).toBe(expected);
  });

  test("takes an event to another day with its length", () => {
    const length = calculated("minutes_between", "2024-05-16T14:00:00", "2024-05-16T15:30:00");
    expect(calculated("add_minutes", "2024-05-20 10:00", length ?? null)).toBe("2024-05-20 11:30");
  });

  test("stands beside those that a capability registers, which replace none", () => {
    const run = () => {
      throw refused("never");
    };
    const own = (name: string): Calculation => ({
      name,
      version: "1",
      description: "One.",
      operands: { a: { type: "quantity" } },
      run,
    });
    const calculations = calculationsWith([own("vat"), own("add")]);
    expect(calculations.has("vat")).toBe(true);
    expect(calculatedJson({ calculations, name: "add", values: [1, 2] })).toBe(3);
    expect(calculatedJson({ calculations, name: "vat", values: [1] })).toBeUndefined();
  });
});
