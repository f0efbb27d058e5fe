import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { isCountersignError } from "../../src/contract/errors.ts";
import { limits } from "../../src/contract/limits.ts";
import { sweepIntents } from "../../src/ledger/sweep.ts";
import { decide, ids, kindsOf, type LedgerFixture, one, openLedger, record, request } from "./ledger-fixture.ts";
import { openProxy } from "./ledger-proxy.ts";

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

/** The next transaction number: the difference of two is how many transactions wrote. */
async function nextXid(): Promise<number> {
  return Number(await one(ledger.owner, "select pg_snapshot_xmax(pg_current_snapshot())::text"));
}

const ofCode = (code: Parameters<typeof isCountersignError>[1]) =>
  expect.toSatisfy((thrown: unknown) => isCountersignError(thrown, code));

describe("the journal", () => {
  test("takes one commit to open and one to close a lone decision", async () => {
    const commitsOfOne = async () => {
      const before = await nextXid();
      await decide(ledger.journal);
      return (await nextXid()) - before;
    };
    // The counter is the whole server's, and other test files use it too: they can only add.
    await expect.poll(commitsOfOne, { timeout: 15_000, interval: 5 }).toBe(2);
  });

  test("shares commits among decisions that run side by side, across tenants", async () => {
    const all = Array.from({ length: 200 }, (_, i) => request({ tenant: i % 2 === 0 ? "acme" : "globex" }));
    await Promise.all(all.map((one) => decide(ledger.journal, one)));
    const list = all.map(({ decisionId }) => decisionId);
    const entries = "select count(*)::int from countersign.entry where decision_id = any($1) and kind = 'decided'";
    expect(await one(ledger.owner, entries, [list])).toBe(200);
    const commits = "select count(distinct xid)::int from countersign.entry where decision_id = any($1)";
    expect(await one(ledger.owner, commits, [list])).toBeLessThan(20);
  });

  test("writes what belongs to a decision into its row of each table", async () => {
    const asked = await decide(ledger.journal, request({ cause: ids.next(), idempotencyKey: "k-1" }));
    const { rows } = await ledger.owner.query(
      `select i.ended, i.cause as intent_cause, e.*, p.body as payload, s.input_tokens, s.assumed, s.cost_micros, s.outcome
       from countersign.intent i join countersign.entry e using (decision_id) join countersign.payload p on p.entry_id = e.id
       join countersign.spend s using (decision_id)
       where decision_id = $1`,
      [asked.decisionId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      ...{
        ended: true,
        intent_cause: asked.cause,
        cause: asked.cause,
        id: asked.entryId,
        kind: "decided",
        route: "auto",
        effects: 0,
      },
      ...{ writer: "deciding", input_tokens: 900, assumed: false, cost_micros: "12", outcome: "fits" },
    });
    const opened = ledger.keys.decrypt({ tenant: "acme", entryId: asked.entryId, body: rows[0].payload });
    expect(opened.map(({ name, text }) => [name, JSON.parse(text)])).toEqual([
      ["context", { items: [] }],
      ["notes", ["one line\nand another"]],
      ["trace", [{ node: "entry", ms: 1, outcome: "added" }]],
    ]);
    expect(rows[0].body).not.toContain("swollen");
  });

  test("keeps a decision without bodies, notes, calls, route and key", async () => {
    const asked = request();
    await ledger.journal.open(asked, 0);
    const bare = record(asked, { kind: "stopped", bodies: {}, notes: [], calls: [], route: null, rule: null });
    expect(await ledger.journal.close(bare)).toEqual({ kind: "closed", entryId: asked.entryId });
    expect(await kindsOf(ledger.owner, asked.decisionId)).toEqual(["stopped"]);
  });
});

describe("an idempotency key", () => {
  test("of the same request leads to the decision that is in progress, then to the one that is done", async () => {
    const first = request({ idempotencyKey: "same" });
    const again = () => ledger.journal.open({ ...request({ idempotencyKey: "same" }) }, 0);
    expect(await ledger.journal.open(first, 0)).toEqual({ kind: "opened" });
    expect(await again()).toEqual({ kind: "in_progress", decisionId: first.decisionId });
    await ledger.journal.close(record(first));
    expect(await again()).toEqual({ kind: "repeated", decisionId: first.decisionId });
  });

  test("of another request is a conflict", async () => {
    await ledger.journal.open(request({ idempotencyKey: "other" }), 0);
    expect(await ledger.journal.open(request({ idempotencyKey: "other", inputs: { text: "a phone" } }), 0)).toEqual({
      kind: "conflict",
    });
    expect(await ledger.journal.open(request({ idempotencyKey: "other", capability: "ask" }), 0)).toEqual({ kind: "conflict" });
  });

  test("is one tenant's and one principal's own", async () => {
    const mine = request({ idempotencyKey: "own" });
    const others = [
      request({ idempotencyKey: "own", tenant: "globex" }),
      { ...request({ idempotencyKey: "own" }), principal: { ...mine.principal, id: "bob" } },
    ];
    for (const asked of [mine, ...others]) expect(await ledger.journal.open(asked, 0)).toEqual({ kind: "opened" });
  });

  test("that arrives a hundred times at once, in two processes, begins one decision", async () => {
    const second = ledger.anotherJournal();
    const all = Array.from({ length: 100 }, () => request({ idempotencyKey: "burst" }));
    const opened = await Promise.all(all.map((asked, i) => (i % 2 === 0 ? ledger.journal : second).open(asked, 0)));
    const winners = all.filter((_, i) => opened[i]?.kind === "opened");
    expect(winners).toHaveLength(1);
    const others = opened.filter(({ kind }) => kind !== "opened");
    expect(others).toEqual(Array(99).fill({ kind: "in_progress", decisionId: winners[0]?.decisionId }));
  });
});

