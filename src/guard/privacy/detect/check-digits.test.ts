import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passesLuhn, passesMod11And10, passesVerhoeff, passesWeights, remainderBy97 } from "./check-digits.ts";

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(""));

const checks = { passesLuhn, passesMod11And10, passesVerhoeff };

describe("check digits", () => {
  it("accept numbers that their issuers publish as samples", () => {
    expect(passesLuhn("4111111111111111")).toBe(true);
    expect(passesMod11And10("86095742719")).toBe(true);
    expect(passesVerhoeff("234123412346")).toBe(true);
    expect(passesWeights("021000021", [3, 7, 1, 3, 7, 1, 3, 7, 1], 10)).toBe(true);
    expect(remainderBy97("370400440532013000DE89")).toBe(1);
  });

  it.each(Object.entries(checks))("%s accepts one last digit in ten, and finds every single slip", (_, passes) => {
    fc.assert(
      fc.property(digits(10), fc.nat(9), fc.integer({ min: 1, max: 9 }), (start, place, change) => {
        const valid = [..."0123456789"].map((digit) => start + digit).filter(passes);
        expect(valid).toHaveLength(1);
        const [number = ""] = valid;
        const slipped = (Number(number[place]) + change) % 10;
        expect(passes(number.slice(0, place) + slipped + number.slice(place + 1))).toBe(false);
      }),
    );
  });

  it("take the remainder of long numbers as exact arithmetic does", () => {
    fc.assert(fc.property(digits(30), (number) => remainderBy97(number) === Number(BigInt(number) % 97n)));
  });
});
