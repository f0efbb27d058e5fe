import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, originalRange } from "../fold.ts";
import { findStructured } from "./find-structured.ts";
import { unescapeText } from "./unescape.ts";

const letters = fc
  .array(fc.constantFrom("a", "é", "ü", "€", "😀", "-", " ", "4", "日", "４", "\u200b"), { minLength: 1, maxLength: 30 })
  .map((list) => list.join(""));

const found = (text: string): [string, string, string][] =>
  findStructured(text).map(({ class: of, start, end, canonical }) => [of, text.slice(start, end), canonical]);

describe("escapes", () => {
  it.each([
    ["of a URL", "?to=bob%40x.example&a=1", "bob%40x.example"],
    ["of a URL in a URL", "?next=%3Fto%3Dbob%2540x.example%26a", "bob%2540x.example"],
    ["of JSON", String.raw`{"a":"bob\u0040x.example"}`, String.raw`bob\u0040x.example`],
    ["of HTML", "bob&#64;x&period;example", "bob&#64;x&period;example"],
    ["of HTML in hexadecimal", "bob&#x40;x.example", "bob&#x40;x.example"],
    ["in full-width form", "bob％40x.example", "bob％40x.example"],
  ])("are read through: %s", (_, text, value) => {
    expect(found(text)).toEqual([["email", value, "bob@x.example"]]);
  });

  it("are read where they stand for white space before a number", () => {
    expect(found(String.raw`"Phone:\n467 3395"`)).toEqual([["phone", "467 3395", "4673395"]]);
    expect(found("tel:%2B442079460958")).toEqual([["phone", "%2B442079460958", "+442079460958"]]);
  });

  it("make nothing of what is no UTF-8", () => {
    expect(unescapeText(fold("100%ff %C3 %E2%82 \\x &nosuch; &#0;"))).toEqual([]);
  });

  it("come back to the text that was escaped, with a way back for every part", () => {
    fc.assert(
      fc.property(letters, fc.nat(), (text, seed) => {
        const escaped = `${encodeURIComponent(text)}%20`;
        const [view = null] = unescapeText(fold(escaped));
        expect(view?.text).toBe(fold(`${text} `).text);
        if (view === null || view.text.length === 0) return;
        const at = seed % view.text.length;
        const { start, end } = originalRange(view, at, at + 1);
        expect(fold(decodeURIComponent(escaped.slice(start, end))).text).toContain(view.text.charAt(at));
      }),
    );
  });

  it("are read with the lines around them, and nothing else is read twice", () => {
    const line = "A line of nothing that anybody has to hide.\n";
    const text = `${line.repeat(40)}write to bob%40x.example\n${line.repeat(40)}or ann%40x.example\n${line}`;
    expect(found(text).map(([, surface]) => surface)).toEqual(["bob%40x.example", "ann%40x.example"]);
    const parts = unescapeText(fold(text));
    expect(parts).toHaveLength(2);
    expect(parts.every((part) => part.text.length < 700 && part.text.startsWith("A line"))).toBe(true);
  });

  it("are read with what stands behind the last of them too", () => {
    const line = "A line of nothing that anybody has to hide.\n";
    const encoded = Buffer.from(`${"x".repeat(140)} to jane@shop.example and more`).toString("base64");
    // Broken by an escape shortly before the end of what is read with the first one.
    const run = `${encoded.slice(0, 60)}\n${encoded.slice(60, 118)}%${encoded.charCodeAt(118).toString(16)}${encoded.slice(119, 120)}`;
    const value = `${run}\n${(encoded.slice(120).match(/.{1,60}/g) ?? []).join("\n")}`;
    const text = `%20 ${line.repeat(4)}${value}\n${line.repeat(20)}`;
    expect(found(text).map(([of, surface]) => [of, surface])).toEqual([["email", value]]);
  });

  it("join over lines what is one value, such as a key with an escape in each line", () => {
    const key = `-----BEGIN PRIVATE KEY-----\\n${`${"MIIB".repeat(16)}\\n`.repeat(60)}-----END PRIVATE KEY-----`;
    const text = `${"A line of nothing.\n".repeat(80)}${key}\n${"Another one.\n".repeat(80)}`;
    expect(found(text).map(([of, surface]) => [of, surface])).toEqual([["secret", key]]);
  });
});
