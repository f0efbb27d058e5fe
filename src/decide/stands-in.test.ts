import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { standsIn } from "./stands-in.ts";

describe("standsIn", () => {
  it.each([
    ["pay 10 now", "10"],
    ["(LT-1042)", "LT-1042"],
    ["it is LT-1042.", "LT-1042"],
    ["Device: LT-1042, please", "LT-1042"],
    ["LT-10421 and LT-1042", "LT-1042"],
    ["ticket #4471", "4471"],
    ["mail bob@x.example!", "bob@x.example"],
    ["from:bob@x.example", "bob@x.example"],
    ["whole text", "whole text"],
  ])("finds in `%s` the span `%s`", (text, value) => {
    expect(standsIn(text, value)).toBe(true);
  });

  it.each([
    ["LT-1042", "LT-10"],
    ["LT-1042", "LT"],
    ["LT-1042", "1042"],
    ["£820,000", "82"],
    ["£82,000", "000"],
    ["£82,000", "82"],
    ["at 10:30", "30"],
    ["-10", "10"],
    ["15.500", "15"],
    ["jane.doe@x.example", "doe@x.example"],
    ["jane.doe+tax@x.example", "jane.doe"],
    ["bob@x.example", "x.example"],
    ["bob@x.example.evil", "bob@x.example"],
    ["Tinas", "Tina"],
    ["München", "nchen"],
    ["e\u0301", "e"],
    ["anything", ""],
    ["", "x"],
  ])("does not take a part for the whole: in `%s` there is no `%s`", (text, value) => {
    expect(standsIn(text, value)).toBe(false);
  });

  it("finds every value between spaces, and nothing that the text does not hold", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (left, value, right) => {
        expect(standsIn(`${left} ${value} ${right}`, value)).toBe(true);
        if (!left.includes(value)) expect(standsIn(left, value)).toBe(false);
      }),
    );
  });
});
