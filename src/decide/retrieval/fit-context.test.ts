import { describe, expect, it } from "vitest";
import type { Passage, RecordRow } from "../../contract/context.ts";
import { fitContext } from "./fit-context.ts";

const text = (mark: string) => `${mark} ${"x".repeat(290)}`;
const passage = (id: string, need = "a"): Passage => ({
  ...{ kind: "passage", id, need, document: id, title: "T", version: "1", section: "S", text: text(id), score: 0.9 },
});
const row: RecordRow = {
  kind: "record",
  id: "r",
  need: "rec",
  query: "q",
  row: { a: text("r") },
  labels: { a: "system" },
  readAt: 0,
};
const all = { queries: ["q"], budget: 1_000_000, findDuplicates: undefined };
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

describe("fitContext", () => {
  it("keeps all in its order where there is room", () => {
    const { items, leftOut } = fitContext([[passage("1"), passage("2")], [row], [passage("3", "b")]], all);
    expect([ids(items), leftOut]).toEqual([["1", "2", "r", "3"], []]);
  });

  it("counts a passage that was found twice once", () => {
    const { items, leftOut } = fitContext([[passage("1")], [passage("1", "b"), passage("2", "b")]], all);
    expect(ids(items)).toEqual(["1", "2"]);
    expect(leftOut).toEqual([{ id: "1", need: "b", why: "found_before", sameAs: null }]);
  });

  it("leaves out what says the same as another, and tells the port which are current and have authority", () => {
    const asked: unknown[] = [];
    const findDuplicates: NonNullable<Parameters<typeof fitContext>[1]["findDuplicates"]> = (passages, queries) => {
      asked.push(
        passages.map(({ id, isAuthority, isCurrent }) => [id, isAuthority, isCurrent]),
        queries,
      );
      return [{ id: "1", sameAs: "2" }];
    };
    const { items, leftOut } = fitContext(
      [[passage("1"), { ...passage("2"), isAuthority: true }, { ...passage("3"), isCurrent: false }]],
      { ...all, findDuplicates },
    );
    expect(ids(items)).toEqual(["2", "3"]);
    expect(leftOut).toEqual([{ id: "1", need: "a", why: "duplicate", sameAs: "2" }]);
    expect(asked).toEqual([
      [
        ["1", false, true],
        ["2", true, true],
        ["3", false, false],
      ],
      ["q"],
    ]);
  });

  it("cuts what was found last, over all needs, and names it; the same again changes nothing", () => {
    const lists = [[passage("1"), passage("2"), passage("3")], [row], [passage("4", "b"), passage("5", "b")]];
    const { items, leftOut, estimated } = fitContext(lists, { ...all, budget: 520 });
    expect(ids(items)).toEqual(["1", "2", "r", "4"]);
    expect(leftOut.map(({ id, why }) => [id, why])).toEqual([
      ["5", "beyond_budget"],
      ["3", "beyond_budget"],
    ]);
    expect(estimated).toBeLessThanOrEqual(520);
    const again = [[passage("1"), passage("2")], [row], [passage("4", "b")]];
    expect(fitContext(again, { ...all, budget: 520 })).toMatchObject({ items, leftOut: [], estimated });
  });

  it("never cuts a record: where these alone are beyond the budget it says so", () => {
    expect(fitContext([[row], [passage("1")]], { ...all, budget: 50 })).toMatchObject({ isTooLarge: true, items: [{ id: "r" }] });
  });

  it("counts bytes and not characters", () => {
    const estimated = (said: string) => fitContext([[{ ...passage("1"), text: said }]], all).estimated;
    expect(estimated("ж".repeat(300)) - estimated("z".repeat(300))).toBe(100);
  });
});
