import { expect, it, test } from "vitest";
import type { Json, JsonObject } from "../contract/json.ts";
import type { KnownValue } from "../contract/privacy.ts";
import { addKnownValues } from "./known-values.ts";

const knownIn = (row: JsonObject): readonly string[] => {
  const values: KnownValue[] = [];
  addKnownValues(row, values);
  return values.map((one) => `${one.class} ${one.value}`);
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

it("ends with what is endless, deep or no plain row", () => {
  const cycle: { [key: string]: Json } = { email: "ada@moll.example" };
  cycle["below"] = cycle;
  expect(knownIn(cycle).length).toBeLessThan(20);
  const many = { email: Array.from({ length: 5_000 }, (_, place) => `ada${place}@moll.example`) };
  expect(knownIn(many).length).toBe(1_000);
});
