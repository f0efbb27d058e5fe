import fc from "fast-check";
import { expect, it } from "vitest";
import { openNumbering } from "./numbering.ts";

it("gives each number the place in which it came first, as a map does", () => {
  // Many that agree in their lower half, as the places of one position in many documents do.
  const number = fc.oneof(
    fc.nat({ max: 5_000 }),
    fc.tuple(fc.nat({ max: 2 ** 20 }), fc.nat({ max: 3 })).map(([high, low]) => high * 2 ** 32 + low),
    fc.maxSafeNat(),
  );
  fc.assert(
    fc.property(fc.array(number, { size: "max", maxLength: 4_000 }), fc.array(number), (numbers, others) => {
      const numbering = openNumbering();
      const expected = new Map<number, number>();
      for (const one of numbers) {
        if (!expected.has(one)) expected.set(one, expected.size);
        expect(numbering.place(one)).toBe(expected.get(one));
      }
      expect(numbering.size()).toBe(expected.size);
      for (const one of [...numbers, ...others]) expect(numbering.find(one)).toBe(expected.get(one) ?? -1);
      for (const [one, place] of expected) expect(numbering.at(place)).toBe(one);
    }),
    { numRuns: 30 },
  );
});
