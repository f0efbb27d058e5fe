import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";

const found = (text: string): [string, string][] =>
  findStructured(text)
    .filter((finding) => finding.class === "birth_date")
    .map(({ start, end, canonical }) => [text.slice(start, end), canonical]);

describe("dates of birth", () => {
  it.each([
    ["She was born on 11/22/1990.", "11/22/1990", "1990-11-22"],
    ["DOB: 1990-11-22", "1990-11-22", "1990-11-22"],
    ["date of birth 04/05/1990", "04/05/1990", "4/5/1990"],
    ["geboren am 22.11.1990 in Köln", "22.11.1990", "1990-11-22"],
    ["geb. 22. November 1990", "22. November 1990", "1990-11-22"],
    ["né(e) le 3 février 1985", "3 février 1985", "1985-02-03"],
    ["fecha de nacimiento: 12 de mayo de 1980", "12 de mayo de 1980", "1980-05-12"],
    ["birthday March 3rd, 1985", "March 3rd, 1985", "1985-03-03"],
    ["born 3rd of March 1985", "3rd of March 1985", "1985-03-03"],
    ['"dob":"19851103"', "19851103", "1985-11-03"],
    ["DOB 11.3.85", "11.3.85", "11/3/85"],
    ["born on ２２.１１.１９９０", "２２.１１.１９９０", "1990-11-22"],
  ])("finds the date in: %s", (text, date, canonical) => {
    expect(found(text)).toEqual([[date, canonical]]);
  });

  it.each([
    "on 11/22/1990",
    "born in 1985",
    "born in Ohio, she moved away and much later, on 11/22/1990, left",
    "meet on 2024-06-10",
    "born 1.2.3",
  ])("leaves %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});
