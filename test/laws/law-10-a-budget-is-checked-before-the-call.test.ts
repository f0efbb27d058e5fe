import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { RunCaps } from "../../src/contract/budget.ts";
import { makeCancel } from "../../src/contract/cancel.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { Cancel } from "../../src/contract/principal.ts";
import { graph } from "../../src/decide/graph.ts";
import { runDecision } from "../../src/decide/run.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { openMeter } from "../../src/guard/budget/meter.ts";
import { openRunMeter } from "../../src/guard/budget/run-meter.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { createTestDeps, fakeJournal, testRequest } from "../../src/testing/index.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// Law 10: a budget is checked before the call that would spend it; children draw on what the parent has left. What is sent is counted by
// the provider itself, which stands where a paid one would.
const model = { provider: "paid", id: "m-2026-01-01", effort: "none", temperature: 0, maxOutputTokens: 500 } as const;
const prices = { priceOf: () => ({ input: 1_000_000, cached: 0, cacheWrite: 0, output: 1_000_000 }), version: "test" };
/** Of one request: about 1,400 tokens of frame, prompt and schema, and 500 of the longest reply, at a millionth each. */
const room = 2_200;

let made: MigratedDatabase;
let admin: pg.Client;
beforeAll(async () => {
  made = await createMigratedDatabase();
  admin = new pg.Client({ connectionString: made.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await made?.drop();
});

describe("law 10: a budget is checked before the call that would spend it", () => {
  test("a request that the run's caps do not hold is not sent, and a person decides", async () => {
    for (const caps of [{ costMicros: 1_000 }, { tokens: 1_000 }, { turns: 0 }]) {
      const { record, sent } = await decide({ caps });
      expect(sent()).toBe(0);
      expect(record).toMatchObject({
        kind: "stopped",
        route: "hitl_required",
        rule: "budget_spent",
        stop: { reason: "budget_spent" },
      });
      expect(record?.calls).toMatchObject([{ fault: "over_budget", costMicros: 0, outcome: "failed" }]);
    }
  });

  test("what a retry would cost is checked as well, and what the first took stays counted", async () => {
    const { record, sent } = await decide({ caps: { costMicros: room + 100 }, text: "no JSON" });
    expect(sent()).toBe(1);
    expect(record?.stop?.reason).toBe("budget_spent");
    expect(record?.calls.map(({ fault, costMicros }) => [fault, costMicros])).toEqual([
      [null, 500],
      ["over_budget", 0],
    ]);
  });

  test("a run that a shared budget does not hold is begun, sends nothing, and leaves its entry", async () => {
    const { record, sent } = await decide({ caps: { costMicros: room }, shared: room - 1 });
    expect(sent()).toBe(0);
    expect(record).toMatchObject({ kind: "stopped", stop: { reason: "budget_spent", node: "entry" }, calls: [] });
  });

  test("a model without a price is not asked where money is capped", async () => {
    const { record, sent } = await decide({ caps: { costMicros: 10_000_000 }, priced: false });
    expect(sent()).toBe(0);
    expect(record?.stop?.detail).toMatch(/no price is known for `paid\/m-2026-01-01`/);
  });

  test("a tree of three depths that is cancelled at its root sends nothing more, and what it spent is counted", async () => {
    const { cancel, fire } = makeCancel();
    const caps = { turns: 100, toolCalls: 100, tokens: 1e9, costMicros: 10 * room, ms: 60_000, children: 100 };
    const root = openRunMeter({ caps, prices, clock: systemClock });
    const meters = [root];
    for (let depth = 1; depth <= 3; depth += 1) {
      const part = (meters.at(-1) ?? root).child(`depth ${depth}`, {});
      if (part.kind === "over_budget") throw new Error(part.detail);
      meters.push(part.meter);
    }
    const paid = paidProvider({ text: '{"say":"yes"}' });
    const ask = (at: number) => gatewayOver(paid.provider).call({ ...asking, cancel, meter: meters[at] ?? root });
    for (const at of [0, 1, 2, 3]) expect((await ask(at)).kind).toBe("fits");
    fire();
    for (const at of [3, 2, 1, 0]) expect(await ask(at)).toMatchObject({ kind: "failed", fault: "cancelled", calls: [] });
    expect(paid.sent()).toBe(4);
    // Each took 500; nothing is held any more, so what is left is all but that, to the millionth.
    const left = caps.costMicros - 4 * 500;
    expect(root.holdCall({ ...bounds, maxOutputTokens: left - 1_024 }).kind).toBe("held");
    expect(root.holdCall({ ...bounds, maxOutputTokens: 1 }).kind).toBe("over_budget");
  });

  test("a child gets no more than its parent has left", async () => {
    const caps = { turns: 100, toolCalls: 100, tokens: 1e9, costMicros: room, ms: 60_000, children: 100 };
    const root = openRunMeter({ caps, prices, clock: systemClock });
    const part = root.child("a part", { costMicros: 10 * room });
    if (part.kind === "over_budget") throw new Error(part.detail);
    const paid = paidProvider({ text: '{"say":"yes"}' });
    const gateway = gatewayOver(paid.provider);
    const never: Cancel = { isCancelled: () => false, onCancel: () => {} };
    expect((await gateway.call({ ...asking, cancel: never, meter: part.meter })).kind).toBe("fits");
    expect(await gateway.call({ ...asking, cancel: never, meter: part.meter })).toMatchObject({ fault: "over_budget" });
    expect(paid.sent()).toBe(1);
  });
});

const bounds = { model: "paid/m-2026-01-01", isScripted: false, inputBytes: 0 };
const schema = z.strictObject({ say: z.string() });
const asking = {
  ...({ node: "llm_decision", purpose: "decide", step: 0, attempt: 1, model } as const),
  ...{ prompt: { system: "Say yes.", messages: [{ role: "user" as const, text: "May I?" }] }, schema },
};

/** Answers as it is told, uses 500 tokens each time, and counts what reaches it. */
function paidProvider({ text }: { text: string }) {
  let sent = 0;
  const usage = { inputTokens: 250, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 250, reasoningTokens: 0 };
  const provider = {
    ...({ name: "paid", isScripted: false, boundary: "off" } as const),
    complete: async () => {
      sent += 1;
      return { text, usage, stopReason: "end" } as const;
    },
  };
  return { provider, sent: () => sent };
}

function gatewayOver(provider: ReturnType<typeof paidProvider>["provider"]) {
  return createGateway({ providers: [provider], clock: systemClock, deadline: systemDeadline, random: Math.random });
}

let tenants = 0;
async function decide({
  caps,
  text = '{"say":"yes"}',
  shared,
  priced = true,
}: {
  caps: RunCaps;
  text?: string;
  shared?: number;
  priced?: boolean;
}): Promise<{ record: DecisionRecord | undefined; sent: () => number }> {
  tenants += 1;
  const tenant = `law-10-${tenants}`;
  await admin.query("insert into countersign.tenant (id, name) values ($1, $1)", [tenant]);
  if (shared !== undefined)
    await admin.query(
      "insert into countersign.budget (tenant, id, scope, name, unit, period, cap) values ($1, 'all', 'tenant', '', 'micros', 'month', $2)",
      [tenant, shared],
    );
  const capability = defineCapability<{ text: string }, { say: string }>({
    ...{ name: "answer", version: "1", owner: "tests", description: "Answers.", openTo: ["employee"], caps },
    ...{ input: z.strictObject({ text: z.string() }), decision: schema, needs: () => [] },
    deciding: { kind: "prompt", version: "1", model, prompt: () => asking.prompt },
    ...{ checks: [], propose: ({ decision }) => ({ summary: decision.say, effects: [] }) },
  });
  const paid = paidProvider({ text });
  const database = openDatabase({ url: made.urls.deciding, role: "deciding" });
  const from = priced ? prices : { priceOf: () => null, version: "test" };
  const meter = openMeter({ database, clock: systemClock, ids: uuidIds(systemClock), prices: from, onError: () => {} });
  const journal = fakeJournal();
  try {
    const asked = testRequest({ capability: capability.name, inputs: { text: "May I?" } });
    const request = { ...asked, principal: { ...asked.principal, tenant } };
    const deps = createTestDeps({ capability, model: gatewayOver(paid.provider) });
    await runDecision({ graph, request, deps, journal, meter });
  } finally {
    await meter.stop();
    await database.close();
  }
  return { record: journal.closed[0], sent: paid.sent };
}
