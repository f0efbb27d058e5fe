import fc from "fast-check";
import { countrySpecs, isValidIBAN } from "ibantools";
import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";

const ibansIn = (text: string): string[] =>
  findStructured(text)
    .filter((finding) => finding.class === "iban")
    .map(({ start, end }) => text.slice(start, end));

describe("IBANs", () => {
  it.each([
    ["in one run", "My IBAN is DE89370400440532013000.", "DE89370400440532013000"],
    ["in groups", "to GB29 NWBK 6016 1331 9268 19, please", "GB29 NWBK 6016 1331 9268 19"],
    ["in small letters", "gb42nawi04454264788619", "gb42nawi04454264788619"],
    ["with letters in its account", "FR14 2004 1010 0505 0001 3M02 606", "FR14 2004 1010 0505 0001 3M02 606"],
    ["with wrong check digits", "DE88370400440532013000", "DE88370400440532013000"],
    ["glued to a word", "IBANDE89370400440532013000", "DE89370400440532013000"],
    ["broken over a line", "DE89 3704 0044\n0532 0130 00", "DE89 3704 0044\n0532 0130 00"],
    ["with Cyrillic twins", "DЕ89370400440532013000", "DЕ89370400440532013000"],
  ])("finds one %s", (_, text, iban) => {
    expect(ibansIn(text)).toEqual([iban]);
  });

  it("names the country, and takes spellings for one account", () => {
    expect(findStructured("DE89370400440532013000 de89 3704 0044 0532 0130 00")).toMatchObject(
      Array(2).fill({ class: "iban", kind: "iban", jurisdiction: "de", canonical: "DE89370400440532013000" }),
    );
  });

  it.each([
    "DE8937040044053201300",
    "DE893704004405320130001",
    "XX89370400440532013000",
    "KDE88370400440532013000",
    "to 12 and more of these words here",
    "US133000000121212121212",
  ])("leaves %s", (text) => {
    expect(ibansIn(text)).toEqual([]);
  });

  it("finds whatever the registry's checks accept", () => {
    const german = fc.tuple(fc.nat(99_999_999), fc.nat(9_999_999_999)).map(([bank, account]) => {
      const digits = `${String(bank).padStart(8, "0")}${String(account).padStart(10, "0")}`;
      return `DE${String(98n - (BigInt(`${digits}131400`) % 97n)).padStart(2, "0")}${digits}`;
    });
    fc.assert(
      fc.property(german, (iban) => {
        expect(isValidIBAN(iban)).toBe(true);
        expect(ibansIn(`pay ${iban} now`)).toEqual([iban]);
        expect(ibansIn(iban.replace(/(.{4})(?=.)/g, "$1 "))).toEqual([iban.replace(/(.{4})(?=.)/g, "$1 ")]);
      }),
    );
    expect(countrySpecs["DE"]?.chars).toBe(22);
  });
});
