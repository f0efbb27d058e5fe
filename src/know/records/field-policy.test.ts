import { describe, expect, it, test } from "vitest";
import type { Json } from "../../contract/json.ts";
import { showRow } from "./field-policy.ts";
import { hiddenIn } from "./hidden.ts";

describe("a field policy", () => {
  test.each<[Json, "all" | "last_four" | "domain", Json]>([
    ["4111111111111234", "last_four", "***1234"],
    [4111111111111234, "last_four", "***1234"],
    ["1234567", "last_four", "***"],
    ["mira@acme.example", "domain", "***@acme.example"],
    ["mira@home@acme.example", "domain", "***"],
    ["no address", "domain", "***"],
    ["anything", "all", "***"],
    [true, "last_four", "***"],
    [{ iban: "DE1" }, "last_four", "***"],
    [null, "all", null],
  ])("shows of %j, masked by %s, %j", (value, mask, expected) => {
    expect(showRow({ field: value }, { field: { mask } }).row).toEqual({ field: expected });
  });

  it("leaves out what is excluded, shows the rest as it is, and says what it hid", () => {
    const shown = showRow(
      { id: "o-1", card: "4111111111111234", note: { by: "Mira Okafor", ok: true }, constructor: "x" },
      { card: { mask: "last_four" }, note: "exclude" },
    );
    expect(shown.row).toEqual({ id: "o-1", card: "***1234", constructor: "x" });
    expect(shown.hidden).toEqual(["4111111111111234", "Mira Okafor"]);
    expect(shown.masked).toEqual(["card"]);
  });
});

describe("what is hidden", () => {
  const memory = { released: new Map(), hidden: new Set(["4111111111111234", "Mira  Okafor", "5200", "no"]) };

  test.each([
    ["card 4111111111111234 is charged", ["4111111111111234"]],
    ["it is mira okafor's", ["Mira  Okafor"]],
    ["she earns 5200.", ["5200"]],
    ["ticket 152001, and no more", []],
  ])("is found in `%s`", (said, expected) => {
    expect(hiddenIn(memory, [said])).toEqual(expected);
  });
});
