import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Capability } from "../../src/contract/capability.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { CallRecord, Provider, Usage } from "../../src/contract/model.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { createJournal } from "../../src/ledger/journal.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { uuidIds } from "../../src/store/ids.ts";
import {
  type Answer,
  answerOf,
  type MisbehavingModel,
  type MisbehaviourName,
  misbehaviourNames,
  misbehaviours,
  openMisbehavingModel,
  plainUsage,
  proposeForTest,
} from "../../src/testing/index.ts";
import { canaryKey, goodText, type Way, ways } from "../gateway/provider-ways.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

/** How many replies are to be seen, by how many decisions at a time, and how long each may take, in milliseconds. */
const wanted = 10_000;
const atOnce = 16;
const inBatch = 256;
const sendMs = 1_500;
const callMs = 4_000;
/** A machine that is busy with other tests is late with everything. */
const lateMs = 10_000;

const decision = z.strictObject({ days: z.int().min(0).max(30), note: z.string().max(200) });
const accepted = { days: 3, note: "three \u{1F600} days – žluťoučký" };

/** Those that take as long as they are let, or much of this machine, are drawn less often than the others. */
const slow = misbehaviourNames.filter((name) => !misbehaviours[name].ends || name === "big_reply" || name === "dripped");
const anyName = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...misbehaviourNames.filter((name) => !slow.includes(name))) },
  { weight: 1, arbitrary: fc.constantFrom(...slow) },
);

interface Case {
  readonly way: number;
  /** What is answered, in turn; the last one again and again. */
  readonly answers: readonly { readonly name: MisbehaviourName; readonly seed: number }[];
}

/** What the server did for one decision. */
interface Seen {
  readonly plan: Case;
  readonly answered: Answer[];
}

/** Decisions of which each record could be held against its answer. */
let exact = 0;
const seen = new Map<string, Seen>();
let server: MisbehavingModel;
let opened: readonly { readonly way: Way; readonly provider: Provider }[];
let database: MigratedDatabase;

beforeAll(async () => {
  database = await createMigratedDatabase();
  server = await openMisbehavingModel({ answers: ({ text }) => answerFor(text) });
  opened = ways.map((way) => ({ way, provider: way.source(`${server.url}/v1`).open(canaryKey) }));
});

afterAll(async () => {
  await server.close();
  await database.drop();
});

describe("random faulty replies, over HTTP, by every provider and way to constrain", () => {
  it("never crash, hang or pass on what does not conform, and all that was sent and used is recorded", {
    timeout: 900_000,
  }, async () => {
    const records: DecisionRecord[] = [];
    let replies = 0;
    let next = 0;
    const oneCase = fc.record({
      way: fc.nat({ max: ways.length - 1 }),
      answers: fc.array(fc.record({ name: anyName, seed: fc.nat() }), {
        minLength: 1,
        maxLength: 4,
      }),
    });
    const batch = fc.array(oneCase, { minLength: inBatch, maxLength: inBatch });
    const property = fc.asyncProperty(batch, async (cases) => {
      if (replies >= wanted) return;
      const waiting = [...cases];
      const walkOn = async (): Promise<void> => {
        for (let plan = waiting.pop(); plan !== undefined; plan = waiting.pop()) {
          next += 1;
          const { id, record, ms, taken } = await decide(String(next), plan);
          replies += seen.get(id)?.answered.length ?? 0;
          expectTyped({ record, ms, taken });
          expectCounted(id, record.calls);
          records.push(record);
          seen.delete(id);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, walkOn));
    });
    // Shrinking would ask the server again with other ids; what failed is in the message as it is.
    await fc.assert(property, { numRuns: 60, endOnFailure: true });
    expect(replies).toBeGreaterThanOrEqual(wanted);
    expect(exact).toBeGreaterThan(records.length / 2);
    await expectSpent(records.slice(0, 500));
  });
});

function answerFor(body: string): Answer {
  const id = /#(\d+)#/.exec(body)?.[1] ?? "";
  const known = seen.get(id);
  // A request of a decision that has been looked at already: a call that was given up may still be on its way.
  if (known === undefined) return { kind: "error", status: 400 };
  const { plan, answered } = known;
  const which = plan.answers[Math.min(answered.length, plan.answers.length - 1)];
  const answer: Answer = which === undefined ? { kind: "error", status: 400 } : answerOf({ ...which, good: goodText });
  answered.push(answer);
  return answer;
}

async function decide(id: string, plan: Case) {
  seen.set(id, { plan, answered: [] });
  const { way, provider } = opened[plan.way] ?? { way: undefined, provider: undefined };
  if (way === undefined || provider === undefined) throw new Error("no such way");
  // A gateway of its own: no decision has to do with how often another one's requests failed.
  const model = createGateway({
    ...{ providers: [provider], clock: systemClock, deadline: systemDeadline, random: () => 0, sendMs, callMs },
  });
  const taken: unknown[] = [];
  const startedAt = performance.now();
  const record = await proposeForTest({
    capability: capabilityFor(way, id, taken),
    inputs: { text: id },
    request: { decisionId: ids.next(), entryId: ids.next() },
    deps: { model },
  });
  return { id, record, ms: performance.now() - startedAt, taken };
}

