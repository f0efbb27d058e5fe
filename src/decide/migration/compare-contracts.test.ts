import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../../contract/json.ts";
import { defineCapability } from "../../define/capability.ts";
import { compareContracts, contractShape, membersDiffer } from "./compare-contracts.ts";
import type { Contract } from "./contract-of.ts";
import { isInShare } from "./in-share.ts";
import { memberNames } from "./member-names.ts";
import { proseAlikePpm } from "./prose-alike.ts";
import type { Shape } from "./shape.ts";

const figures = {
  ...{
    ms: 0,
    costMicros: 0,
    requests: 1,
    inputTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  },
};
const contract = (decision: Json, own: Partial<Contract> = {}): Contract => ({
  ...{ hasMisfit: false, hasFailed: false, decision, effects: [], tools: [], prose: "", figures },
  outcome: { kind: "decided", label: "refund", stop: null },
  ...own,
});
const usual = { order: "ord-1002", day: "2026-03-01", lines: [1, 2], note: "The lamp came damaged and is refunded.", sure: 90 };
const names = new Set([...Object.keys(usual), "because", "team"]);
const compared = (old: Contract, next: Contract, own: { names?: ReadonlySet<string>; usual?: Shape } = {}) =>
  compareContracts({ old, next, names, ...own });
const broken = (next: Json, own: Partial<Contract> = {}) =>
  compared(contract(usual), contract(next, own)).differences.map(({ kind, path }) => `${kind} ${path}`);

describe("contracts", () => {
  it.each<[string, Json, readonly string[]]>([
    ["the same", usual, []],
    ["other values of the same form", { ...usual, order: "ord-9", day: "2027-12-31", lines: [7], sure: 12.5 }, []],
    ["other prose, or short prose", { ...usual, note: "Damaged." }, []],
    ["a number as a text", { ...usual, sure: "90" }, ["type decision/sure"]],
    ["one thing in the place of a list", { ...usual, lines: 1 }, ["type decision/lines"]],
    ["texts in a list of numbers", { ...usual, lines: ["1"] }, ["type decision/lines/*"]],
    ["a date in another form", { ...usual, day: "01.03.2026" }, ["form decision/day"]],
    ["an id in upper case", { ...usual, order: "ORD-1002" }, ["form decision/order"]],
    ["an id with a word before it", { ...usual, order: "order:ord-1002" }, ["form decision/order"]],
    ["nothing where there may be nothing", { ...usual, order: null }, []],
    ["an empty list", { ...usual, lines: [] }, []],
  ])("compare type and form, and no values: %s", (_what, next, expected) => {
    expect(broken(next)).toEqual(expected);
  });

  it("a reply that did not fit, where the other's did, breaks the schema", () => {
    expect(broken(usual, { hasMisfit: true })).toEqual(["schema reply"]);
    const both = compared(contract(usual, { hasMisfit: true }), contract(usual, { hasMisfit: true }));
    expect(both.differences).toEqual([]);
  });

  it("names of tools and effects are part of them, and so are their arguments", () => {
    const old = contract(null, { tools: [{ name: "find_order", arguments: { order: "ord-1" } }] });
    const other = (name: string, given: Json) =>
      compared(old, contract(null, { tools: [{ name, arguments: given }] })).differences;
    expect(other("find_order", { order: "ord-2" })).toEqual([]);
    expect(other("find_order", { order: 2 })).toEqual([{ kind: "type", path: "tool find_order/order" }]);
    expect(other("look_up", { order: "ord-2" })).toEqual([{ kind: "name", path: "tool look_up" }]);
  });

  it("what is usual of the old model is no break, though this once it said otherwise", () => {
    const shape = contractShape([contract({ ...usual, order: "ORD-1002" })], names);
    const next = contract({ ...usual, order: "ORD-1003" });
    expect(compared(contract(usual), next, { usual: shape }).differences).toEqual([]);
    expect(compared(contract(usual), next).differences).toHaveLength(1);
  });

  it("members are looked for over many requests alone, since a schema may let them be left out", () => {
    const { note: _, ...short } = usual;
    const old = contractShape([contract(usual), contract(short)], names);
    expect(compared(contract(usual), contract(short)).differences).toEqual([]);
    expect(membersDiffer(old, contractShape([contract(usual)], names))).toEqual([]);
    const next = contractShape([contract({ ...short, because: "x" })], names);
    expect(membersDiffer(old, next)).toEqual([
      { kind: "missing", path: "decision/note" },
      { kind: "added", path: "decision/because" },
    ]);
  });

  it("of an old model that failed nothing is compared, and a declared name with a slash stays one path", () => {
    expect(compared(contract(usual, { hasFailed: true }), contract(usual)).differences).toEqual([]);
    const old = contract({ "a/b": 1, "*": 1, ["x".repeat(500)]: 1 });
    const next = contract({ "a/b": "1", "*": "1", ["x".repeat(500)]: "1" });
    const paths = compared(old, next, { names: new Set(["a/b", "*", "x".repeat(500)]) }).differences.map(({ path }) => path);
    expect(paths).toEqual(["decision/a~1b", "decision/~2", `decision/${"x".repeat(100)}`]);
  });
});

