import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallRecord } from "../../src/contract/model.ts";
import { createJournal, type DurableJournal } from "../../src/ledger/journal.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { systemClock } from "../../src/store/clock.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { record, request } from "./ledger-fixture.ts";

let database: MigratedDatabase;
let journal: DurableJournal;
let client: pg.Client;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const keys = payloadKeys(Buffer.alloc(32, 7), pooledRandom());
  journal = createJournal({ url: database.urls.deciding, clock: systemClock, keys });
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await journal.stop();
  await database.drop();
});

describe("the book's rows of spend", () => {
  it("hold each request that was sent, with its tokens, and say which counts were assumed", async () => {
    const asked = request();
    const [base] = record(asked).calls;
    if (base === undefined) throw new Error("the sample has no call");
    const usage = { inputTokens: 3, cachedTokens: 5, cacheWriteTokens: 7, outputTokens: 11, reasoningTokens: 13 };
    const calls: CallRecord[] = [
      { ...base, outcome: "failed", fault: "cut_off", stopReason: null, usage, isUsageAssumed: true },
      { ...base, send: 2, usage },
    ];
    await journal.open(asked, 0);
    await journal.close(record(asked, { calls }));
    const { rows } = await client.query(
      `select position, outcome, input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens, assumed
       from countersign.spend where decision_id = $1 order by position`,
      [asked.decisionId],
    );
    const counts = { input_tokens: 3, cached_tokens: 5, cache_write_tokens: 7, output_tokens: 11, reasoning_tokens: 13 };
    expect(rows).toEqual([
      { position: 0, outcome: "failed", ...counts, assumed: true },
      { position: 1, outcome: "fits", ...counts, assumed: false },
    ]);
  });

  it("say how each reply ended, by which prices, which room was taken for it, and what no budget held", async () => {
    const asked = request();
    const [base] = record(asked).calls;
    if (base === undefined) throw new Error("the sample has no call");
    const counted = { prices: "2026-03", held: { tokens: 900, costMicros: 70 }, costMicros: 31 };
    const calls: CallRecord[] = [
      { ...base, ...counted, fault: null, stopReason: "length", outcome: "misfits" },
      { ...base, send: 2, outcome: "failed", fault: "over_budget", stopReason: null, costMicros: 0 },
    ];
    await journal.open(asked, 0);
    await journal.close(record(asked, { calls }));
    const { rows } = await client.query(
      `select outcome, reason, prices, held_tokens, held_micros::int, cost_micros::int from countersign.spend
       where decision_id = $1 order by position`,
      [asked.decisionId],
    );
    expect(rows).toEqual([
      { outcome: "misfits", reason: "length", prices: "2026-03", held_tokens: 900, held_micros: 70, cost_micros: 31 },
      { outcome: "refused", reason: "over_budget", prices: "", held_tokens: 0, held_micros: 0, cost_micros: 0 },
    ]);
  });
});