const ids = uuidIds(systemClock);

function capabilityFor(way: Way, id: string, taken: unknown[]): Capability {
  return defineCapability<{ text: string }, z.infer<typeof decision>>({
    name: "days",
    version: "1",
    owner: "tests",
    description: "Says how many days.",
    openTo: ["employee"],
    input: z.strictObject({ text: z.string() }),
    decision,
    needs: () => [],
    deciding: {
      kind: "prompt",
      version: "1",
      model: way.model,
      prompt: () => ({ system: "Say how many days.", messages: [{ role: "user", text: `#${id}# How many days?` }] }),
    },
    checks: [{ name: "is_there", run: () => ({ passed: true, evidence: "it was decided" }) }],
    label: () => "days",
    propose: (decided) => {
      taken.push(decided.decision);
      return { summary: `${decided.decision.days} days` };
    },
  });
}

/** Every decision ends in time as one of the known ends, and nothing but conforming values was taken from a reply. */
function expectTyped({ record, ms, taken }: { record: DecisionRecord; ms: number; taken: readonly unknown[] }): void {
  const attempts = 3;
  expect(ms).toBeLessThan(attempts * callMs + lateMs);
  for (const value of taken) {
    expect(decision.safeParse(value).success).toBe(true);
    // What was spoilt was a reply that is accepted, so what is accepted is that reply; half a pair written as UTF-8 is U+FFFD already.
    expect([accepted, { ...accepted, note: "\uFFFD" }]).toContainEqual(value);
  }
  if (record.kind === "decided") expect(record.calls.at(-1)).toMatchObject({ outcome: "fits", fault: null, stopReason: "end" });
  else {
    expect(taken).toEqual([]);
    expect(["model_unavailable", "non_conforming_output"]).toContain(record.stop?.reason);
  }
  expect(JSON.stringify(record)).not.toContain(canaryKey);
}

/** As many records as requests that the server got, each with what the provider said was used, or marked as an assumption. */
function expectCounted(id: string, calls: readonly CallRecord[]): void {
  const answered = seen.get(id)?.answered ?? [];
  const timedOut = calls.filter(({ fault }) => fault === "timed_out").length;
  // On a busy machine a request that was given up may reach the server late, or never.
  expect(answered.length).toBeLessThanOrEqual(calls.length);
  expect(answered.length).toBeGreaterThanOrEqual(calls.length - timedOut);
  for (const [place, call] of calls.entries()) {
    expect(Object.values(call.usage).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    const answer = answered[place];
    const said = timedOut > 0 || answer === undefined || call.outcome === "failed" ? undefined : usageSaid(answer);
    if (said !== undefined) expect({ answer, said: call.isUsageAssumed ? null : call.usage }).toEqual({ answer, said });
  }
  if (timedOut === 0) exact += 1;
}

/** The usage that an answer tells, `null` for none, `undefined` where it tells one that cannot be, or in part only. */
function usageSaid(answer: Answer): Usage | null | undefined {
  if (answer.kind !== "reply") return undefined;
  const { usage = plainUsage } = answer;
  if (usage === null) return null;
  return Object.values(usage).every((count) => Number.isInteger(count) && count >= 0 && count < 1e9) ? usage : undefined;
}

/** The book's rows of spend hold every request and every token. */
async function expectSpent(records: readonly DecisionRecord[]): Promise<void> {
  const journal = createJournal({
    url: database.urls.deciding,
    clock: systemClock,
    keys: payloadKeys(Buffer.alloc(32, 7), pooledRandom()),
  });
  try {
    await Promise.all(
      records.map(async (record) => {
        await journal.open(record.request, record.at);
        await journal.close(record);
      }),
    );
  } finally {
    await journal.stop();
  }
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select count(*)::int as calls, count(*) filter (where assumed)::int as assumed, sum(input_tokens)::int as input,
        sum(output_tokens)::int as output, sum(reasoning_tokens)::int as reasoning from countersign.spend`,
    );
    const calls = records.flatMap((record) => record.calls);
    const sum = (of: (call: CallRecord) => number) => calls.reduce((total, call) => total + of(call), 0);
    expect(rows).toEqual([
      {
        calls: calls.length,
        assumed: calls.filter(({ isUsageAssumed }) => isUsageAssumed).length,
        input: sum(({ usage }) => usage.inputTokens),
        output: sum(({ usage }) => usage.outputTokens),
        reasoning: sum(({ usage }) => usage.reasoningTokens),
      },
    ]);
  } finally {
    await client.end();
  }
}
