import fc from "fast-check";
import { expect, it } from "vitest";
import { newKey } from "../../../../test/guard/privacy-samples.ts";
import type { DataClass } from "../../../contract/privacy.ts";
import type { Drawing } from "./base.ts";
import { passesCheck } from "./checks.ts";
import { openDrawn } from "./drawn.ts";
import { sightStandIns } from "./sight.ts";
import { standInFor, standInForCount } from "./stand-in-for.ts";

const value = (of: DataClass, surface: string, canonical = surface.toLowerCase()): Drawing => ({
  ...{ class: of, kind: of, canonical, surface },
});
const drawnFor = (...one: Parameters<typeof value>): string => standInFor(openDrawn(newKey(), false), value(...one));

it.each<[DataClass, string, RegExp]>([
  ["person", "Jane Doe", /^[A-Z][a-z]+qv[a-z]+ [A-Z][a-z]+qv[a-z]+$/],
  ["person", "JANE", /^[A-Z]+QV[A-Z]+$/],
  ["person", "jane m.", /^[a-z]+qv[a-z]+ [a-z]+qv[a-z]+$/i],
  ["email", "jane@site.example", /^[a-z]+qv[a-z]+\.[0-9a-f]{4}@example\.invalid$/],
  ["phone", "+49 170 123 4567", /^\+00 0 ?\d{2} \d{3} \d{4}$/],
  ["phone", "5551234567", /^\+00\d{8}$/],
  ["card", "4111-1111-1111-1111", /^000\d-\d{4}-\d{4}-\d{4}$/],
  ["iban", "DE89 3704 0044 0532 0130 00", /^ZZ00 \d{4} \d{4} \d{4} \d{4} \d{2}$/],
  ["national_id", "123-45-6789", /^000-\d{2}-\d{4}$/],
  ["national_id", "AB123456C", /^QV\d{6}[A-Z]$/],
  ["passport", "c01x00t47", /^qv\d[a-z]\d\d[a-z]\d\d$/],
  ["address", "12 Long Road, Leeds", /^\d{2,3} [A-Z][a-z]+qv[a-z]+ Street$/],
  ["birth_date", "1975-03-14", /^29\d{2}-\d{2}-\d{2}$/],
  ["birth_date", "14 March 1975", /^QV/],
  ["ip", "10.1.2.3", /^241\.\d{1,3}\.\d{1,3}\.\d{1,3}$/],
  ["ip", "fe80::1", /^2001:db8:c5c5(?::[0-9a-f]{4}){5}$/],
  ["mac", "AA-BB-CC-DD-EE-FF", /^06-C5(?:-[0-9A-F]{2}){4}$/],
  ["secret", "sk-abcDEF0123456789", /^QV[A-Za-z0-9]{8,40}$|^QV[-A-Za-z0-9]+$/],
])("shapes what stands in for %s `%s` like it", (of, surface, form) => {
  expect(drawnFor(of, surface)).toMatch(form);
});

it("draws no number that passes a check of the real world", () => {
  const drawn = openDrawn(newKey(), false);
  for (let i = 0; i < 500; i += 1) {
    expect(passesCheck(standInFor(drawn, value("card", String(4_000_000_000_000_000 + i))))).toBe(false);
    expect(passesCheck(standInFor(drawn, value("account", String(100_000_000 + i))))).toBe(false);
    expect(passesCheck(String(standInForCount(drawn, 5_000_000_000_000_000 + i)))).toBe(false);
  }
  // Numbers that are known to pass, so that the check itself is seen to work.
  expect(["4111111111111111", "9434765919", "011000015"].map(passesCheck)).toEqual([true, true, true]);
});

it("gives two values two stand-ins, none of which is a part of another, however many there are", () => {
  const classes = ["person", "email", "phone", "card", "account", "ip", "birth_date", "passport"] as const;
  const day = (at: number): string => new Date(at * 86_400_000).toISOString().slice(0, 10);
  const drawn = openDrawn(newKey(), false);
  const texts: string[] = [];
  for (let at = 0; at < 1_000; at += 1) {
    const of = classes[at % classes.length] ?? "person";
    const surface = of === "birth_date" ? day(at) : of === "passport" ? `C${at}X` : `${1_000_000 + at}`;
    texts.push(standInFor(drawn, value(of, of === "person" ? `Person${at}` : surface)));
  }
  expect(new Set(texts.map((text) => text.toLowerCase())).size).toBe(texts.length);
  const whole = texts.join(" ");
  expect(sightStandIns(drawn, whole).map(({ start, end }) => whole.slice(start, end))).toEqual(texts);
});

it("finds a free one where few are left: short numbers, and more birthdays than a hundred years have days", () => {
  const drawn = openDrawn(newKey(), false);
  const numbers = Array.from({ length: 3_000 }, (_, at) => standInFor(drawn, value("account", String(10_000 + at))));
  expect(new Set(numbers).size).toBe(numbers.length);
  const words = Array.from({ length: 300 }, (_, at) => standInFor(drawn, value("birth_date", `14.03.19${at % 90}x${at}`)));
  expect(new Set(words).size).toBe(words.length);
});

it("gives a value the same stand-in each time, and another under another key", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<DataClass>("person", "email", "card", "iban", "term"),
      fc.string({ minLength: 1 }),
      (of, surface) => {
        fc.pre(/[\p{L}\p{N}]/u.test(surface));
        const drawn = openDrawn(newKey("one"), false);
        const again = openDrawn(newKey("one"), false);
        expect(standInFor(drawn, value(of, surface))).toBe(standInFor(drawn, value(of, surface)));
        expect(standInFor(drawn, value(of, surface))).toBe(standInFor(again, value(of, surface)));
      },
    ),
    { numRuns: 200 },
  );
  expect(drawnFor("person", "Jane Doe")).not.toBe(drawnFor("person", "Jane Doe"));
});
