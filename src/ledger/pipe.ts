import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { CountersignError } from "../contract/errors.ts";
import type { Clock } from "../contract/ports.ts";
import { poolConfig } from "../store/database.ts";

/** A prepared call whose rows come back as arrays. Repeating it must be safe: its outcome may have been lost with a connection. */
export interface PipedCall {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | number | Buffer | null)[];
}

/** One pipelined connection of the journal's own. Calls run at the server one after the other, each in a commit of its own. */
export interface Pipe {
  /**
   * Runs a call; when the connection ends before the answer, runs it again on a new one until the patience is spent.
   * Throws `database_unavailable` then; the outcome is unknown.
   */
  readonly call: (call: PipedCall) => Promise<readonly (readonly unknown[])[]>;
  readonly close: () => Promise<void>;
}

/** How a pipe reaches the database; `patienceMs` is how long a call waits for one that is gone. */
export interface PipeOptions {
  readonly url: string;
  readonly role: string;
  readonly clock: Clock;
  readonly patienceMs: number;
}

const retryPauseMs = 50;

/** Opens a pipe; it connects with its first call. */
export function openPipe({ url, role, clock, patienceMs }: PipeOptions): Pipe {
  let connection: Promise<pg.Client> | null = null;
  const forget = (gone: Promise<pg.Client>): void => {
    if (connection === gone) connection = null;
  };
  const connected = (): Promise<pg.Client> => {
    if (connection !== null) return connection;
    const opening = connect({ url, role });
    connection = opening;
    opening.then(
      (client) => client.on("end", () => forget(opening)),
      () => forget(opening),
    );
    return opening;
  };
  const attempt = async ({ name, text, values }: PipedCall): Promise<readonly (readonly unknown[])[]> => {
    const client = await connected();
    const { rows } = await client.query<unknown[]>({ name, text, values: [...values], rowMode: "array" });
    return rows;
  };
  return {
    call: (call) => patiently(() => attempt(call), { clock, patienceMs }),
    close: async () => {
      const open = connection;
      connection = null;
      await open?.then((client) => client.end()).catch(() => {});
    },
  };
}

/** Says whether PostgreSQL refused a row: a value or constraint, a grant or policy. Another row may still be good. */
export function isRowRefused(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && /^(22|23|42|P0|CS)/.test(thrown.code ?? "");
}

/** Says whether an intent was refused since an allotment that it names is not open. */
export function isReservationGone(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && thrown.code === "CS005";
}

async function patiently<T>(attempt: () => Promise<T>, { clock, patienceMs }: { clock: Clock; patienceMs: number }): Promise<T> {
  const start = clock.monotonic();
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!mayRepeat(thrown)) throw thrown;
      if (clock.monotonic() - start >= patienceMs) throw unavailable(thrown);
      await delay(retryPauseMs);
    }
  }
}

/** Gone connections, a server that stops or starts, time limits, and transactions that lost to another (40): the call may be made again. */
function mayRepeat(thrown: unknown): boolean {
  if (thrown instanceof pg.DatabaseError) return /^(57P|57014|55P03|25P03|08|40|53)/.test(thrown.code ?? "");
  if (!(thrown instanceof Error)) return false;
  return "syscall" in thrown || /connection|timeout expired|not queryable|client was closed/i.test(thrown.message);
}

async function connect({ url, role }: { url: string; role: string }): Promise<pg.Client> {
  const { max: _, ...config } = poolConfig({ url, role, connections: 1 });
  const client = new pg.Client({ ...config, pipeline: true });
  // Each call that was on the wire is rejected by itself; without a listener the event would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

function unavailable(cause: unknown): CountersignError {
  return new CountersignError(
    "database_unavailable",
    "the database cannot be reached; see that it runs and that the URL is right",
    { cause },
  );
}
