import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";
import { compileTerms } from "./terms.ts";

const pieces = fc.constantFrom(
  ...["jane@x.example", "+44 20 7946 0958", "4111 1111 1111 1111", "DE89370400440532013000", "123-45-6789", "203.0.113.7"],
  ...[
    "amFuZUB4LmV4YW1wbGUu",
    "bob%40x.example",
    "born 11/22/1990",
    "password: hunter2",
    "４１１１",
    "ja\u200bne",
    "😀",
    "\ud83d",
  ],
  ...[" ", "\n", "-", ".", "@", "%", "\\u0040", "&#64;", "card", "call", "1", "0", "(", ")", "+", ":"],
);
const mixed = fc
  .array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 6 })), { maxLength: 25 })
  .map((list) => list.join(""));

describe("finding what has a shape", () => {
  it("answers with sorted, disjoint, whole ranges of any text, in the closed words of the contract", () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const found = findStructured(text);
        let last = 0;
        for (const { start, end, kind, canonical } of found) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(kind).toMatch(/^[a-z0-9_]+$/);
          expect(canonical).not.toBe("");
          for (const border of [start, end])
            expect(text.slice(border - 1, border + 1)).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
          last = end;
        }
        expect(findStructured(text)).toEqual(found);
      }),
      { numRuns: 400 },
    );
  });

  it("finds all kinds in one text and leaves the words between", () => {
    const text =
      "Hi, I am Jo. Mail jo@shop.example, call 020 7946 0958, pay 4111 1111 1111 1111 or GB29NWBK60161331926819. Order 4711 from 10.06.2024 cost 12.50.";
    expect(findStructured(text).map(({ class: of }) => of)).toEqual(["email", "phone", "card", "iban"]);
  });

  it("finds keys of JSON as well as values, whatever stands around", () => {
    const text = JSON.stringify({ "jane@x.example": { deep: ["tel +44 20 7946 0958", { "203.0.113.7": null }] } });
    expect(findStructured(text).map(({ class: of }) => of)).toEqual(["email", "phone", "ip"]);
  });
});

const size = 51_200;
const repeated = (text: string): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);

const hostile: readonly string[] = [
  ...[
    "1.1.1.",
    "a",
    "123-45-",
    " ",
    "@",
    "a@",
    "%40",
    "%25",
    "%",
    "1",
    "(((",
    "4111 ",
    "20 20 ",
    "+1 ",
    "0 ",
    "555-123-4567 ",
    "(0) ",
  ],
  ...[
    "call 5551234567 ",
    "4111 1111 1111 1111 ",
    "4111\n",
    ":",
    "a:",
    "fe80::1 ",
    "1.1.1.1 ",
    "password=",
    "password is ",
    "bearer  ",
  ],
  ...[
    "eyJaaaaaaaa.",
    "-eyJ",
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
    "born ",
    "born 1/1/",
    "card ",
    "passport A1",
    "DE89 ",
    "DE89370400440532013000 ",
  ],
  ...[
    "a://b:",
    "?token=",
    "&amp;",
    "\\u0040",
    "\\",
    "аa",
    "\u200b",
    "a\u0301\u0301\u0301",
    "jane@x.example ",
    "a.a.",
    "x.example@",
    "AB12",
    "1-",
  ],
  ...[
    "YWFhYWFhYWFhYWFh/",
    "amFuZUB4LmV4YW1wbGU",
    "license ",
    "plate AB 12 ",
    "\r",
    "\ud800",
    "１",
    "-",
    "----",
    "=",
    "'",
    '"',
    "tina tina moor ",
  ],
];

describe("hostile texts of 50 KB", () => {
  const terms = compileTerms(["tina moor", "tina tina tina moor"].map((value) => ({ value })));

  // A finder of quadratic time takes minutes for these. Counted is the time of this process, not that of others beside it.
  it.each(hostile)("are looked through in time: %j", (text) => {
    const began = process.cpuUsage();
    findStructured(repeated(text), { terms });
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000);
  });
});
