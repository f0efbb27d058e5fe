import { describe, expect, it } from "vitest";
import type { RunMeter } from "../../src/contract/budget.ts";
import type { Retrieval } from "../../src/contract/capability.ts";
import type { Context, Need } from "../../src/contract/context.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { foundBefore } from "../../src/contract/found-passages.ts";
import type { Model } from "../../src/contract/model.ts";
import type { ContextActivity } from "../../src/contract/retrieval.ts";
import type { Deps } from "../../src/decide/state.ts";
import { fixedContext, proposeForTest } from "../../src/testing/index.ts";
import { answerRooms, model, passage } from "./samples.ts";
import { scripted } from "./scripted.ts";

const retrieval: Retrieval<{ text: string }> = {
  version: "r1",
  model,
  request: ({ inputs }) => inputs.text,
  intents: {
    rules: {
      description: "What the rules of a building say.",
      filters: { building: { required: true, values: ["north", "south"] }, floor: { required: false, values: ["1", "2"] } },
      minimumScore: 0.5,
      topN: 3,
    },
  },
};
const one = { intent: "rules", query: "opening hours", filters: { building: "north" } };
const south = { ...one, filters: { building: "south", floor: "2" }, topN: 2 };
const bare = { intent: "rules", query: "opening hours", filters: {} };

describe("retrieval by a plan", () => {
  it("sends each sub-query with its filters, and keeps the plan and what was found in the activity", async () => {
    const { record, asked } = await decide([one, south]);
    expect(asked).toEqual([
      { kind: "passages", name: "rules_1", query: one.query, limit: 3, minimumScore: 0.5, metadata: { building: "north" } },
      { kind: "passages", name: "rules_2", query: one.query, limit: 2, minimumScore: 0.5, metadata: south.filters },
    ]);
    expect(activityIn(record)).toMatchObject({
      plan: {
        version: "r1",
        subQueries: [
          { need: "rules_1", outcome: "found", why: null },
          { need: "rules_2", outcome: "nothing" },
        ],
      },
      searches: [{ need: "rules_1" }, { need: "rules_2" }],
    });
    expect(record.proposal?.claims).toHaveLength(1);
  });

  it("refuses a sub-query without a required filter before it is sent, and sends the others", async () => {
    const { record, asked } = await decide([bare, one]);
    expect(asked.map(({ name }) => name)).toEqual(["rules_2"]);
    expect(activityIn(record).plan?.subQueries[0]).toMatchObject({
      outcome: "refused",
      why: "its filter `building` is required and was not given",
    });
    expect(record.kind).toBe("decided");
  });

  it("stops where none could be sent, and no model is asked to decide", async () => {
    const { record, asked } = await decide([bare]);
    expect(asked).toEqual([]);
    expect(record).toMatchObject({ route: "reject", stop: { node: "context_load", reason: "non_conforming_output" } });
    expect(record.calls.map(({ purpose }) => purpose)).toEqual(["plan"]);
    expect(activityIn(record).plan?.subQueries).toHaveLength(1);
  });

  it.each([
    ["a value that is not on the list", [{ ...one, filters: { building: "west" } }]],
    ["a filter that nobody declared", [{ ...one, filters: { building: "north", tenant: "other" } }]],
    ["an intent that nobody declared", [{ ...one, intent: "salaries" }]],
    ["more than may be found", [{ ...one, topN: 4 }]],
    ["too many sub-queries", [one, one, one, one, one, one]],
    ["none at all", []],
  ])("stops after the retries where the plan does not conform: %s", async (_what, plan) => {
    const { record, asked } = await decide(plan);
    expect(asked).toEqual([]);
    expect(record).toMatchObject({ stop: { node: "context_load", reason: "non_conforming_output" } });
    expect(record.calls).toHaveLength(3);
  });

  it("is a refusal without an answer's model where nothing at the bar was found", async () => {
    const { record } = await decide([south]);
    expect(record.stop).toMatchObject({ node: "context_load", reason: "not_in_sources" });
    expect(record.calls.map(({ purpose }) => purpose)).toEqual(["plan"]);
  });

  it("plans from the request alone, before anything is read", async () => {
    const { sent, order } = await decide([one]);
    expect(order).toEqual(["plan", "read rules_1", "decide"]);
    expect(JSON.stringify(sent[0])).not.toContain(passage.text);
  });

  it("refuses what the run has no room for", async () => {
    const over = { kind: "over_budget", detail: "the run may use 1 parts" } as const;
    let left = 1;
    const meter: RunMeter = {
      holdCall: () => ({ kind: "held", settle: () => 0, release: () => {}, room: { tokens: 0, costMicros: 0 }, prices: "p" }),
      toolCall: () => null,
      child: () => (left-- > 0 ? { kind: "opened", meter } : over),
    };
    const { record, asked } = await decide([one, one], { meter });
    expect(asked).toHaveLength(1);
    expect(activityIn(record).plan?.subQueries[1]).toMatchObject({ outcome: "refused", why: over.detail });
  });
});

async function decide(subQueries: readonly object[], deps: Partial<Deps> = {}) {
  const order: string[] = [];
  const asked: (Need & { kind: "passages" })[] = [];
  const plan = JSON.stringify({ subQueries });
  const answer = JSON.stringify({ claims: [{ text: passage.text, source: passage.id }] });
  const { model: gateway, sent } = scripted([
    { purpose: "plan", when: /./, replies: [plan] },
    { purpose: "decide", when: /./, replies: [answer] },
  ]);
  // The rules of the north building alone are known.
  const context: Context = {
    ...fixedContext({}),
    findPassages: async (need, { at }) => {
      order.push(`read ${need.name}`);
      asked.push(need);
      const isKnown = need.metadata?.["building"] === "north";
      return foundBefore(isKnown ? [{ ...passage, kind: "passage", need: need.name }] : [], at);
    },
  };
  const recorded: Model = {
    call: (request) => {
      order.push(request.purpose);
      return gateway.call(request);
    },
  };
  const capability = answerRooms({ needs: () => [], retrieval });
  const inputs = { text: "When does the north building open?" };
  const record = await proposeForTest({ capability, inputs, deps: { ...deps, context, model: recorded } });
  return { record, sent, order, asked };
}

function activityIn({ bodies }: DecisionRecord): ContextActivity {
  return bodies["activity"] as unknown as ContextActivity; // as `exit` keeps it
}
