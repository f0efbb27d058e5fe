import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DecisionRequest } from "../../src/contract/decision.ts";
import type { DurableJournal } from "../../src/ledger/journal.ts";
import { sweepIntents } from "../../src/ledger/sweep.ts";
import { openDatabase } from "../../src/store/database.ts";
import { decide, kindsOf, type LedgerFixture, one, openLedger, patience, record, request } from "../postgres/ledger-fixture.ts";

// Law 4: every decision leaves exactly one `decided` or `stopped` entry, whatever happens. (Deciders that are killed at every node
// are in test/crash.)
let ledger: LedgerFixture;
let shortLived: DurableJournal;
beforeAll(async () => {
  ledger = await openLedger();
});
// A journal whose leases nobody renews: its decider counts as dead at once.
beforeEach(() => {
  shortLived = ledger.anotherJournal({ leaseMs: 1, longestDecisionMs: 0 });
});
afterAll(() => ledger.close());

const sweep = () => sweepIntents({ database: ledger.deciding, keys: ledger.keys });

async function abandoned(changes: Partial<DecisionRequest> = {}): Promise<DecisionRequest> {
  const asked = request(changes);
  await shortLived.open(asked, 0);
  const isOver = "select lease_until < clock_timestamp() from countersign.intent where decision_id = $1";
  await expect.poll(() => one(ledger.owner, isOver, [asked.decisionId]), patience).toBe(true);
  return asked;
}

