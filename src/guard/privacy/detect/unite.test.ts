import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataClasses, type Finding } from "../../../contract/privacy.ts";
import { unite } from "./unite.ts";

const finding = (start: number, end: number, of: Finding["class"] = "term"): Finding => ({
  ...{ start, end, class: of, kind: of, jurisdiction: null, canonical: `${of} ${start}-${end}` },
});

const findings = fc.array(
  fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 12 }), fc.constantFrom(...dataClasses))
    .map(([start, length, of]) => finding(start, start + length, of)),
  { maxLength: 20 },
);

const covered = (list: readonly Finding[]): ReadonlySet<number> =>
  new Set(list.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)));

describe("uniting findings", () => {
  it("keeps one that covers the others, under its own value", () => {
    const email = finding(0, 20, "email");
    expect(unite([finding(5, 20, "person"), email, finding(0, 4)])).toEqual([email]);
  });

  it("covers the union of two that overlap, under the stronger class and a value of both", () => {
    expect(unite([finding(0, 10, "person"), finding(6, 16, "email")])).toEqual([
      { ...finding(6, 16, "email"), start: 0, end: 16, canonical: "person 0-10 email 6-16" },
    ]);
  });

  it("takes the longest of the numbers on papers", () => {
    expect(unite([finding(1, 15, "card"), finding(0, 15, "national_id")])).toMatchObject([{ class: "national_id" }]);
  });

  it("leaves those that only touch", () => {
    expect(unite([finding(4, 8), finding(0, 4)])).toEqual([finding(0, 4), finding(4, 8)]);
  });

  it("is sorted, disjoint, covers the same, depends on no order and changes nothing twice", () => {
    fc.assert(
      fc.property(findings, (list) => {
        const united = unite(list);
        expect(united.every(({ start }, at) => at === 0 || start >= (united[at - 1]?.end ?? 0))).toBe(true);
        expect(covered(united)).toEqual(covered(list));
        expect(unite(united)).toEqual(united);
        expect(unite([...list].reverse()).map(({ start, end, class: of }) => [start, end, of])).toEqual(
          united.map(({ start, end, class: of }) => [start, end, of]),
        );
      }),
    );
  });
});
