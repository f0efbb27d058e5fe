import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChainHead, HeadKeeper } from "../../src/contract/ports.ts";
import { genesisHash, linkHash } from "../../src/ledger/chain.ts";
import { createSealer, sealTenant } from "../../src/ledger/seal.ts";
import { openDatabase } from "../../src/store/database.ts";
import { decide, type LedgerFixture, one, openLedger, patience, request } from "./ledger-fixture.ts";

let ledger: LedgerFixture;
const kept: ChainHead[] = [];
/** Remembers every head that it is handed. */
const headKeeper: HeadKeeper = {
  read: async (tenant) => kept.findLast((head) => head.tenant === tenant) ?? null,
  keep: async (head) => void kept.push(head),
};
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const seal = (tenant = "acme") => sealTenant({ database: ledger.acting, tenant, headKeeper });
const unsealedCount = () =>
  one(
    ledger.owner,
    "select count(*)::int from countersign.entry where not exists (select from countersign.seal where seal.entry_id = entry.id and seal.tenant = entry.tenant)",
  );

interface SealRow {
  readonly tenant: string;
  readonly seq: string;
  readonly entry_id: string;
  readonly prev_hash: Buffer;
  readonly entry_hash: Buffer;
}

async function checkChain(tenant: string): Promise<number> {
  const { rows } = await ledger.owner.query<SealRow & { hash: Buffer }>(
    "select s.*, e.hash from countersign.seal s join countersign.entry e on e.tenant = s.tenant and e.id = s.entry_id where s.tenant = $1 order by seq",
    [tenant],
  );
  let prevHash = genesisHash;
  for (const [i, row] of rows.entries()) {
    expect([Number(row.seq), row.prev_hash, row.entry_hash]).toEqual([i + 1, prevHash, row.hash]);
    prevHash = linkHash({ tenant, seq: i + 1, entryId: row.entry_id, prevHash, entryHash: row.entry_hash });
  }
  return rows.length;
}

