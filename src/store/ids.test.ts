import { expect, it } from "vitest";
import { hashId, isId } from "./ids.ts";

it("the id of what a text names is a UUID of version 8, the same each time, and another for another text", () => {
  const texts = Array.from({ length: 500 }, (_none, place) => `ledger-check\nacme\n${place}`);
  const ids = texts.map(hashId);
  expect(ids.every((id) => isId(id) && /^.{14}8.{4}[89ab]/.test(id))).toBe(true);
  expect(texts.map(hashId)).toEqual(ids);
  expect(new Set(ids).size).toBe(texts.length);
  // Rows that stand go by it: of the same text it stays the same.
  expect(hashId("ledger-check")).toBe("d1aae34d-c553-8242-8a40-1390aca80a24");
});
