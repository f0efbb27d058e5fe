import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { canonicalJson, type Json } from "../../src/contract/json.ts";
import { limits } from "../../src/contract/limits.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { from } from "../../src/define/source.ts";
import { openRecords } from "../../src/know/records/records.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { fixedClock, fixedContext, proposeForTest, testTime } from "../../src/testing/index.ts";
import { House, people } from "../postgres/acting/house.ts";
import { sampleHands } from "../postgres/acting/project.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { unkeepable } from "./unkeepable.ts";

// Faults that other systems shipped in what they keep, each as what must hold here: what JSON cannot keep is told apart at the edge by
// which it comes in, with a code, and never turns into something else on the way.
/** No trace of the value in any disguise: neither a mark in its place nor a Date's text. */
function expectNoDisguise(text: string): void {
  expect(text).not.toMatch(/unable to serialize|\[object|\[circular|8200000|2026-03-02T/i);
}

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

type Anything = { readonly name: string; readonly value: Json };
// A schema that lets through what its type does not.
const anything = z.strictObject({ name: z.string(), value: z.unknown() }) as unknown as z.ZodType<Anything>;

/** A capability that hands on whatever it is given, as inputs, as params, or in the params' key. */
function handsOn({
  value,
  key = ({ name }) => name,
  before = (row) => ({ kept: row === undefined }),
}: {
  value: unknown;
  key?: (params: Anything) => string;
  before?: (row: unknown) => unknown;
}) {
  const effect = defineEffect<Anything>({
    ...{
      name: "keep_it",
      version: "1",
      owner: "office",
      params: anything,
      sideEffect: "mutating",
      risk: "low",
      reversible: true,
    },
    paramRules: { name: { class: "target", sources: ["principal"] }, value: { class: "amount", sources: ["principal"] } },
    ...{ describe: () => "Keep it", key, dedupe: "key", settleMs: 0 },
    before: { query: "all", params: () => ({}), project: (rows) => before(rows[0]) as never }, // whatever a careless definition gives
    expect: { state: () => ({ kept: true }), mayChange: [], deadlineMs: 1_000 },
  });
  return defineCapability<{ name: string }, Record<string, never>>({
    ...{ name: "hand_on", version: "1", owner: "office", description: "Hands on.", openTo: ["employee"], checks: [] },
    input: z.strictObject({ name: z.string() }),
    decision: z.strictObject({}),
    needs: () => [],
    deciding: { kind: "rule", version: "1", rule: () => ({}) },
    effects: [effect.erased],
    propose: ({ inputs }) => ({
      summary: "It is handed on",
      effects: [
        effectDraft(effect, {
          // What a careless definition hands over.
          params: { name: inputs.name, value: value as Json },
          sources: { "/name": from.principal("/name"), "/value": from.principal("/name") },
        }),
      ],
    }),
  });
}

/** A context whose records come through the real door, with this in one field of one row. */
function contextOf(kept: unknown) {
  const connector = defineConnector({
    ...{ name: "things", side: "reads", secret: "THINGS" },
    open: async () => null,
    close: async () => {},
  });
  const query = { name: "all", key: () => "1", labels: { kept: "own" }, run: async () => [{ kept }] as never } as const;
  const sources = [recordSource(connector, [query])];
  const records = openRecords({
    permit: shippedPolicy,
    sources,
    vault: { secret: () => "-" },
    clock: fixedClock(testTime),
    deadline: systemDeadline,
  });
  return { ...fixedContext({}), readRecords: records.readRecords };
}

describe("what JSON cannot keep", () => {
  it("is refused as an input before anything is written", async () => {
    const decider = await house.decider();
    const count = async () => (await house.admin.query("select count(*)::int as n from countersign.intent")).rows[0].n;
    const before = await count();
    try {
      for (const [what, value] of unkeepable) {
        const asked = decider.decide({ principal: people.erin, capability: "tickets", inputs: { value } });
        await expect(asked, what).rejects.toMatchObject({ name: "CountersignError", code: "bad_text" });
      }
      expect(await count()).toBe(before);
    } finally {
      await decider.close();
    }
  });

  it.each(unkeepable)("stops the decision whose params hold it, with the code: %s", async (what, value) => {
    const deps = { context: contextOf(false) };
    const record = await proposeForTest({ capability: handsOn({ value }), inputs: { name: "it" }, deps });
    expect(record).toMatchObject({ kind: "stopped", proposal: null, stop: { node: "prepare_proposal", reason: "node_failed" } });
    expectNoDisguise(canonicalJson(record));
    // A getter's own fault is told by no words of ours.
    expect(record.stop?.detail).toMatch(what.startsWith("a getter") ? /unexpected fault/ : /unserialisable/);
    const kept = await proposeForTest({ capability: handsOn({ value: 1 }), inputs: { name: "it" }, deps });
    expect(kept).toMatchObject({ kind: "decided", stop: null });
  });

  it.each(unkeepable)(
    "stops the decision whose state before holds it, in a row or by the definition's doing: %s",
    async (_what, value) => {
      const capability = handsOn({ value: 1 });
      const inputs = { name: "it" };
      const inRow = await proposeForTest({ capability, inputs, deps: { context: contextOf(value) } });
      const careless = handsOn({ value: 1, before: () => ({ kept: value }) });
      const byCode = await proposeForTest({ capability: careless, inputs, deps: { context: contextOf(false) } });
      for (const record of [inRow, byCode]) {
        expect(record).toMatchObject({ kind: "stopped", proposal: null, stop: { node: "prepare_proposal" } });
        expectNoDisguise(canonicalJson(record));
      }
    },
  );

  it.each(unkeepable)("is no observation: nothing is said to be done on it, and a person is called: %s", async (what, value) => {
    house.aheadMs = 0;
    const decisionId = await house.decide({ changes: [house.add(what)] });
    await house.desk().approve({ principal: people.ada, decisionId });
    const hands = sampleHands(house.sample);
    const [adding, closing] = hands.hands;
    if (adding === undefined || closing === undefined) throw new Error("the sample has two hands");
    const bind = async () => async () => ({ note: "n", status: "open", value }) as never;
    const blind = { ...adding, observe: { ...adding.observe, bind } };
    const worker = house.worker({ hands: { ...hands, hands: [blind, closing] } });
    await worker.runOnce();
    expect((await house.story(decisionId)).at(-1)).toBe("observed unknown");
    house.aheadMs = 61_000;
    await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["escalated"]);
    expectNoDisguise(JSON.stringify(await house.entries(decisionId)));
  });
});

describe("ids and keys", () => {
  const odd = [
    "a/b/../c",
    `it's "quoted" \\ here`,
    "名 🎟️ \u{1F9FE}",
    "a;drop table x--",
    "%00 %2F",
    "line\nbreak\ttab",
    ".",
  ] as const;

  it.each(odd)("with %j in them are one change like any other, kept as they are", async (name) => {
    house.aheadMs = 0;
    const twice = [await house.decide({ changes: [house.add(name)] }), await house.decide({ changes: [house.add(name)] })];
    for (const decisionId of twice) await house.desk().approve({ principal: people.ada, decisionId });
    await house.worker().runOnce();
    for (const decisionId of twice) expect((await house.story(decisionId)).at(-1)).toBe("observed complete");
    expect(await house.tickets(name)).toHaveLength(1);
    const { rows } = await house.admin.query("select key from countersign.operation where key = $1", [`ticket:${name}`]);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ["10,000 characters", () => "k".repeat(10_000)],
    [`${limits.businessKeyLength + 1} characters`, () => "k".repeat(limits.businessKeyLength + 1)],
    ["none", () => ""],
    ["NUL", () => "a\0b"],
    ["a lone surrogate", () => "a\ud800"],
  ])("that a definition makes of %s stop the decision", async (_what, key) => {
    const capability = handsOn({ value: 1, key });
    const record = await proposeForTest({ capability, inputs: { name: "it" }, deps: { context: contextOf(false) } });
    expect(record).toMatchObject({ kind: "stopped", proposal: null, stop: { node: "prepare_proposal", reason: "node_failed" } });
  });
});
