import type { Readable, Writable } from "node:stream";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { from, to } from "pg-copy-streams";
import { CountersignError } from "../../contract/errors.ts";
import type { Tx } from "../database.ts";
import type { Tables } from "../tables.ts";

/** One transaction under the owner's login, which sees every tenant, with the streams of COPY beside its queries. */
export interface OwnersTransaction {
  readonly tx: Tx;
  /** The rows of a query as COPY writes them, in text. */
  readonly copyOut: (query: string) => Readable;
  /** Takes rows as COPY reads them, in text, into `target`: a table with its columns. */
  readonly copyIn: (target: string) => Writable;
}

// Times, bytes and numbers are written the same way whatever the server's own settings are. A copy of a large table takes as long as it takes.
const settings = [
  ...["search_path=countersign,pg_catalog", "timezone=UTC", "datestyle=ISO", "intervalstyle=postgres", "bytea_output=hex"],
  ...["extra_float_digits=1", "statement_timeout=0", "idle_in_transaction_session_timeout=0", "lock_timeout=30000"],
];

/**
 * Runs work in one transaction under the owner's login; commits when it returns, rolls back when it throws. `snapshot` reads what stood at one
 * moment and changes nothing; without a transaction number it holds up no sealing.
 */
export async function inOwnersTransaction<T>(
  { adminUrl, kind }: { adminUrl: string; kind: "snapshot" | "load" },
  work: (transaction: OwnersTransaction) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({
    ...{ connectionString: adminUrl, max: 1, connectionTimeoutMillis: 10_000 },
    ...{ application_name: `countersign ${kind}`, options: settings.map((one) => `-c ${one}`).join(" ") },
  });
  const clients: pg.PoolClient[] = [];
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    clients.push(client);
  });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const begin = kysely.transaction();
  const transaction = kind === "load" ? begin : begin.setIsolationLevel("repeatable read").setAccessMode("read only");
  const failures: unknown[] = [];
  try {
    return await transaction.execute(async (tx) => {
      const [client] = clients;
      if (client === undefined) throw new CountersignError("internal", "a transaction without its connection");
      const copyOut = (query: string) => quiet(client.query(to(`copy (${query}) to stdout`)));
      const copyIn = (target: string) => quiet(client.query(from(`copy ${target} from stdin`)));
      try {
        return await work({ tx, copyOut, copyIn });
      } catch (thrown) {
        failures.push(thrown);
        await cutOff(client);
        throw thrown;
      }
    });
  } catch (thrown) {
    // After the cut the rollback says only that there is no connection; what came first is what went wrong.
    throw failures.length === 0 ? thrown : failures[0];
  } finally {
    await kysely.destroy();
  }
}

/** Whoever reads or writes a stream hears of its end there; later ones must not end the process. */
function quiet<T extends Readable | Writable>(stream: T): T {
  stream.on("error", () => {});
  return stream;
}

/** Ends the connection in the middle of a COPY, which no other statement could: the server rolls back. */
async function cutOff(client: pg.PoolClient): Promise<void> {
  if ("end" in client && typeof client.end === "function") await client.end();
}
