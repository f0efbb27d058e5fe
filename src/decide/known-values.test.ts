import { expect, it, test } from "vitest";
import type { Json, JsonObject } from "../contract/json.ts";
import { openKnownValues } from "./known-values.ts";

const knownIn = (row: JsonObject): readonly string[] => {
  const values = openKnownValues();
  values.learn([row]);
  return values.all().map((one) => `${one.class} ${one.value}`);
};

test.each<[string, JsonObject, readonly string[]]>([
  [
    "an e-mail address and a number",
    { email: "ada@moll.example", phone: "+49 30 1234567" },
    ["email ada@moll.example", "phone +49 30 1234567"],
  ],
  [
    "a name beside an address of the same row",
    { id: "c-1", name: "Ada Moll", email: "a@b.example" },
    ["person Ada Moll", "email a@b.example"],
  ],
  [
    "however the field is spelt",
    { Customer_Name: "Ada Moll", "date-of-birth": "1980-02-03" },
    ["person Ada Moll", "birth_date 1980-02-03"],
  ],
  [
    "what stands deeper",
    { holder: { fullName: " Ada Moll " }, list: [{ iban: "DE02 1203" }] },
    ["person Ada Moll", "iban DE02 1203"],
  ],
])("knows %s", (_what, row, known) => {
  expect(knownIn(row)).toEqual(known);
});

test.each<[string, JsonObject]>([
  ["the name of a product", { id: "p-1", name: "Travel mouse", price: 30 }],
  ["what is too short to be looked for", { email: "a", phone: "12" }],
  ["what is no text", { email: null, phone: 12_345, address: true }],
  ["fields of other names", { status: "shipped", constructor: "x" }],
])("does not know %s", (_what, row) => {
  expect(knownIn(row)).toEqual([]);
});

it("ends with what is endless, and looks at all that is deep", () => {
  const cycle: { [key: string]: Json } = { email: "ada@moll.example" };
  cycle["below"] = [cycle, cycle];
  cycle["beside"] = cycle;
  expect(knownIn(cycle)).toEqual(["email ada@moll.example"]);
  let deep: Json = { email: "ada@moll.example" };
  for (let level = 0; level < 5_000; level += 1) deep = level % 2 === 0 ? [deep, deep] : { below: deep, beside: deep };
  expect(knownIn({ deep })).toEqual(["email ada@moll.example"]);
});

const rowsOf = (count: number, from = 0): readonly JsonObject[] =>
  Array.from({ length: count }, (_, place) => ({ email: `ada${from + place}@moll.example` }));

it("keeps a value once in each class, however often it is read", () => {
  const values = openKnownValues();
  const row = { email: "help@corp.example", phone: "+49 30 1234567", display_name: "Help Desk" };
  for (let read = 0; read < 8; read += 1) values.learn(Array.from({ length: 50 }, () => row));
  expect(values.all()).toHaveLength(3);
  values.learn([{ email: "Help Desk" }]);
  expect(values.all()).toHaveLength(4);
});

it("refuses what is more than it remembers, and keeps nothing of it", () => {
  const values = openKnownValues();
  values.learn(rowsOf(1_000));
  values.learn(rowsOf(1_000));
  expect(() => values.learn(rowsOf(2, 999))).toThrow(expect.objectContaining({ code: "record_unavailable" }));
  expect(values.all()).toHaveLength(1_000);
  expect(() => openKnownValues().learn([{ email: rowsOf(1_001).map(({ email }) => email ?? "") }])).toThrow(/1000 names/);
});
