/**
 * One deciding process of the benchmark: runs decisions side by side through the shipped graph, gateway, meter and journal against the
 * budget of its tenant, until every lane was refused. Prints one line of JSON at its end, unless it is killed before.
 */
import * as z from "zod";
import { openPolicies } from "../../src/cli/open-policies.ts";
import type { Meter } from "../../src/contract/budget.ts";
import type { Provider } from "../../src/contract/model.ts";
import { everything } from "../../src/contract/principal.ts";
import { graph } from "../../src/decide/graph.ts";
import { runDecision } from "../../src/decide/run.ts";
import { createTools } from "../../src/decide/tools.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { openMeter } from "../../src/guard/budget/meter.ts";
import { openPrices } from "../../src/guard/budget/prices.ts";
import { createJournal } from "../../src/ledger/journal.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { fixedContext } from "../../src/testing/index.ts";
import { model, type Plan, prices } from "./plan.ts";

const plan = JSON.parse(process.env["BENCH_PLAN"] ?? "{}") as Plan; // the parent writes it
const { url, tenant, lanes, runMicros, leaseMs, isMetered, mostRuns } = plan;
const database = openDatabase({ url, role: "deciding", connections: 4 });
const ids = uuidIds(systemClock);
const inForce = openPrices({ override: prices, now: systemClock.now });
const faults: unknown[] = [];
const onError = (thrown: unknown): void => void faults.push(thrown);
const times = { leaseMs, patienceMs: 1_000, idleMs: 5_000 };
const meter = openMeter({ database, clock: systemClock, ids, prices: inForce, times, onError });
const journal = createJournal({ url, clock: systemClock, keys: payloadKeys(Buffer.alloc(32, 1)), leaseMs });

/** Uses a random share of what it may: no run is like the other, and none knows before what it will cost. */
const provider: Provider = {
  name: "scripted",
  isScripted: true,
  complete: async ({ model: { maxOutputTokens = 0 } }) => {
    await new Promise((resolve) => setTimeout(resolve, 2 + Math.random() * 8));
    const outputTokens = Math.floor(Math.random() * maxOutputTokens);
    const usage = { inputTokens: 100, cachedTokens: 0, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 };
    return { text: '{"say":"yes"}', usage, stopReason: "end" };
  },
};

const capability = defineCapability<{ text: string }, { say: string }>({
  ...{ name: "answer", version: "1", owner: "bench", description: "Answers.", openTo: ["employee"] },
  ...{ input: z.strictObject({ text: z.string() }), decision: z.strictObject({ say: z.string() }), needs: () => [] },
  deciding: {
    ...{ kind: "prompt", version: "1", model },
    prompt: ({ inputs }) => ({ system: "You answer.", messages: [{ role: "user", text: inputs.text }] }),
  },
  caps: { costMicros: runMicros },
  ...{ checks: [], propose: ({ decision }) => ({ summary: decision.say, effects: [] }) },
});

const policy = openPolicies();
const context = fixedContext({});
const deps = {
  ...{ capability, environment: "demo", clock: systemClock, deadline: systemDeadline, digest: sha256Digest, context },
  model: createGateway({ providers: [provider], clock: systemClock, deadline: systemDeadline, random: Math.random }),
  ...{ tools: createTools({ context, permit: policy }), slices: { thresholdPpm: async () => 0 }, permit: policy },
  ...{ hiddenValues: { findHidden: async () => [] }, spans: null, canaries: [] },
  cancel: { isCancelled: () => false, onCancel: () => {} },
};

const checks: number[] = [];
/** The shipped meter, with a clock beside it: what a check costs is measured where it is made. */
const timed: Meter = {
  begin: async (run) => {
    const startedAt = performance.now();
    const begun = await meter.begin(run);
    checks.push((performance.now() - startedAt) * 1_000);
    return begun;
  },
};

let decided = 0;
let lost = 0;
let started = 0;

async function lane(): Promise<void> {
  while (started < mostRuns) {
    started += 1;
    const principal = { tenant, id: "emp-1", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
    const request = {
      ...{ decisionId: ids.next(), entryId: ids.next(), principal, capability: capability.name },
      ...{ inputs: { text: "May I?" }, idempotencyKey: null, cause: null },
    };
    try {
      const run = await runDecision({ graph, request, deps, journal, meter: isMetered ? timed : null });
      if (run.kind === "decided" && run.outcome.record.stop?.reason === "budget_spent") return;
      if (decided === 0) process.stdout.write("begun\n");
      decided += 1;
    } catch (thrown) {
      lost += 1;
      onError(thrown);
    }
  }
}

await Promise.all(Array.from({ length: lanes }, lane));
await journal.stop();
await meter.stop();
await database.close();
checks.sort((one, other) => one - other);
const at = (share: number): number => checks[Math.floor(checks.length * share)] ?? 0;
process.stdout.write(
  `${JSON.stringify({ decided, lost, p50: at(0.5), p99: at(0.99), faults: faults.map(String).slice(0, 3) })}\n`,
);
