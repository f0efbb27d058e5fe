import { describe, expect, it } from "vitest";
import { encodeText, openTestBoundary, wholeText } from "../../../test/guard/privacy-samples.ts";
import type { Finding } from "../../contract/privacy.ts";
import type { Piece } from "./settle.ts";
import { widenPieces } from "./widen.ts";

const pieceAt = (start: number, end: number): Piece => ({
  ...{ start, end, class: "email", kind: "email", canonical: "x", treatment: "tokenise", isNamed: false },
});

describe("widening", () => {
  it("reaches to the next sign that is outside, and leaves what is not wanted", () => {
    const text = "ab12cd 34ef 56";
    const pieces = [pieceAt(2, 4), pieceAt(7, 9), pieceAt(12, 14)];
    const widened = widenPieces({ text, pieces, isWanted: (_, at) => at !== 1, isInside: (at) => text.charAt(at) !== " " });
    expect(widened.map(({ start, end, canonical }) => [start, end, canonical])).toEqual([
      [0, 6, "ab12cd"],
      [7, 9, "x"],
      [12, 14, "x"],
    ]);
  });

  it("looks at each sign of one text without spaces a few times, however many pieces are in it", () => {
    const workOf = (count: number): number => {
      let work = 0;
      const pieces = Array.from({ length: count }, (_, at) => pieceAt(at * 10 + 2, at * 10 + 8));
      const isInside = (): boolean => {
        work += 1;
        return true;
      };
      const widened = widenPieces({ text: "x".repeat(count * 10), pieces, isWanted: () => true, isInside });
      expect(widened.every(({ start, end }) => start === 0 && end === count * 10)).toBe(true);
      return work;
    };
    expect(workOf(4_000)).toBeLessThan(2.1 * workOf(2_000));
  });

  it("does not stall over thousands of pieces in one text without spaces that all have to be widened", async () => {
    const structured = (text: string): readonly Finding[] =>
      [...text.matchAll(/N\d+/g)].map(({ 0: value, index: start }) => ({
        ...({ start, end: start + value.length, class: "person", kind: "name", jurisdiction: null, canonical: value } as const),
      }));
    const boundary = openTestBoundary({ structured, recogniser: null });
    // What stands before the mark at the end would be taken for an altered stand-in.
    const text = `${Array.from({ length: 8_000 }, (_, at) => `N${at}`).join(";")}-@example.invalid`;
    // Some tenths of a second; with the square of the pieces it takes half a minute.
    const startedAt = performance.now();
    expect(wholeText(boundary, await encodeText(boundary, text))).toBe(text);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  }, 60_000);
});
