import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passesLuhn } from "./check-digits.ts";
import { findStructured } from "./find-structured.ts";

const cardsIn = (text: string): string[] =>
  findStructured(text)
    .filter((finding) => finding.class === "card")
    .map(({ start, end }) => text.slice(start, end));

describe("card numbers", () => {
  it.each([
    ["4111111111111111", "visa"],
    ["4222222222222", "visa"],
    ["5555555555554444", "mastercard"],
    ["2223003122003222", "mastercard"],
    ["378282246310005", "amex"],
    ["30569309025904", "diners"],
    ["6011111111111117", "discover"],
    ["3530111333300000", "jcb"],
  ])("tells the brand of %s", (card, kind) => {
    expect(findStructured(`charge ${card} today`)).toMatchObject([{ class: "card", kind, canonical: card, jurisdiction: null }]);
  });

  it("takes three spellings for one card", () => {
    const found = findStructured("4111111111111111, 4111 1111 1111 1111 and 4111-1111-1111-1111");
    expect(found.map(({ canonical }) => canonical)).toEqual(Array(3).fill("4111111111111111"));
  });

  it.each([
    ["glued to a domain", "4111111111111111.shop.example", "4111111111111111"],
    ["glued to a word", "card4111111111111111ok", "4111111111111111"],
    ["in the groups of American Express", "pay 3782 822463 10005.", "3782 822463 10005"],
    ["broken between two groups", "4111 1111\n1111 1111", "4111 1111\n1111 1111"],
    ["broken within a group", "4111 1111 11\n11 1111", "4111 1111 11\n11 1111"],
    ["broken after a hyphen", "4111-1111-\n1111-1111", "4111-1111-\n1111-1111"],
    ["in full-width digits", "４１１１ １１１１ １１１１ １１１１", "４１１１ １１１１ １１１１ １１１１"],
    ["with a wrong check digit behind a word", "my card number is 9999 8888 7777 6666", "9999 8888 7777 6666"],
    ["with a wrong check digit in its brand's length", "take 4111 1111 1111 1112", "4111 1111 1111 1112"],
    ["of twelve digits behind a word", "block card no 675984103431", "675984103431"],
    ["in a camel-cased key", '{"cardNumber":"9999888877776666"}', "9999888877776666"],
  ])("finds one %s", (_, text, card) => {
    expect(cardsIn(text)).toEqual([card]);
  });

  it.each([
    ["a fraction", "score 0.5227687358856201"],
    ["a fraction that would pass", "0.4111111111111111"],
    ["a matrix of zeros", 'matrix(0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0) and "0000 0000 0000 0000"'],
    ["the middle of a UUID", "id 9b2e4111-1111-1111-1111-1111222233ab"],
    ["a UUID of digits", "12345678-4111-1111-1111-111111111111"],
    ["a timestamp", "at 1718035200000 and 20240610120000 and 1718035200000000"],
    ["a piece of a longer number", "4111111111111111411111111111111141111"],
    ["a key in hexadecimal", "sha 9f4111111111111111ab30"],
    ["a barcode", "6935818350846"],
    ["an order", "order 4111111111111112"],
    ["a number in one run, of a seldom prefix and with a wrong check digit", "value 6836590884864082"],
    ["digits that are all one", "card 8888888888888888"],
  ])("leaves %s", (_, text) => {
    expect(cardsIn(text)).toEqual([]);
  });

  it("finds every valid number of sixteen digits that begins with a 4, however it is grouped", () => {
    const body = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 })
      .map((digits) => `4${digits.join("")}`);
    fc.assert(
      fc.property(body, fc.constantFrom("", " ", "-"), (start, separator) => {
        const check = [..."0123456789"].find((digit) => passesLuhn(start + digit)) ?? "";
        const card = `${start}${check}`.replace(/(.{4})(?=.)/g, `$1${separator}`);
        expect(cardsIn(`paid with ${card}, thanks`)).toEqual([card]);
      }),
    );
  });
});