describe("law 4: a decision leaves exactly one `decided` or `stopped` entry", () => {
  test("when all goes well", async () => {
    const { decisionId } = await decide(ledger.journal);
    expect(await kindsOf(ledger.owner, decisionId)).toEqual(["decided"]);
    expect(await sweep()).not.toContain(decisionId);
  });

  test("when it is stopped early", async () => {
    const asked = request();
    await ledger.journal.open(asked, 0);
    const stop = {
      kind: "stop",
      reason: "not_in_sources",
      node: "context_load",
      detail: "nothing found",
      route: null,
      rule: null,
    } as const;
    await ledger.journal.close(record(asked, { kind: "stopped", route: null, rule: null, stop, model: "none", calls: [] }));
    expect(await kindsOf(ledger.owner, asked.decisionId)).toEqual(["stopped"]);
  });

  test("when it is closed twice, at once and afterwards, with the same outcome or another", async () => {
    const asked = request();
    await ledger.journal.open(asked, 0);
    const stopped = record(asked, { kind: "stopped" });
    const other = ledger.anotherJournal();
    const closed = await Promise.all([
      ledger.journal.close(record(asked)),
      ledger.journal.close(stopped),
      other.close(record(asked)),
      other.close(stopped),
    ]);
    const late = await other.close(record(asked));
    expect([...closed, late].filter(({ kind }) => kind === "closed")).toHaveLength(1);
    expect(await kindsOf(ledger.owner, asked.decisionId)).toHaveLength(1);
  });

  test("when its decider died: the sweeper writes `stopped`, reason `abandoned`, under the promised entry id", async () => {
    const asked = await abandoned({ cause: request().entryId });
    expect(await sweep()).toContain(asked.decisionId);
    const { rows } = await ledger.owner.query(
      "select id, kind, cause, writer, body from countersign.entry where decision_id = $1",
      [asked.decisionId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ id: asked.entryId, kind: "stopped", cause: asked.cause, writer: "deciding" });
    expect(JSON.parse(rows[0].body)).toMatchObject({
      stop: { reason: "abandoned" },
      principal: "ada",
      capability: "replace-device",
    });
    expect(await sweep()).not.toContain(asked.decisionId);
  });

  test("when the sweeper is first and the original comes late: it loses and is told", async () => {
    const asked = await abandoned();
    await sweep();
    expect(await shortLived.close(record(asked))).toEqual({ kind: "lost" });
    expect(await kindsOf(ledger.owner, asked.decisionId)).toEqual(["stopped"]);
  });

  test("when the original is first after its lease: the sweeper finds nothing to end", async () => {
    const asked = await abandoned();
    expect(await shortLived.close(record(asked))).toMatchObject({ kind: "closed" });
    expect(await sweep()).not.toContain(asked.decisionId);
    expect(await kindsOf(ledger.owner, asked.decisionId)).toEqual(["decided"]);
  });

  test("when the sweeper holds the intent while the original closes, and the other way round", async () => {
    const [swept, kept] = [await abandoned(), await abandoned()];
    const sweeper = openDatabase({ url: ledger.database.urls.deciding, role: "deciding", connections: 1 });
    // The original waits for the row that the sweeper holds, and loses when the sweeper commits.
    let late: Promise<unknown> = Promise.resolve();
    const lock = "select 1 from countersign.intent where decision_id = $1 for update";
    await ledger.owner.query("begin");
    await ledger.owner.query(lock, [swept.decisionId]);
    late = shortLived.close(record(swept));
    // A row that is in another's hand is skipped, not waited for.
    expect(await sweepIntents({ database: sweeper, keys: ledger.keys })).toContain(kept.decisionId);
    await ledger.owner.query("update countersign.intent set ended = true where decision_id = $1", [swept.decisionId]);
    await ledger.owner.query("rollback");
    expect(await late).toMatchObject({ kind: "closed" });
    expect(await shortLived.close(record(kept))).toEqual({ kind: "lost" });
    expect(await kindsOf(ledger.owner, swept.decisionId)).toEqual(["decided"]);
    expect(await kindsOf(ledger.owner, kept.decisionId)).toEqual(["stopped"]);
    await sweeper.close();
  });

  test("when late originals and several sweepers race for hundreds of decisions", async () => {
    const all = Array.from({ length: 300 }, (_, i) => request({ tenant: i % 3 === 0 ? "globex" : "acme" }));
    await Promise.all(all.map((asked) => shortLived.open(asked, 0)));
    const sweepers = Array.from({ length: 3 }, () =>
      openDatabase({ url: ledger.database.urls.deciding, role: "deciding", connections: 2 }),
    );
    const sweeping = sweepers.map((database) => sweepIntents({ database, keys: ledger.keys, limit: 20 }));
    const closed = await Promise.all(all.map((asked) => shortLived.close(record(asked))));
    await Promise.all(sweeping);
    const ids = all.map(({ decisionId }) => decisionId);
    const entries = await ledger.owner.query<{ decision_id: string; kind: string }>(
      "select decision_id, kind from countersign.entry where decision_id = any($1)",
      [ids],
    );
    const kinds = new Map(entries.rows.map((row) => [row.decision_id, row.kind]));
    expect([entries.rows.length, kinds.size]).toEqual([300, 300]);
    // Who was told that it closed has its entry, who was told that it lost has the sweeper's.
    expect(closed.map(({ kind }) => kind)).toEqual(ids.map((id) => (kinds.get(id) === "decided" ? "closed" : "lost")));
    await Promise.all(sweepers.map((database) => database.close()));
  });

  test("under load beyond the journal's capacity: decisions wait, none is dropped", async () => {
    const narrow = ledger.anotherJournal({ capacity: 4 });
    const all = Array.from({ length: 200 }, () => request());
    await Promise.all(all.map((asked) => decide(narrow, asked)));
    const ids = all.map(({ decisionId }) => decisionId);
    expect(await one(ledger.owner, "select count(*)::int from countersign.entry where decision_id = any($1)", [ids])).toBe(200);
  });

  test("even against a decider that bypasses the journal: the database refuses a second one", async () => {
    const asked = await decide(ledger.journal);
    const second = ledger.deciding.inTenant("acme", (tx) =>
      tx
        .insertInto("entry")
        .values({
          ...{ tenant: "acme", id: request().entryId, kind: "stopped", decision_id: asked.decisionId, ts: 0, body: "{}" },
          ...{ cause: null, capability: null, route: null, hash: createHash("sha256").update("{}").digest() },
        })
        .execute(),
    );
    await expect(second).rejects.toThrow(/entry_outcome/);
  });
});
