import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeText, openTestBoundary } from "../../../test/guard/privacy-samples.ts";
import { neverCancelled } from "../../contract/cancel.ts";
import type { Finding } from "../../contract/privacy.ts";

const whole = (value: number) => ({ kind: "whole", value: { n: value } });

describe("the stand-in of a JSON number", () => {
  it.each([
    ["negated", (count: number) => -count],
    ["a hundredth", (count: number) => count / 100],
    ["a thousandth, rounded", (count: number) => Math.round(count / 1_000)],
    ["a tiny part", (count: number) => count / 1e24],
    ["tenfold", (count: number) => count * 10],
    ["many times over", (count: number) => count * 1e12],
  ])("is altered where a model says it %s", async (_, change) => {
    const boundary = openTestBoundary();
    const { payload } = await boundary.encode({ card: 4_111_111_111_111_111, amount: 12 }, neverCancelled);
    expect(boundary.decodeJson({ n: payload.card })).toEqual(whole(4_111_111_111_111_111));
    expect(boundary.decodeJson({ n: change(payload.card) }).kind).toBe("altered");
  });

  it("comes back with the sign that it was sent with, and with no other", async () => {
    const boundary = openTestBoundary();
    const { payload } = await boundary.encode({ card: -4_111_111_111_111_111 }, neverCancelled);
    expect(boundary.decodeJson({ n: payload.card })).toEqual(whole(-4_111_111_111_111_111));
    expect(boundary.decodeJson({ n: -payload.card }).kind).toBe("altered");
  });

  it("makes no stand-in of the numbers that the payload itself has, nor of small ones", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 7_070_000, max: 7_079_999 })), fc.nat(99_999), async (own, small) => {
        const boundary = openTestBoundary();
        await boundary.encode({ card: 4_111_111_111_111_111, own }, neverCancelled);
        expect(boundary.decodeJson([...own])).toEqual({ kind: "whole", value: own });
        expect(boundary.decodeJson({ n: small % 7_070 })).toEqual(whole(small % 7_070));
      }),
      { numRuns: 100 },
    );
  });
});

describe("a stand-in of digits in a text that a model says as a JSON number", () => {
  const numberOf = (standIn: string): number => Number(standIn.replaceAll(/\D/g, ""));

  it.each(["4111 1111 1111 1111", "4111-1111-1111-1111", "4111111111111111"])("is the number of `%s`", async (card) => {
    const boundary = openTestBoundary();
    const standIn = await encodeText(boundary, card);
    expect(standIn).toMatch(/^000/);
    expect(boundary.decodeJson({ n: numberOf(standIn) })).toEqual(whole(4_111_111_111_111_111));
    expect(boundary.decodeJson({ n: -numberOf(standIn) }).kind).toBe("altered");
  });

  it.each([["+49 170 123 456"], ["123-45-6789"], ["(020) 555-0142"]])("is altered where that is not safe: `%s`", async (text) => {
    const boundary = openTestBoundary();
    const standIn = await encodeText(boundary, text);
    expect(boundary.decodeJson({ n: numberOf(standIn) }).kind).toBe("altered");
  });

  it("is told from numbers of the payload's own, and keeps five digits at least of eight", async () => {
    const structured = (text: string): readonly Finding[] =>
      [...text.matchAll(/\d{8}/g)].map(({ 0: value, index: start }) => ({
        ...({ start, end: start + 8, class: "account", kind: "account", jurisdiction: null, canonical: value } as const),
      }));
    const accounts = Array.from({ length: 50 }, (_, at) => String(12_345_678 + at));
    const boundary = openTestBoundary({ structured });
    for (const standIn of (await encodeText(boundary, accounts.join(", "))).split(", ")) {
      expect(numberOf(standIn)).toBeGreaterThanOrEqual(10_000);
      expect(boundary.decodeJson({ n: numberOf(standIn) }).kind).toBe("altered");
      await boundary.encode({ own: numberOf(standIn) }, neverCancelled);
      expect(boundary.decodeJson({ n: numberOf(standIn) })).toEqual(whole(numberOf(standIn)));
    }
  });
});