describe("names in paths", () => {
  const address = "jane.roe@example.com";
  const open = defineCapability<{ text: string }, { shares: Record<string, unknown>; note?: string | undefined }>({
    ...{ name: "split", version: "1", owner: "tests", description: "Splits a bill.", openTo: ["employee"], keepsInputs: false },
    input: z.strictObject({ text: z.string() }),
    decision: z.strictObject({ shares: z.record(z.string(), z.unknown()), note: z.string().optional() }),
    needs: () => [],
    deciding: { kind: "rule", version: "1", rule: () => ({ shares: {} }) },
    checks: [],
    propose: () => ({ summary: "split" }),
  });

  it("are those that the schema declares: what a model made up stands as `*`, wherever it came", () => {
    const declared = memberNames(open);
    expect([...declared].toSorted()).toEqual(["note", "shares"]);
    const left = (value: Json) => ({
      ...contract({ shares: { [address]: value } }),
      effects: [{ name: "split_bill", params: { [address]: value } }],
      tools: [{ name: "look_up", arguments: { [address]: { [address]: value } } }],
    });
    const { differences } = compared(left(5), left("5"), { names: declared });
    expect(differences).toEqual(
      ["decision/shares/*", "effect split_bill/*", "tool look_up/*/*"].map((path) => ({ kind: "type", path })),
    );
    const shape = contractShape([left(5)], declared);
    expect(JSON.stringify([...shape])).not.toContain("jane");
    // Members of an open object are none that must be there.
    expect(membersDiffer(shape, contractShape([contract({ shares: {} })], declared))).toEqual([]);
  });
});

describe("agreement", () => {
  it("is that the same would be done, and nothing of how it is said", () => {
    const effects = [{ name: "refund_line", params: { amountMinor: 4500 } }];
    const agrees = (own: Partial<Contract>) =>
      compared(contract(usual, { effects }), contract(usual, { effects, ...own })).agrees;
    expect(agrees({ decision: { other: true }, prose: "other words" })).toBe(true);
    expect(agrees({ effects: [{ name: "refund_line", params: { amountMinor: 450 } }] })).toBe(false);
    expect(agrees({ outcome: { kind: "decided", label: "no_refund", stop: null } })).toBe(false);
  });
});

describe("prose", () => {
  it("is F1 over words, worked by hand", () => {
    expect(proseAlikePpm("", "")).toBe(1_000_000);
    expect(proseAlikePpm("The lamp came damaged.", "the LAMP came damaged")).toBe(1_000_000);
    // Two words in common of four and of three: 2 * 2 / (4 + 3).
    expect(proseAlikePpm("a b c d", "a b x")).toBe(571_429);
    expect(proseAlikePpm("a a", "a")).toBe(666_667);
    expect(proseAlikePpm("something", "")).toBe(0);
  });
});

describe("the share", () => {
  const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };
  const inShare = (decisionId: string, sharePpm: number, migrationId = "m") =>
    isInShare({ migrationId, decisionId, sharePpm, digest });
  const ids = Array.from({ length: 20_000 }, (_, place) => `decision-${place}`);

  it("is about as large as it says, the same each time, and a greater one holds all of a smaller one", () => {
    const small = ids.filter((id) => inShare(id, 50_000));
    expect(small.length).toBeGreaterThan(900);
    expect(small.length).toBeLessThan(1_100);
    expect(ids.filter((id) => inShare(id, 50_000))).toEqual(small);
    expect(small.every((id) => inShare(id, 60_000))).toBe(true);
    expect(ids.some((id) => inShare(id, 0))).toBe(false);
    expect(ids.every((id) => inShare(id, 1_000_000))).toBe(true);
    // Another migration tries others.
    expect(small.filter((id) => inShare(id, 50_000, "n")).length).toBeLessThan(small.length / 4);
  });
});
