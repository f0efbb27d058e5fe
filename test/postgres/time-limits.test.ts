import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isCountersignError } from "../../src/contract/errors.ts";
import { openPipe } from "../../src/ledger/pipe.ts";
import { createSealer } from "../../src/ledger/seal.ts";
import { oldestUnsealedMs } from "../../src/ledger/unsealed.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { decide, type LedgerFixture, one, openLedger, patience } from "./ledger-fixture.ts";

// A connection that goes on for ever holds up everybody: nothing written after its transaction settles.
let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const headKeeper = { read: async () => null, keep: async () => {} };
const isUnavailable = expect.toSatisfy((thrown: unknown) => isCountersignError(thrown, "database_unavailable"));
const short = { statementMs: 300, lockMs: 100, idleInTransactionMs: 300 };
const limited = (timeLimits = short) =>
  openDatabase({ url: ledger.database.urls.acting, role: "acting", connections: 1, timeLimits });
const settings = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
const asked = `select ${settings.map((name) => `current_setting('${name}')`).join(" || ' ' || ")} as limits`;

describe("a connection of ours", () => {
  test("has time limits, in the pools and in the journal's pipe", async () => {
    const { rows } = await ledger.deciding.inTenant("acme", (tx) => sql.raw<{ limits: string }>(asked).execute(tx));
    expect(rows).toEqual([{ limits: "30s 10s 15s" }]);
    const pipe = openPipe({ url: ledger.database.urls.deciding, role: "deciding", clock: systemClock, patienceMs: 5_000 });
    expect(await pipe.call({ name: "limits", text: asked, values: [] })).toEqual([["30s 10s 15s"]]);
    await pipe.close();
  });

  test("that stays idle in a transaction is ended by the server, and the sealer goes on", async () => {
    const sealer = createSealer({
      database: ledger.acting,
      headKeeper,
      everyMs: 10,
      onError: (thrown) => {
        throw thrown;
      },
    });
    const unsealedMs = () => oldestUnsealedMs({ database: ledger.acting, tenant: "acme" });
    // Long enough to write and look in between on a busy machine.
    const database = limited({ ...short, idleInTransactionMs: 3_000 });
    let isHeldUp = false;
    const stuck = database.inTenant("acme", async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx);
      await decide(ledger.journal);
      isHeldUp = (await unsealedMs()) !== null;
      // The process does nothing more with its transaction; only the server can end it.
      await expect.poll(unsealedMs, patience).toBeNull();
      await sql`select 1`.execute(tx);
    });
    await expect(stuck).rejects.toEqual(isUnavailable);
    expect(isHeldUp).toBe(true);
    await sealer.stop();
    // The pool has put the dead connection away.
    expect(await database.tenants()).toEqual(["acme", "globex"]);
    await database.close();
  });

  test("does not run a statement for longer than it may", async () => {
    const database = limited();
    await expect(database.inTenant("acme", (tx) => sql`select pg_sleep(60)`.execute(tx))).rejects.toEqual(isUnavailable);
    await database.close();
  });

  test("does not wait for a lock for longer than it may", async () => {
    const holder = new pg.Client({ connectionString: ledger.database.adminUrl });
    await holder.connect();
    await holder.query("select pg_advisory_lock(7)");
    const database = limited({ ...short, statementMs: 60_000 });
    const waiting = database.inTenant("acme", (tx) => sql`select pg_advisory_xact_lock(7)`.execute(tx));
    await expect(waiting).rejects.toEqual(isUnavailable);
    await Promise.all([database.close(), holder.end()]);
  });
});

describe("the age of the oldest entry without a seal", () => {
  test("is that of the first after the last seal, of this tenant alone", async () => {
    await decide(ledger.journal);
    await decide(ledger.journal);
    await ledger.owner.query("set session_replication_role = replica");
    await ledger.owner.query(
      "update countersign.entry set ts = extract(epoch from clock_timestamp()) * 1000 - 90000 where n = $1",
      [
        await one(
          ledger.owner,
          "select min(n) from countersign.entry where not exists (select from countersign.seal where seal.entry_id = entry.id)",
        ),
      ],
    );
    await ledger.owner.query("set session_replication_role = origin");
    const age = (tenant: string) => oldestUnsealedMs({ database: ledger.acting, tenant });
    expect(await age("acme")).toBeGreaterThanOrEqual(90_000);
    expect(await age("acme")).toBeLessThan(120_000);
    expect(await age("globex")).toBeNull();
  });
});
