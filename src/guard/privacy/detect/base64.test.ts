import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "./base64.ts";
import { findStructured } from "./find-structured.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const found = (text: string): [string, string, string][] =>
  findStructured(text).map(({ class: of, start, end, canonical }) => [of, text.slice(start, end), canonical]);

describe("base64", () => {
  it("finds what is within and covers the whole run", () => {
    const run = base64("jane@shop.example");
    expect(found(`data:text/plain;base64,${run}.`)).toEqual([["email", run, "jane@shop.example"]]);
  });

  it("finds it in the other alphabet, over lines, in a path, and twice encoded", () => {
    const long = base64(`${"x".repeat(90)} jane@shop.example`);
    const lines = long.replace(/(.{76})/g, "$1\n");
    const urlSafe = Buffer.from("jane@shop.example ÿÿ?").toString("base64url");
    expect(found(urlSafe).map(([of, run]) => [of, run])).toEqual([["email", urlSafe]]);
    expect(found(lines).map(([of, run]) => [of, run])).toEqual([["email", lines]]);
    expect(found(`/users/${base64("jane@shop.example")}/x`)).toHaveLength(1);
    expect(found(base64(base64("jane@shop.example")))).toHaveLength(1);
  });

  it("tells two runs with different texts around one value apart", () => {
    const [one, other] = found(`${base64("a jane@x.example")} ${base64("b jane@x.example")}`);
    expect(one?.[2]).not.toBe(other?.[2]);
  });

  it.each(["internationalisation", "src/guard/privacy/detect", base64("nothing of anybody here"), "aaaaaaaaaaaaaaaaaaaaaaaa"])(
    "leaves %s",
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  it("decodes printable text as Node does, and nothing else", () => {
    const printable = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text));
    fc.assert(
      fc.property(printable, (text) => decode(base64(text)) === text && decode(Buffer.from(text).toString("base64url")) === text),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const text = decode(Buffer.from(bytes).toString("base64"));
        expect(text === null || Buffer.from(text).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });
});
