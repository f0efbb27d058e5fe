import { describe, expect, it } from "vitest";
import { fuse } from "./fuse.ts";

describe("the fusion of ranks", () => {
  it("puts first what several legs found", () => {
    const lists = [
      ["a", "b", "c"],
      ["d", "b", "e"],
    ].map((ranks) => ({ weight: 1, ranks }));
    expect(fuse(lists)).toEqual(["b", "a", "d", "c", "e"]);
  });

  it("counts a leg by its weight, and not at all where that is 0", () => {
    const legs = (weight: number) => [
      { weight: 1, ranks: ["a", "b"] },
      { weight, ranks: ["b", "c"] },
    ];
    expect(fuse(legs(1))).toEqual(["b", "a", "c"]);
    expect(fuse(legs(0))).toEqual(["a", "b"]);
    expect(
      fuse([
        { weight: 1, ranks: ["a"] },
        { weight: 1.1, ranks: ["b"] },
      ]),
    ).toEqual(["b", "a"]);
  });

  it("orders equals by the first leg that found them, and keeps one leg's order", () => {
    expect(
      fuse([
        { weight: 1, ranks: ["a"] },
        { weight: 1, ranks: ["b"] },
      ]),
    ).toEqual(["a", "b"]);
    expect(fuse([{ weight: 0.3, ranks: ["c", "a", "b"] }])).toEqual(["c", "a", "b"]);
    expect(fuse([])).toEqual([]);
  });
});
