import pg from "pg";
import type { Answer, ConnectorSide, OpenRecordSource, RecordSource } from "../../../contract/connector.ts";
import { CountersignError } from "../../../contract/errors.ts";
import type { SqlQuery } from "../../../contract/record-query.ts";
import { graceMs, runSql } from "./run-sql.ts";

/** A PostgreSQL database and what is read of it. */
export interface PostgresRecordsOptions {
  readonly name: string;
  /** The vault name of its connection string. Its role should be one that can do nothing but read. */
  readonly secret: string;
  readonly queries: readonly SqlQuery[];
  /** Most connections at a time; 4 unless told. */
  readonly connections?: number;
}

/**
 * Record queries over PostgreSQL under a reading credential, each in a read-only transaction with a time limit of the server's own. Throws
 * `definition_invalid` for two queries of one name.
 */
export function postgresRecords(options: PostgresRecordsOptions): RecordSource {
  return postgresSource("reads", options);
}

/** The same for the acting half, under its observing credential. */
export function postgresObserved(options: PostgresRecordsOptions): RecordSource {
  return postgresSource("observes", options);
}

function postgresSource(
  side: Exclude<ConnectorSide, "writes">,
  { name, secret, queries, connections = 4 }: PostgresRecordsOptions,
): RecordSource {
  const byName = new Map(queries.map((query) => [query.name, query]));
  if (byName.size !== queries.length) throw invalid(`connector \`${name}\` has two queries of one name`);
  if (!Number.isInteger(connections) || connections < 1 || connections > 100)
    throw invalid(`connector \`${name}\` needs 1 to 100 \`connections\``);
  return Object.freeze({
    connector: { name, side, secret },
    queries,
    open: async (url: string): Promise<OpenRecordSource> => {
      const longestMs = Math.max(0, ...queries.map(({ timeoutMs }) => timeoutMs)) + graceMs;
      const pool = openPool({ url, name, connections, longestMs });
      const read: NonNullable<OpenRecordSource["read"]> = async (query, params, envelope): Promise<Answer> => {
        const found = byName.get(query);
        if (found === undefined) throw invalid(`connector \`${name}\` has no query \`${query}\``);
        return runSql({ pool, query: found, params, envelope });
      };
      return { read, run: async (...asked) => (await read(...asked)).rows, close: () => pool.end() };
    },
  });
}

function openPool({
  url,
  name,
  connections,
  longestMs,
}: {
  url: string;
  name: string;
  connections: number;
  longestMs: number;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: `countersign ${name}`.slice(0, 63),
    connectionTimeoutMillis: 5_000,
    // Whatever is asked, such as of the catalogue: a connection that died unheard is given up and leaves the pool.
    query_timeout: longestMs,
    keepAlive: true,
    // Values come as the texts that they are; columns are read by what their query declares.
    types: { getTypeParser: () => (text: string) => text },
  });
  // The server may end an idle connection at any time; the next query opens another.
  pool.on("error", () => {});
  return pool;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
