import { describe, expect, test } from "vitest";
import type { Json } from "../../contract/json.ts";
import { calculations } from "./calculations.ts";

const calculated = (name: string, ...values: readonly Json[]) => calculations.get(name)?.(values);

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
  ])("%s of %j gives %j", (name, values, expected) => {
    expect(calculated(name, ...values)).toBe(expected);
  });

  test("takes an event to another day with its length", () => {
    const length = calculated("minutes_between", "2024-05-16T14:00:00", "2024-05-16T15:30:00");
    expect(calculated("add_minutes", "2024-05-20 10:00", length ?? null)).toBe("2024-05-20 11:30");
  });
});
