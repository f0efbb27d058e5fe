import { describe, expect, it, test } from "vitest";
import type { Aggregate } from "../../contract/field-policy.ts";
import type { JsonObject } from "../../contract/json.ts";
import { totalLabels, totalsOf } from "./aggregate.ts";
import type { DecisionMemory } from "./decision-memory.ts";
import { release } from "./release.ts";

const rule: Aggregate = {
  ...{ by: ["team"], subject: "id", minimumGroup: 3 },
  measures: { people: { as: "count" }, paid: { as: "sum", of: "pay" }, mean: { as: "mean", of: "pay" } },
};
const people = (team: string | null, count: number, from = 0): JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${team}-${from + n}`, team, pay: 0.1 }));
const totals = (rows: readonly JsonObject[], given: Partial<Aggregate> = {}) => totalsOf("q", { ...rule, ...given }, rows);
const shown = (rows: readonly JsonObject[], given: Partial<Aggregate> = {}) =>
  totals(rows, given).rows.map(({ team, people: size, paid }) => [team, size, paid]);

describe("totals of groups", () => {
  it("are exact, and of decimal digits stay decimal digits", () => {
    expect(totals(people("a", 3)).rows).toEqual([{ team: "a", people: 3, paid: 0.3, mean: 0.1 }]);
    const rows = ["0.10", "0.20", "0.05"].map((pay, id) => ({ id, team: "a", pay }));
    expect(totals(rows).rows).toEqual([{ team: "a", people: 3, paid: "0.35", mean: "0.116667" }]);
  });

  test.each([
    [
      "groups that are large enough stand alone",
      [...people("a", 3), ...people("b", 4)],
      [
        ["a", 3, 0.3],
        ["b", 4, 0.4],
      ],
    ],
    [
      "small ones are folded",
      [...people("a", 3), ...people("b", 2), ...people("c", 1)],
      [
        ["a", 3, 0.3],
        [null, 3, 0.3],
      ],
    ],
    [
      "a small one takes the smallest large one with it",
      [...people("a", 5), ...people("b", 3), ...people("c", 1)],
      [
        ["a", 5, 0.5],
        [null, 4, 0.4],
      ],
    ],
    [
      "nobody's group is no group of its own beside the fold",
      [...people("a", 3), ...people(null, 3), ...people("c", 1)],
      [
        ["a", 3, 0.3],
        [null, 4, 0.4],
      ],
    ],
  ])("where %s", (_, rows, expected) => {
    expect(shown(rows)).toEqual(expected);
  });

  it("are refused where all of them are too few", () => {
    expect(() => totals(people("a", 2))).toThrow(expect.objectContaining({ code: "group_too_small" }));
  });

  it("count people, not rows: one who has many rows is one", () => {
    const rows = people("a", 1).concat(people("a", 1), people("a", 1), people("a", 1));
    expect(() => totals(rows)).toThrow(expect.objectContaining({ code: "group_too_small" }));
  });

  it("say nothing of a value that only few have, in however many rows", () => {
    const paid = [...people("a", 1), ...people("a", 1), ...people("a", 1)];
    const rows = [...paid, ...people("a", 4, 1).map((row) => ({ ...row, pay: null }))];
    expect(totals(rows).rows).toMatchObject([{ people: 5, paid: null, mean: null }]);
    expect(totals([...rows, ...people("a", 2, 1)]).rows).toMatchObject([{ people: 5, paid: 0.5, mean: 0.1 }]);
  });

  it("say nothing of a value that only few have, and fail for one that cannot be added", () => {
    expect(totals([...people("a", 2), { id: "x", team: "a", pay: null }]).rows).toMatchObject([{ people: 3, paid: null }]);
    expect(() => totals(people("a", 3).map((row) => ({ ...row, pay: "much" })))).toThrow(
      expect.objectContaining({ code: "record_changed" }),
    );
  });

  it("can be steered by whoever can write into a row", () => {
    const labels = { team: "system", id: "system", pay: "third" } as const;
    expect(totalLabels(rule, labels)).toEqual({ team: "system", people: "system", paid: "third", mean: "third" });
    expect(totalLabels(rule, { team: "system" })).toMatchObject({ people: "third", paid: "third" });
  });
});

describe("two totals of one decision", () => {
  const memory = (): DecisionMemory => ({ released: new Map(), hidden: new Set() });
  const give = (to: DecisionMemory, rows: readonly JsonObject[], given: Partial<Aggregate> = {}) => {
    const { groupsOf } = totals(rows, given);
    release({ memory: to, query: "q", subject: "id", shown: { kind: "groups", groupsOf, minimumGroup: 3 } });
  };
  const refused = expect.objectContaining({ code: "group_too_small" });

  test.each([
    ["the second is the first without one of them", people("a", 6), people("a", 5)],
    ["the second has one more", people("a", 5), people("a", 6)],
    ["one is in each alone", people("a", 5), people("a", 5, 1)],
    ["two are in the second alone", people("a", 4), people("a", 6)],
  ])("are refused where %s", (_, first, second) => {
    const one = memory();
    give(one, first);
    expect(() => give(one, second)).toThrow(refused);
    // In another decision it is another's question.
    expect(() => give(memory(), second)).not.toThrow();
  });

  it("are refused where the sum of groups and a total differ by one: three questions tell no more than two", () => {
    const one = memory();
    give(one, [...people("a", 3), ...people("b", 3)]);
    expect(() => give(one, [...people("a", 3), ...people("b", 3), ...people("c", 1)], { by: [] })).toThrow(refused);
  });

  test.each([
    ["the same again", [...people("a", 4), ...people("b", 3)], [...people("a", 4), ...people("b", 3)]],
    ["of other people", people("a", 4), people("b", 3)],
    ["that differ by enough", people("a", 6), people("a", 3)],
  ])("are given: %s", (_, first, second) => {
    const one = memory();
    give(one, first);
    expect(() => give(one, second)).not.toThrow();
  });

  it("are refused beside groups that the system made, except the same question", () => {
    const one = memory();
    const ask = (question: string) => release({ memory: one, query: "v", subject: "id", shown: { kind: "asked", question } });
    ask("a");
    expect(() => ask("a")).not.toThrow();
    expect(() => ask("b")).toThrow(refused);
    expect(() => give(one, people("a", 3))).toThrow(refused);
  });

  it("are refused where people are in several groups, except the same again", () => {
    const one = memory();
    const rows = [...people("a", 3), ...people("b", 3)].map((row, n) => ({ ...row, id: `p-${n % 3}` }));
    give(one, rows);
    expect(() => give(one, rows)).not.toThrow();
    expect(() => give(one, people("c", 3))).toThrow(refused);
  });
});
