import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";

const idsIn = (text: string): [string, string][] =>
  findStructured(text)
    .filter((finding) => finding.class === "national_id")
    .map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe("national identity numbers", () => {
  it.each([
    ["us_ssn", "Here is 123-45-6789.", "123-45-6789"],
    ["us_ssn", "SSN 123456789", "123456789"],
    ["us_ssn", "my social security number is 853 37 1694", "853 37 1694"],
    ["us_ssn", "that is 710-31-\n0236", "710-31-\n0236"],
    ["us_ssn", "SSN 123‐45–6789", "123‐45–6789"],
    ["us_itin", "ITIN 912-70-1234", "912-70-1234"],
    ["uk_nino", "NI AB 12 34 56 C", "AB 12 34 56 C"],
    ["uk_nino", "ab123456c", "ab123456c"],
    ["uk_nhs", "NHS number 943 476 5919", "943 476 5919"],
    ["de_steuer_id", "die 86 095 742 719 gilt", "86 095 742 719"],
    ["de_steuer_id", "Steuer-ID: 86095742719", "86095742719"],
    ["de_personalausweis", "Personalausweis L01X00T471", "L01X00T471"],
    ["fr_nir", "n° 2 55 08 14 168 025 38", "2 55 08 14 168 025 38"],
    ["fr_nir", "sécurité sociale 2550814168025", "2550814168025"],
    ["es_dni", "con 12345678Z en", "12345678Z"],
    ["es_dni", "NIE X-1234567-L", "X-1234567-L"],
    ["in_aadhaar", "2341 2341 2346", "2341 2341 2346"],
    ["in_aadhaar", "Aadhaar: 234123412346", "234123412346"],
    ["in_pan", "ABCPE1234F", "ABCPE1234F"],
  ])("finds %s in: %s", (kind, text, value) => {
    expect(idsIn(text)).toEqual([[kind, value]]);
  });

  it.each([
    "000-12-3456",
    "666-12-3456",
    "123-00-4567",
    "123-45-67890",
    "123-45-123-45-",
    "order 123-45-6789",
    "123456789",
    "QQ 12 34 56 C",
    "12345678A",
    "2341 2341 2345",
    "98 765 432 101",
    "2 55 08 14 168 025 39",
    "ABCXE1234F",
  ])("leaves %s", (text) => {
    expect(idsIn(text)).toEqual([]);
  });

  it("takes spellings for one number, and names the country", () => {
    expect(findStructured("123-45-6789 or SSN 123 45 6789")).toMatchObject(
      Array(2).fill({ jurisdiction: "us", canonical: "123456789" }),
    );
  });
});
