import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";

const emailsIn = (text: string): string[] =>
  findStructured(text)
    .filter((finding) => finding.class === "email")
    .map(({ start, end }) => text.slice(start, end));

describe("e-mail addresses", () => {
  it.each([
    ["plus-addressed", "write to jane.doe+tax@x.example.", "jane.doe+tax@x.example"],
    ["in capitals", "JANE.DOE@X.EXAMPLE", "JANE.DOE@X.EXAMPLE"],
    ["internationalised", "mail jürgen@bücher.example, please", "jürgen@bücher.example"],
    ["in another script", "почта: иван@пример.испытание", "иван@пример.испытание"],
    ["in Punycode", "a@xn--bcher-kva.xn--p1ai", "a@xn--bcher-kva.xn--p1ai"],
    ["with a name glued to it by a dash", "jane@x.example-Jane Doe", "jane@x.example"],
    ["in brackets", "Jane <jane@x.example>", "jane@x.example"],
    ["in quotes", '"to":"jane@x.example"', "jane@x.example"],
    ["behind an equals sign", "?email=jane@x.example&x=1", "jane@x.example"],
    ["with an apostrophe", "sean.o'neil@x.example", "sean.o'neil@x.example"],
    ["with a quoted local part", '"jane doe"@x.example', '"jane doe"@x.example'],
    ["at a host of figures", "jane@[192.0.2.1]", "jane@[192.0.2.1]"],
    ["with a full-width sign", "jane＠x．example", "jane＠x．example"],
    ["with what is invisible in it", "ja\u200bne@x.ex\u00adample", "ja\u200bne@x.ex\u00adample"],
    ["in a sentence without spaces", "連絡先jane@x.exampleまで", "jane@x.example"],
    ["with a Cyrillic letter", "jаne@x.example", "jаne@x.example"],
  ])("finds one %s", (_, text, address) => {
    expect(emailsIn(text)).toEqual([address]);
  });

  it("finds three with only spaces between, and each alone", () => {
    expect(emailsIn("a.b@x.example c@y.example   d@z.example")).toEqual(["a.b@x.example", "c@y.example", "d@z.example"]);
  });

  it("takes spellings in capitals and with twins for one address", () => {
    const found = findStructured("jane@x.example JANE@X.example jаne@x.example");
    expect(new Set(found.map(({ canonical }) => canonical))).toEqual(new Set(["jane@x.example"]));
  });

  it.each(["@jane", "a @ b.example", "npm i foo@1.2.3", "@Injectable() class", "user@localhost", "a@b", "x@y.1", "@@@@.@"])(
    "leaves %s",
    (text) => {
      expect(emailsIn(text)).toEqual([]);
    },
  );

  it("finds every plain address whatever words stand around it", () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.constantFrom(" ", ", ", "\n", "(", "<"), (address, before) => {
        const plain = /^[a-z0-9]+(?:[.+-][a-z0-9]+)*@/i.test(address);
        fc.pre(plain && !/^[a-z0-9]*-/i.test(address));
        expect(emailsIn(`write${before}${address} soon`)).toEqual([address]);
      }),
    );
  });
});
