import { Kysely, PostgresDialect, sql, type Transaction, type TransactionBuilder } from "kysely";
import pg from "pg";
import { CountersignError, messageOf } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";
import type { DatabaseRole } from "../contract/words.ts";
import type { Tables } from "./tables.ts";

/** A transaction that has named its tenant. */
export type Tx = Transaction<Tables>;

/** The database without a transaction: each statement is one of its own. */
export type Store = Kysely<Tables>;

/**
 * What of each tenant's key stands in the database: mixed into the key, so that a tenant's is gone once it is. Looked up by every
 * transaction that names the tenant.
 */
export interface TenantSalts {
  /** As it was last seen: 32 bytes, none where it was destroyed, `null` where the tenant never had one; `undefined` if never seen. */
  readonly saltOf: (tenant: string) => Buffer | null | undefined;
  /** Looks it up if it was never seen. */
  readonly know: (tenant: string) => Promise<void>;
}

/**
 * One role's way to PostgreSQL. Every query runs in a transaction that names its tenants first; row policies hold it to them.
 * Holds a pool; close it.
 */
export interface Database extends TenantSalts {
  readonly role: DatabaseRole | "admin";
  readonly url: string;
  /** Runs work in one transaction for one tenant; commits when it returns, rolls back when it throws. */
  readonly inTenant: <T>(tenant: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Runs reading work over one snapshot, so that what several queries see belongs together. */
  readonly inSnapshot: <T>(tenant: string, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Runs one statement that names its tenant itself, or that asks who somebody is before a tenant is known. */
  readonly untenanted: <T>(work: (store: Store) => Promise<T>) => Promise<T>;
  /** Every tenant's id, in order. */
  readonly tenants: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Opens a database under one role. `url` is that role's own login; a shared login with `SET ROLE` is no wall. */
export function openDatabase({
  url,
  role,
  connections = 8,
  timeLimits = usualTimeLimits,
}: {
  url: string;
  role: Database["role"];
  connections?: number;
  timeLimits?: TimeLimits;
}): Database {
  const pool = new pg.Pool(poolConfig({ url, role, connections, timeLimits }));
  // A connection that the server ends, idle or in use, must not end the process; the next query says what is wrong.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const salts = new Map<string, Buffer | null>();
  const saltOf = (tenant: string) => salts.get(tenant);
  const inTenant: Database["inTenant"] = (tenant, work) =>
    inTransaction({ transaction: kysely.transaction(), tenant, work, salts });
  return {
    role,
    url,
    ...{ saltOf, know: async (tenant) => (saltOf(tenant) === undefined ? inTenant(tenant, async () => {}) : undefined) },
    inTenant,
    inSnapshot: (tenant, work) =>
      inTransaction({
        transaction: kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only"),
        ...{ tenant, work, salts },
      }),
    untenanted: (work) => reached(() => work(kysely)),
    tenants: async () => {
      const rows = await reached(() => kysely.selectFrom("tenant").select("id").orderBy("id").execute());
      return rows.map((row) => row.id);
    },
    close: () => kysely.destroy(),
  };
}

/**
 * How long the server lets a connection of ours go on, in milliseconds. A transaction that stays open, such as that of a process that
 * was stopped, holds up sealing and admission for all tenants: nothing after it is settled.
 */
export interface TimeLimits {
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

const usualTimeLimits: TimeLimits = { statementMs: 30_000, lockMs: 10_000, idleInTransactionMs: 15_000 };

/** The settings of every connection of ours: the schema, the name shown in `pg_stat_activity`, and time limits. */
export function poolConfig({
  url,
  role,
  connections,
  timeLimits: { statementMs, lockMs, idleInTransactionMs } = usualTimeLimits,
}: {
  url: string;
  role: string;
  connections: number;
  timeLimits?: TimeLimits;
}): pg.PoolConfig {
  const limits = `-c statement_timeout=${statementMs} -c lock_timeout=${lockMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs}`;
  return {
    connectionString: url,
    max: connections,
    application_name: `countersign ${role}`,
    options: `-c search_path=countersign -c timezone=UTC ${limits}`,
    connectionTimeoutMillis: 10_000,
  };
}

async function inTransaction<T>({
  transaction,
  tenant,
  work,
  salts,
}: {
  transaction: TransactionBuilder<Tables>;
  tenant: string;
  salts: Map<string, Buffer | null>;
  work: (tx: Tx) => Promise<T>;
}): Promise<T> {
  checkTenant(tenant);
  return reached(() =>
    transaction.execute(async (tx) => {
      const { rows } = await sql<{ salt: Buffer | null }>`
        select set_config('countersign.tenants', ${tenant}, true),
          (select key_salt from countersign.tenant where id = ${tenant}) as salt`.execute(tx);
      salts.set(tenant, rows[0]?.salt ?? null);
      return work(tx);
    }),
  );
}

/** Refuses a tenant id that could not be one; the list of tenants is joined by commas, so this matters. */
export function checkTenant(tenant: string): void {
  if (!idPattern.test(tenant)) throw new CountersignError("bad_request", "the tenant's id has not the form of an id");
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (isTooLate(thrown)) throw tooLate(thrown);
    throw isUnreachable(thrown) ? unavailable(thrown) : thrown;
  }
}

const unreachableCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EPIPE",
  "57P01",
  "57P02",
  "57P03",
  "08006",
  "08001",
  "53300",
]);

function isUnreachable(thrown: unknown): boolean {
  return (
    unreachableCodes.has(codeOf(thrown)) ||
    /Connection terminated|not queryable|timeout exceeded when trying to connect/.test(messageOf(thrown))
  );
}

/** What the server says where a statement, a lock or an idle transaction took longer than it may. */
function isTooLate(thrown: unknown): boolean {
  return ["57014", "55P03", "25P03"].includes(codeOf(thrown));
}

function codeOf(thrown: unknown): string {
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "";
}

function tooLate(cause: unknown): CountersignError {
  const message = "the database ended this for taking too long; see what else holds it up in `pg_stat_activity`, and try again";
  return new CountersignError("database_unavailable", message, { facts: { sqlState: codeOf(cause) }, cause });
}

function unavailable(cause: unknown): CountersignError {
  return new CountersignError(
    "database_unavailable",
    "the database cannot be reached; see that it runs and that the URL is right",
    {
      cause,
    },
  );
}
