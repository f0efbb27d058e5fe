import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";

const found = (text: string): [string, string, string][] =>
  findStructured(text).map(({ class: of, kind, start, end }) => [of, kind, text.slice(start, end)]);

describe("documents, accounts, vehicles and network cards", () => {
  it.each([
    ["passport", "passport", "passport number: C01X00T47", "C01X00T47"],
    ["passport", "passport", "Reisepass 123456789", "123456789"],
    ["national_id", "driving_licence", "My driver's license number is F162823540116.", "F162823540116"],
    ["national_id", "driving_licence", "driving licence MORGA657054SM9IJ", "MORGA657054SM9IJ"],
    ["account", "us_routing", "routing number 021000021", "021000021"],
    ["account", "sort_code", "sort code 20-00-00", "20-00-00"],
    ["account", "account", "account number 12345678", "12345678"],
    ["account", "account", "Kontonummer: 532 013 000", "532 013 000"],
    ["account", "account", "IBAN US133000000121212121212", "US133000000121212121212"],
    ["vehicle", "vin", "car 1HGCM82633A004352 came", "1HGCM82633A004352"],
    ["vehicle", "plate", "Kennzeichen B AB 1234", "B AB 1234"],
    ["vehicle", "plate", "licence plate AB12 CDE", "AB12 CDE"],
    ["mac", "mac", "eth 00:1a:2B:3c:4d:5e up", "00:1a:2B:3c:4d:5e"],
    ["mac", "mac", "00-1A-2B-3C-4D-5E", "00-1A-2B-3C-4D-5E"],
    ["mac", "mac", "001a.2b3c.4d5e", "001a.2b3c.4d5e"],
  ])("finds %s (%s) in: %s", (of, kind, text, value) => {
    expect(found(text)).toEqual([[of, kind, value]]);
  });

  it.each([
    "your account is ready",
    "the passport office opens at 10",
    "license MIT, 2024",
    "plate of food for 12 people",
    "1HGCM82633A004353",
    "account balance 1,234.56",
    "registration opens in 2025",
    "chassis",
    "e7d540e3f67f010bcd1aba3007afccc 88835116",
    "00:1a:2b:3c:4d",
    "00:1a:2b:3c:4d:5e:6f",
  ])("leaves %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});