describe("a bad record", () => {
  test("that cannot be serialised fails alone, and its decision is recorded as stopped", async () => {
    const all = Array.from({ length: 20 }, () => request());
    await Promise.all(all.map((asked) => ledger.journal.open(asked, 0)));
    const closed = await Promise.allSettled(
      all.map((asked, i) => ledger.journal.close(record(asked, i === 7 ? { bodies: { trace: Number.NaN } } : {}))),
    );
    expect(closed.filter(({ status }) => status === "fulfilled")).toHaveLength(19);
    expect(closed[7]).toEqual({ status: "rejected", reason: ofCode("decision_failed") });
    expect(await kindsOf(ledger.owner, all[7]?.decisionId ?? "")).toEqual(["stopped"]);
    expect(await ledger.journal.close(record(all[7] ?? request()))).toEqual({ kind: "lost" });
  });

  test.each<[string, Partial<DecisionRecord>, string]>([
    ["a body that is too large", { bodies: { context: "x".repeat(limits.payloadBytes) } }, "too_large"],
    ["a body that JSON would lose", { bodies: { trace: Number.NaN } }, "unserialisable"],
    ["a fraction among its facts", { confidencePpm: 0.87 }, "unserialisable"],
    ["a note with NUL", { notes: [{ text: "a\0b" }] }, "unserialisable"],
  ])("with %s is recorded as stopped with the reason and what it cost, and nobody sweeps it", async (_, changes, code) => {
    const asked = request();
    await ledger.journal.open(asked, 0);
    await expect(ledger.journal.close(record(asked, changes))).rejects.toMatchObject({
      code: "decision_failed",
      facts: { decisionId: asked.decisionId, reason: code },
    });
    const { rows } = await ledger.owner.query(
      "select e.kind, e.route, e.body, p.body as payload, s.cost_micros, i.ended from countersign.entry e " +
        "join countersign.payload p on p.entry_id = e.id join countersign.spend s using (decision_id) join countersign.intent i using (decision_id) " +
        "where decision_id = $1",
      [asked.decisionId],
    );
    expect(rows).toMatchObject([{ kind: "stopped", route: null, cost_micros: "12", ended: true }]);
    expect(JSON.parse(rows[0].body)).toMatchObject({
      stop: { reason: "node_failed", node: "exit" },
      proposalDigest: null,
      effects: 0,
    });
    const kept = ledger.keys.decrypt({ tenant: "acme", entryId: asked.entryId, body: rows[0].payload });
    expect(kept.map(({ name, text }) => [name, text])).toEqual([["stop", expect.stringContaining(code)]]);
  });

  test("that cannot be kept of a decision that was swept is lost, as any other", async () => {
    const journal = ledger.anotherJournal({ leaseMs: 1, longestDecisionMs: 0 });
    const asked = request();
    await journal.open(asked, 0);
    const swept = () => sweepIntents({ database: ledger.deciding, keys: ledger.keys });
    await expect.poll(swept, { timeout: 5_000 }).toContain(asked.decisionId);
    expect(await journal.close(record(asked, { bodies: { trace: Number.NaN } }))).toEqual({ kind: "lost" });
  });

  test("that PostgreSQL refuses fails alone", async () => {
    const all = Array.from({ length: 20 }, () => request());
    await Promise.all(all.map((asked) => ledger.journal.open(asked, 0)));
    const tooMany = { inputTokens: 2 ** 40, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
    const [call] = record(request()).calls;
    const closed = await Promise.allSettled(
      all.map((asked, i) => ledger.journal.close(record(asked, i === 3 && call ? { calls: [{ ...call, usage: tooMany }] } : {}))),
    );
    expect(closed.map(({ status }) => status)).toEqual(all.map((_, i) => (i === 3 ? "rejected" : "fulfilled")));
    expect(await kindsOf(ledger.owner, all[3]?.decisionId ?? "")).toEqual([]);
  });

  test.each([
    ["a tenant that could not be one", { tenant: "ACME,globex" }, "bad_request"],
    ["a decision id that is no id", { decisionId: "1" }, "bad_request"],
    ["an idempotency key with a newline", { idempotencyKey: "a\nb" }, "bad_request"],
    ["an empty idempotency key", { idempotencyKey: "" }, "bad_request"],
    ["a capability that is no id", { capability: "a\nb" }, "bad_request"],
    ["inputs with a lone surrogate", { inputs: { text: "\ud800" } }, "unserialisable"],
  ] as const)("with %s is refused before anything is written", async (_, changes, code) => {
    await expect(ledger.journal.open(request(changes), 0)).rejects.toEqual(ofCode(code));
  });

  test("of a tenant that does not exist fails, and its neighbours open", async () => {
    const opened = await Promise.allSettled(
      [request(), request({ tenant: "nobody" }), request()].map((asked) => ledger.journal.open(asked, 0)),
    );
    expect(opened.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("of a decision that never began is an error, not an entry", async () => {
    const asked = request();
    await expect(ledger.journal.close(record(asked))).rejects.toEqual(ofCode("internal"));
    expect(await kindsOf(ledger.owner, asked.decisionId)).toEqual([]);
  });
});

describe("a lost connection", () => {
  test.each(["open_decisions", "close_decisions"])(
    "after the commit of %s changes nothing: no double, nothing lost",
    async (call) => {
      const proxy = await openProxy(ledger.database.urls.deciding);
      const journal = ledger.anotherJournal({ url: proxy.url });
      try {
        await decide(journal);
        const lost = proxy.loseAnswerTo(call);
        const all = Array.from({ length: 8 }, (_, i) => request({ idempotencyKey: i < 4 ? ids.next() : null }));
        const work = Promise.all(
          all.map(async (asked) => {
            expect(await journal.open(asked, 0)).toEqual({ kind: "opened" });
            expect(await journal.close(record(asked))).toEqual({ kind: "closed", entryId: asked.entryId });
          }),
        );
        await lost;
        await work;
        for (const { decisionId } of all) expect(await kindsOf(ledger.owner, decisionId)).toEqual(["decided"]);
      } finally {
        await proxy.close();
      }
    },
  );

  test("while many groups are on the wire loses and doubles nothing", async () => {
    const all = Array.from({ length: 300 }, () => request());
    const work = Promise.all(
      all.map(async (asked) => {
        await ledger.journal.open(asked, 0);
        return ledger.journal.close(record(asked));
      }),
    );
    for (let kills = 0; kills < 5; kills += 1) {
      await ledger.owner.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'deciding' and datname = current_database()",
      );
    }
    expect((await work).every(({ kind }) => kind === "closed")).toBe(true);
    const list = all.map(({ decisionId }) => decisionId);
    expect(await one(ledger.owner, "select count(*)::int from countersign.entry where decision_id = any($1)", [list])).toBe(300);
  });

  test("to a server that stays away is `database_unavailable`, never an end", async () => {
    const journal = ledger.anotherJournal({ url: "postgresql://deciding:x@127.0.0.1:1/none", patienceMs: 100 });
    await expect(journal.open(request(), 0)).rejects.toEqual(ofCode("database_unavailable"));
    await expect(journal.close(record(request()))).rejects.toEqual(ofCode("database_unavailable"));
  });
});

describe("a lease", () => {
  const leaseOf = (decisionId: string) =>
    one(ledger.owner, "select lease_until from countersign.intent where decision_id = $1", [decisionId]);

  test("of a decision that runs on is renewed, so that the sweeper leaves it alone", async () => {
    const journal = ledger.anotherJournal({ leaseMs: 300 });
    const asked = request();
    await journal.open(asked, 0);
    const first = await leaseOf(asked.decisionId);
    await expect
      .poll(() => one(ledger.owner, "select clock_timestamp() > $1::timestamptz + interval '0.5 s'", [first]), { timeout: 5_000 })
      .toBe(true);
    expect(await sweepIntents({ database: ledger.deciding, keys: ledger.keys })).not.toContain(asked.decisionId);
    expect(await journal.close(record(asked))).toEqual({ kind: "closed", entryId: asked.entryId });
  });

  test("is not renewed for ever: after the longest decision the sweeper ends it, and the late original is told", async () => {
    const journal = ledger.anotherJournal({ leaseMs: 60, longestDecisionMs: 100 });
    const asked = request();
    await journal.open(asked, 0);
    const swept = () => sweepIntents({ database: ledger.deciding, keys: ledger.keys });
    await expect.poll(swept, { timeout: 5_000 }).toContain(asked.decisionId);
    expect(await journal.close(record(asked))).toEqual({ kind: "lost" });
    expect(await kindsOf(ledger.owner, asked.decisionId)).toEqual(["stopped"]);
  });
});
