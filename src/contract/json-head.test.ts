import { describe, expect, it } from "vitest";
import { jsonHead } from "./json-head.ts";

const texts = [
  ["plain", "abcdefgh"],
  ["of controls", "\u0001\u001f\b\t\n\f\r\u007f"],
  ["of quotes and backslashes", '"\\"\\'],
  ["of two and three bytes", "é€ž\u2028\uffff"],
  ["of pairs", "\u{1F600}a\u{1F600}"],
  ["with lone surrogates", "a\ud800b\udc00"],
] as const;

describe("jsonHead", () => {
  it.each(texts)("is the longest head that fits, for a text %s", (_what, text) => {
    for (let bytes = 0; bytes <= bytesOf(text) + 1; bytes += 1) {
      const { end, bytes: taken } = jsonHead(text, bytes);
      expect(bytesOf(text.slice(0, end))).toBe(taken);
      expect(taken).toBeLessThanOrEqual(bytes);
      const next = String.fromCodePoint(text.codePointAt(end) ?? 0x61);
      if (end < text.length) expect(bytesOf(text.slice(0, end) + next)).toBeGreaterThan(bytes);
    }
    expect(jsonHead(text, bytesOf(text))).toEqual({ end: text.length, bytes: bytesOf(text) });
  });
});

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
