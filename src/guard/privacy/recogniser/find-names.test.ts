import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNames } from "./find-names.ts";
import { openNameModel } from "./name-model.ts";

const model = openNameModel(readFileSync(new URL("model.bin", import.meta.url)));
const find = (text: string) =>
  findNames(text, { model, places: false }).map(({ class: one, start, end }) => `${one}: ${text.slice(start, end)}`);
const people = (text: string) => find(text).flatMap((one) => (one.startsWith("person: ") ? [one.slice(8)] : []));

describe("names of people", () => {
  it.each([
    ["My name is Tina M and I need help.", ["Tina M"]],
    ["Eric's order is late, please tell Eric.", ["Eric", "Eric"]],
    ["Dear Mr. Okonkwo, your claim was paid.", ["Okonkwo"]],
    ["Please forward this to J. R. Halloran today.", ["J. R. Halloran"]],
    ["The contract was signed by Ilona K Varga on Friday.", ["Ilona K Varga"]],
    ["I spoke with Pieter van der Meulen yesterday.", ["Pieter van der Meulen"]],
    ["Regards,\nSiobhan O'Rourke", ["Siobhan O'Rourke"]],
    ["i'm jane holloway, my order is late", ["jane holloway"]],
    ["who is on call? selma says it is kristina.", ["selma", "kristina"]],
    ["They asked Usamov twice, and N. King once.", ["Usamov", "N. King"]],
    ["Ich heiße Annegret Schulze und möchte kündigen.", ["Annegret Schulze"]],
    ["Je m'appelle Amélie Fournier.", ["Amélie Fournier"]],
    ["Mi nombre es Ximena Cárdenas.", ["Ximena Cárdenas"]],
    ['{"customer":{"name":"Katalin Szabó","total":12}}', ["Katalin Szabó"]],
  ])("in %j", (text, names) => {
    expect(people(text)).toEqual(names);
  });

  it("count in their parts once the whole was found", () => {
    expect(people("My name is Ottoline Brackwater. Some days later the same Brackwater wrote again.")).toEqual([
      ...["Ottoline Brackwater", "Brackwater"],
    ]);
  });

  it("have one canonical value in several spellings", () => {
    const canonical = (text: string) => findNames(text, { model, places: false })[0]?.canonical;
    expect(canonical("Name: Zuzana Malá")).toBe("zuzana malá");
    expect(canonical("Name: ZUZANA  MALÁ")).toBe("zuzana malá");
  });
});

describe("addresses", () => {
  it.each([
    ["Please send it to 221 Harbour Street, Apt. 4, Springfield, IL 62701.", "221 Harbour Street, Apt. 4, Springfield, IL 62701"],
    ["Deliver to:\nLindenstraße 12\n10969 Berlin\nGermany", "Lindenstraße 12\n10969 Berlin\nGermany"],
    ["J'habite 14 rue des Lilas, 69003 Lyon.", "14 rue des Lilas, 69003 Lyon"],
    ["Meet me at the corner of Mill Lane and Oak Street.", "the corner of Mill Lane and Oak Street"],
    ["My new address is P.O. Box 1180, Wellington.", "P.O. Box 1180, Wellington"],
  ])("in %j", (text, address) => {
    expect(find(text)).toEqual([`address: ${address}`]);
  });
});

describe("what is nobody's", () => {
  it.each([
    "The invoice total is due within thirty days.",
    "Terms and Conditions\nPrivacy Policy\nContact Us",
    "In March and April we will update the billing service.",
    "const total = await orders.sum(12);",
    "We are travelling to Portugal next week.",
    "What are the opening hours on Monday?",
    "2026-03-01 10:22 INFO OrderService: payment accepted",
    "Reply with one JSON value that fits the schema, and nothing else.",
    '{"text":"My keyboard is broken"}',
    'Set "several" to true when the message holds more than one wish',
    "Orders are refunded up to 90 days after delivery; a keyboard must be 54 months old.",
    "Above 15,000 JPY a manager decides, above 150,000 JPY the finance team.",
    "Certified by ISO 27001 and ISO 27018, and by SOC 2 Type II.",
    "# Passwords\n\nSecurity comes first. Meeting rooms are booked for 30 minutes.",
    "id: atlas-security-eu\nmetadata:\n  product: atlas\n  validFrom: 2026",
    "5. **A route** answers at most 64 KiB, each row once.",
    "import { RecordRow } from './record-row.ts'; z.enum(['a']).max(5);",
  ])("stays: %j", (text) => {
    expect(find(text)).toEqual([]);
  });
});

describe("any text", () => {
  it("gives sorted, disjoint ranges that cut no character in two", () => {
    const word = fc.constantFrom(
      "Dear",
      "Ana",
      "Kovács",
      "12",
      "Main",
      "St",
      ",",
      "\n",
      "😀",
      "o'",
      "'s",
      "．",
      "\u0301",
      "\u200b",
      "@",
      "GmbH",
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 30 }).map((words) => words.join(" ")),
      fc.string({ unit: "binary", maxLength: 80 }),
    );
    fc.assert(
      fc.property(text, (one) => {
        let before = 0;
        for (const { start, end, canonical } of findNames(one, { model, places: true })) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(one.length);
          expect(/^[\udc00-\udfff]/.test(one.slice(start)) && /[\ud800-\udbff]$/.test(one.slice(0, start))).toBe(false);
          expect(canonical).not.toBe("");
          before = end;
        }
      }),
      { numRuns: 300 },
    );
  });
});
