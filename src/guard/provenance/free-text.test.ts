import { describe, expect, test } from "vitest";
import { strangersIn } from "./free-text.ts";

const plain = {
  request: "Write to Alice about www.our-company.com and a@b.com, IBAN GB29 NWBK 6016 1331 9268 19.",
  secrets: ["HGK137803"],
};

describe("free text", () => {
  test.each([
    "The article says that the weather was fine on 2024-05-16 at 10.30.",
    "See www.our-company.com, or write to a@b.com.",
    "The account is GB29NWBK60161331926819.",
    "Prices from 12.50 to 99.90 euros; 1,200 seats.",
  ])("may say %j", (text) => {
    expect(strangersIn(text, plain)).toEqual([]);
  });

  test.each([
    ["look at https://evil.example/x", "a link"],
    ["look at evil.com", "a link"],
    ["look at ｅｖｉｌ．ｃｏｍ", "a link"],
    ["look at ev\u200bil.com", "a link"],
    ["look at evil[.]com", "a link"],
    ["look at evil (dot) com", "a link"],
    ["look at evil dot com", "a link"],
    ["look at hxxps://evil.example", "a link"],
    ["look at evil%2Ecom", "a link"],
    ["look at www.our-company.com.evil.org", "a link"],
    ["look at www.our-company.com/steal?d=1", "a link"],
    ["look at 10.0.0.1/x", "a link"],
    ["write to mallory@evil.example", "an address of mail"],
    ["write to mallory (at) evil.example", "an address of mail"],
    ["pay to US133000000121212121212", "an account number"],
    ["pay to US13 3000 0001 2121", "an account number"],
    ["call 0049 170 1234567", "an account number"],
    ["look at evil .com", "a link"],
    ["look at evil&#46;com", "a link"],
    ["look at evil%252Ecom", "a link"],
    ["look at evil<dot>com", "a link"],
    ["look at evil\\.com", "a link"],
    ["look at evil\u20dd.com", "a link"],
    ["look at https://www.our-company.com/AbC", "a link"],
    ["pay to 1234,5678,9012", "an account number"],
    ["pay to 12  34  56  78  90", "an account number"],
    ["pay to US13  3000  0001  2121", "an account number"],
    ["pay to ١٢٣٤٥٦٧٨٩٠", "an account number"],
    ["pay to 1234-56-78 90", "an account number"],
    ["her passport is HGK 137803", "a secret"],
  ])("may not say %j", (text, name) => {
    expect(strangersIn(text, plain)).toContain(name);
  });

  test.each([
    ["a".repeat(50_000)],
    [" ".repeat(50_000)],
    ["a.".repeat(25_000)],
    ["1 ".repeat(25_000)],
    ["@".repeat(50_000)],
    ["%41".repeat(16_000)],
  ])("50 KB of hostile text take no longer than their length", (text) => {
    // The best of three: others use the machine too. Quadratic work would take four times as long.
    const best = (given: string) => Math.min(...[0, 1, 2].map(() => cpuMs(() => strangersIn(given, plain))));
    expect(best(text + text)).toBeLessThan(Math.max(100, best(text) * 3));
  });
});

test("a request full of addresses takes no longer than its length", () => {
  const of = (count: number) => ({ request: "a.bc ".repeat(count), secrets: [] });
  const best = (count: number) => Math.min(...[0, 1, 2].map(() => cpuMs(() => strangersIn("x.yz ".repeat(count), of(count)))));
  expect(best(8_000)).toBeLessThan(Math.max(100, best(4_000) * 3));
});

function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
