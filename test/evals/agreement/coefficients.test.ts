import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { krippendorffAlpha } from "../../../src/evals/agreement/alpha.ts";
import { confusionOf, type Pair, sameShare } from "../../../src/evals/agreement/count-readings.ts";
import { cohenKappa } from "../../../src/evals/agreement/kappa.ts";

function pairsOf(words: readonly string[], counts: readonly (readonly number[])[]): readonly Pair[] {
  return counts.flatMap((row, one) =>
    row.flatMap((count, other) => Array.from({ length: count }, (): Pair => [words[one] ?? "", words[other] ?? ""])),
  );
}

const digits = ["1", "2", "3", "4", "5"];
/** Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: four observers, twelve units, some of them not read by all. */
const observers = [
  "1 2 3 3 2 1 4 1 2 . . .",
  "1 2 3 3 2 2 4 1 2 5 . 3",
  ". 3 3 3 2 3 4 2 2 5 1 .",
  "1 2 3 3 2 4 4 1 2 5 1 .",
].map((row) => row.split(" "));
const units = Array.from({ length: 12 }, (_, unit) => observers.flatMap((row) => (row[unit] === "." ? [] : [row[unit] ?? ""])));

describe("Krippendorff's alpha", () => {
  it.each([
    ["nominal", 0.743],
    ["ordinal", 0.815],
    ["interval", 0.849],
  ] as const)("is that of the worked example, %s", (metric, alpha) => {
    expect(krippendorffAlpha(units, digits, metric)).toBeCloseTo(alpha, 3);
  });

  it("is that of the example of two observers and binary data: 0.095", () => {
    // The same paper, section A: ten articles.
    const [one, other] = ["0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"].map((row) => row.split(" "));
    expect(
      krippendorffAlpha(
        (one ?? []).map((word, place) => [word, other?.[place] ?? ""]),
        ["0", "1"],
      ),
    ).toBeCloseTo(0.095, 3);
  });

  it("is not defined where nothing was read twice, or all said one word", () => {
    expect(krippendorffAlpha([], digits)).toBeNull();
    expect(krippendorffAlpha([["1"], ["2"]], digits)).toBeNull();
    expect(
      krippendorffAlpha(
        [
          ["1", "1"],
          ["1", "1"],
        ],
        digits,
      ),
    ).toBeNull();
    expect(
      krippendorffAlpha(
        [
          ["1", "1"],
          ["2", "2"],
        ],
        digits,
      ),
    ).toBe(1);
  });
});

const stages = ["normal", "benign", "suspected", "cancer"];
/** Boyd et al. (1982): two radiologists and 85 xeromammograms; worked in Altman, "Practical Statistics for Medical Research" (1991), section 14.3. */
const radiologists = [
  [21, 12, 0, 0],
  [4, 17, 1, 0],
  [3, 9, 15, 2],
  [0, 0, 0, 1],
];

describe("Cohen's kappa", () => {
  it("is that of a worked example with two words: 0.4", () => {
    // 50 grant proposals, 35 of them read alike; by chance 0.5: (0.7 - 0.5) / (1 - 0.5).
    const pairs = pairsOf(
      ["yes", "no"],
      [
        [20, 5],
        [10, 15],
      ],
    );
    expect(cohenKappa(pairs, ["yes", "no"])).toBeCloseTo(0.4, 10);
    expect(sameShare(pairs)).toBe(0.7);
  });

  it("is that of Altman's example, plain and weighted", () => {
    const pairs = pairsOf(stages, radiologists);
    expect(cohenKappa(pairs, stages)).toBeCloseTo(0.47, 2);
    expect(cohenKappa(pairs, stages, "linear")).toBeCloseTo(0.57, 2);
    expect(cohenKappa(pairs, stages, "quadratic")).toBeCloseTo(0.67, 2);
    expect(confusionOf(pairs, stages).counts).toEqual(radiologists);
  });

  it("is worked by hand for a near and a far miss", () => {
    // Of four pairs three agree; the last is one word off, or two. Distances by chance, linear: worked below.
    const near: readonly Pair[] = [
      ["a", "a"],
      ["b", "b"],
      ["c", "c"],
      ["a", "b"],
    ];
    const far: readonly Pair[] = [
      ["a", "a"],
      ["b", "b"],
      ["c", "c"],
      ["a", "c"],
    ];
    const words = ["a", "b", "c"];
    // near: rows 2 1 1, columns 1 2 1: chance (2*2*1 + 2*1*2 + 1*1*1 + 1*1*1 + 1*2*1 + 1*1*2) / 4 = 14 / 4; seen 1: 1 - 4 / 14
    expect(cohenKappa(near, words, "linear")).toBeCloseTo(1 - 4 / 14, 10);
    // far: rows 2 1 1, columns 1 1 2: chance (2*1*1 + 2*2*2 + 1*1*1 + 1*2*1 + 1*1*2 + 1*1*1) / 4 = 16 / 4; seen 2: 1 - 8 / 16
    expect(cohenKappa(far, words, "linear")).toBeCloseTo(0.5, 10);
  });

  it("is not defined of no pairs and of one word throughout", () => {
    expect(cohenKappa([], stages)).toBeNull();
    expect(cohenKappa([["benign", "benign"]], stages)).toBeNull();
    expect(() => cohenKappa([["benign", "other"]], stages)).toThrow(RangeError);
  });

  it("is 1 for readers who agree, at most 1 for all, and does not ask who is named first", () => {
    const word = fc.constantFrom(...stages);
    const weights = fc.constantFrom("none" as const, "linear" as const, "quadratic" as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 60 }), weights, (pairs, weight) => {
        const kappa = cohenKappa(pairs, stages, weight);
        expect(kappa ?? 0).toBeLessThanOrEqual(1);
        const turned = pairs.map(([one, other]): Pair => [other, one]);
        expect(cohenKappa(turned, stages, weight) ?? 0).toBeCloseTo(kappa ?? 0, 9);
        const same = pairs.map(([one]): Pair => [one, one]);
        expect([1, null]).toContain(cohenKappa(same, stages, weight));
      }),
    );
  });
});
