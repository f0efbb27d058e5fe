import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { HeadKeeper } from "../../contract/ports.ts";
import { copiedTables, firstFilled, lockTables, settleNumbers, targetOf } from "../../store/backup/copied-tables.ts";
import { unreadable } from "../../store/backup/frames.ts";
import { inOwnersTransaction, type OwnersTransaction } from "../../store/backup/owners-transaction.ts";
import { notEmpty } from "../../store/backup/refuse-filled.ts";
import type { Database } from "../../store/database.ts";
import { payloadKeys } from "../payload.ts";
import { pooledRandom } from "../random.ts";
import { type LedgerReport, verifyLedger } from "../verify.ts";
import { headIn, type Manifest, type SignedManifest } from "./manifest.ts";
import { type RowsTaker, readBackup } from "./read-backup.ts";
import { settlePlaces } from "./settled-places.ts";
import { type Restoring, writeRestored } from "./write-restored.ts";

/** What a restore needs; `signed` is what the file said when it was checked. */
export interface Loading extends Restoring {
  readonly adminUrl: string;
  readonly path: string;
  readonly signed: SignedManifest;
  readonly payloadKey: Buffer;
}

/**
 * Loads a backup into an empty database at the same migrations, checks every ledger in it and writes a signed `restored` entry for each tenant:
 * all of it in one transaction, so that nothing is seen before everything holds. Throws `database_not_empty`, `backup_unreadable` for
 * a file that changed since it was checked, and `ledger_broken` for a ledger that does not verify.
 */
export async function loadBackup(loading: Loading): Promise<readonly LedgerReport[]> {
  const { adminUrl, signed, path } = loading;
  return inOwnersTransaction({ adminUrl, kind: "load" }, async (into) => {
    const tables = await checkedTables(into, signed.manifest);
    const again = await readBackup(path, takerOf(into, tables));
    if (again.digest !== signed.digest) throw unreadable("it changed while it was read");
    await checkRows(into, signed.manifest);
    await settlePlaces(into.tx);
    await settleNumbers(into.tx);
    const database = databaseOver(into, adminUrl);
    const reports = await checkLedgers(database, loading);
    await writeRestored(into.tx, database, loading);
    return reports;
  });
}

async function checkedTables(into: OwnersTransaction, { tables, migrations }: Manifest): Promise<Manifest["tables"]> {
  const here = await copiedTables(into.tx);
  const { rows } = await sql<{ name: string }>`select name from public.countersign_migration order by name`.execute(into.tx);
  const columns = (all: Manifest["tables"] | typeof here) => JSON.stringify(all.map((one) => [one.name, one.columns]).sort());
  if (JSON.stringify(rows.map(({ name }) => name)) !== JSON.stringify(migrations) || columns(here) !== columns(tables))
    throw new CountersignError("database_not_empty", "the database has other migrations than the backup; give an empty one");
  await lockTables(into.tx, here);
  const full = await firstFilled(into.tx, here);
  if (full !== null) throw notEmpty(full);
  return tables;
}

function takerOf(into: OwnersTransaction, tables: Manifest["tables"]): RowsTaker {
  let copying: { readonly name: string; readonly stream: Writable } | null = null;
  const taken = async (work: (stream: Writable) => Promise<void>): Promise<void> => {
    if (copying === null) return;
    try {
      await work(copying.stream);
    } catch (thrown) {
      throw notTaken(copying.name, thrown);
    }
  };
  return {
    begin: async (name) => {
      const table = tables.find((one) => one.name === name);
      if (table === undefined) throw unreadable("it holds a table that its manifest does not name");
      copying = { name, stream: into.copyIn(targetOf(table)) };
    },
    rows: (bytes) =>
      taken(
        (stream) =>
          new Promise((resolve, reject) => {
            stream.write(bytes, (error) => (error ? reject(error) : resolve()));
          }),
      ),
    end: () =>
      taken(async (stream) => {
        stream.end();
        await finished(stream);
      }),
  };
}

/** What the server says may quote a row, so only its code is told. */
function notTaken(table: string, thrown: unknown): CountersignError {
  const sqlState = typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "none";
  const message = `the database did not take the rows of \`${table}\` (SQLSTATE ${sqlState}); nothing was restored, see its log`;
  return new CountersignError("restore_failed", message, { facts: { table, sqlState } });
}

/** The digests were of the file; this is of what the database took. */
async function checkRows({ tx }: OwnersTransaction, { tables }: Manifest): Promise<void> {
  for (const { name, rows } of tables) {
    const counted = await sql<{ count: string }>`select count(*) from ${sql.id("countersign", name)}`.execute(tx);
    if (Number(counted.rows[0]?.count) !== rows)
      throw unreadable(`the table \`${name}\` did not give the ${rows} rows that its manifest says`);
  }
}

/** The loading transaction as the checks of a ledger want the database: nobody else sees what they look at. */
function databaseOver({ tx }: OwnersTransaction, url: string): Database {
  const salts = new Map<string, Buffer | null>();
  const inTenant: Database["inTenant"] = async (tenant, work) => {
    const { rows } = await sql<{
      salt: Buffer | null;
    }>`select key_salt as salt from countersign.tenant where id = ${tenant}`.execute(tx);
    salts.set(tenant, rows[0]?.salt ?? null);
    return work(tx);
  };
  return {
    ...{ role: "admin", url, inTenant, inSnapshot: inTenant, untenanted: (work) => work(tx), close: async () => {} },
    saltOf: (tenant) => salts.get(tenant),
    know: (tenant) => inTenant(tenant, async () => {}),
    tenants: async () => (await tx.selectFrom("tenant").select("id").orderBy("id").execute()).map(({ id }) => id),
  };
}

async function checkLedgers(database: Database, { signed, payloadKey }: Loading): Promise<readonly LedgerReport[]> {
  const headKeeper: HeadKeeper = { read: async (tenant) => headIn(signed.manifest, tenant), keep: async () => {} };
  const keys = payloadKeys(payloadKey, pooledRandom(), database);
  const reports: LedgerReport[] = [];
  for (const tenant of signed.manifest.tenants) {
    const report = await verifyLedger({ database, tenant, headKeeper, keys });
    const { broken } = report;
    if (broken !== null) {
      const message = `the ledger of \`${tenant}\` in the backup does not verify: ${broken.fault} at ${broken.seq ?? "an entry without a place"}; nothing was restored, use an older backup`;
      throw new CountersignError("ledger_broken", message, { facts: { tenant, fault: broken.fault, seq: broken.seq } });
    }
    reports.push(report);
  }
  return reports;
}