describe("the sealer", () => {
  test("chains what is committed, each entry once, and hands on the head after the commit", async () => {
    for (let i = 0; i < 5; i += 1) await decide(ledger.journal);
    await expect.poll(async () => (await seal()).head?.seq, patience).toBe(5);
    expect(await seal()).toMatchObject({ entries: 0, head: { seq: 5 } });
    expect(await checkChain("acme")).toBe(5);
    expect(kept.at(-1)).toEqual((await seal()).head);
  });

  test("waits for an older transaction that is still open, so that no entry can appear before a sealed one", async () => {
    const slow = new pg.Client({ connectionString: ledger.database.adminUrl });
    await slow.connect();
    await slow.query("begin");
    await slow.query("select pg_current_xact_id()");
    const { entryId } = await decide(ledger.journal);
    expect((await seal()).entries).toBe(0);
    expect(await one(ledger.owner, "select count(*)::int from countersign.seal where entry_id = $1", [entryId])).toBe(0);
    await slow.query("commit");
    await slow.end();
    await expect
      .poll(async () => {
        await seal();
        return one(ledger.owner, "select count(*)::int from countersign.seal where entry_id = $1", [entryId]);
      }, patience)
      .toBe(1);
  });

  test("makes one chain a tenant when several seal side by side while decisions are written", async () => {
    const others = Array.from({ length: 3 }, () =>
      openDatabase({ url: ledger.database.urls.acting, role: "acting", connections: 1 }),
    );
    let isDone = false;
    const sealing = others.map(async (database) => {
      while (!isDone) for (const tenant of ["acme", "globex"]) await sealTenant({ database, tenant, headKeeper });
    });
    await Promise.all(
      Array.from({ length: 400 }, (_, i) => decide(ledger.journal, request({ tenant: i % 2 === 0 ? "acme" : "globex" }))),
    );
    isDone = true;
    await Promise.all(sealing);
    await expect
      .poll(async () => {
        await seal("acme");
        await seal("globex");
        return unsealedCount();
      }, patience)
      .toBe(0);
    expect(await checkChain("globex")).toBe(200);
    expect(await checkChain("acme")).toBe(206);
    await Promise.all(others.map((database) => database.close()));
  });

  test("seals whatever tenant has news, and seals once more when it is stopped", async () => {
    const sealer = createSealer({
      database: ledger.acting,
      headKeeper,
      everyMs: 10,
      onError: (thrown) => {
        throw thrown;
      },
    });
    await decide(ledger.journal);
    await expect.poll(unsealedCount, patience).toBe(0);
    await decide(ledger.journal, request({ tenant: "globex" }));
    await expect.poll(unsealedCount, patience).toBe(0);
    await sealer.stop();
    expect([await checkChain("acme"), await checkChain("globex")]).toEqual([207, 201]);
  });

  test("goes on after a round that failed", async () => {
    const faults: unknown[] = [];
    let isDown = true;
    const failing: HeadKeeper = {
      read: headKeeper.read,
      keep: async (head) => {
        if (isDown) throw new Error("the disk is full");
        kept.push(head);
      },
    };
    const sealer = createSealer({
      database: ledger.acting,
      headKeeper: failing,
      everyMs: 10,
      onError: (thrown) => faults.push(thrown),
    });
    await decide(ledger.journal);
    await expect.poll(() => faults.length, patience).toBeGreaterThan(0);
    isDown = false;
    await decide(ledger.journal);
    await expect.poll(unsealedCount, patience).toBe(0);
    await sealer.stop();
    expect(kept.at(-1)).toMatchObject({ tenant: "acme", seq: 209 });
  });

  test("leaves a chain to the sealer that is at it, goes on with others, and comes back for what is left", async () => {
    const unsealedOf = (tenant: string) =>
      one(
        ledger.owner,
        `select (select count(*) from countersign.entry where tenant = '${tenant}')::int
          - (select count(*) from countersign.seal where tenant = '${tenant}')::int`,
      );
    await ledger.owner.query("begin");
    await ledger.owner.query(
      "select pg_advisory_xact_lock(hashtextextended('countersign seal', 0) # hashtextextended('acme', 0))",
    );
    await decide(ledger.journal);
    await decide(ledger.journal, request({ tenant: "globex" }));
    const sealer = createSealer({
      database: ledger.acting,
      headKeeper,
      everyMs: 10,
      onError: (thrown) => {
        throw thrown;
      },
    });
    await expect.poll(() => unsealedOf("globex"), patience).toBe(0);
    expect(await unsealedOf("acme")).toBe(1);
    await ledger.owner.query("commit");
    await expect.poll(() => unsealedOf("acme"), patience).toBe(0);
    await sealer.stop();
  });

  test("refuses to go on where its last place is ahead of the server, as after a restore from a dump", async () => {
    await ledger.owner.query("set session_replication_role = replica");
    const move = (by: string) =>
      ledger.owner.query(
        `update countersign.entry set xid = (xid::text::bigint ${by} 1000000000)::text::xid8
         where id = (select entry_id from countersign.seal where tenant = 'acme' order by seq desc limit 1)`,
      );
    await move("+");
    await decide(ledger.journal);
    const faults: unknown[] = [];
    const sealer = createSealer({
      database: ledger.acting,
      headKeeper,
      everyMs: 10,
      onError: (thrown) => faults.push(thrown),
    });
    await expect
      .poll(() => faults[0], patience)
      .toMatchObject({
        code: "ledger_broken",
        message: expect.stringMatching(/restored from a dump.* past \d+ before anything is written/),
        facts: { tenant: "acme" },
      });
    await move("-");
    await ledger.owner.query("set session_replication_role = origin");
    await expect.poll(unsealedCount, patience).toBe(0);
    await sealer.stop();
  });

  test("refuses to begin a second chain when its last entry is gone", async () => {
    await ledger.owner.query("set session_replication_role = replica");
    await ledger.owner.query(
      "delete from countersign.entry where id = (select entry_id from countersign.seal where tenant = 'globex' order by seq desc limit 1)",
    );
    await ledger.owner.query("set session_replication_role = origin");
    await expect(seal("globex")).rejects.toThrow(/last sealed entry of `globex` is gone/);
  });
});
