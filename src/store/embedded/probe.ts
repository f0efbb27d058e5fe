import { realpath } from "node:fs/promises";
import pg from "pg";

/** The only address that the embedded server listens on. */
export const host = "127.0.0.1";

/** The name of the embedded server's administrator. */
export const adminUser = "postgres";

/** A server as seen by connecting: serving our data, not yet taking connections, or somebody else's or with another password. */
export type Probe =
  | { readonly kind: "serving" }
  | { readonly kind: "not_yet"; readonly because: string }
  | { readonly kind: "foreign"; readonly because: string };

/**
 * Connects as the administrator and checks that the server serves exactly this data directory. `waitMs` bounds the connecting and the
 * asking, each in milliseconds: on a machine that is busy with a recovery the first answers take seconds.
 */
export async function probe(server: { port: number; password: string; dataDirectory: string }, waitMs: number): Promise<Probe> {
  const client = new pg.Client({
    host,
    port: server.port,
    user: adminUser,
    password: server.password,
    database: "postgres",
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    ssl: false,
  });
  // Without a listener a connection that breaks between two calls would end the whole process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("show data_directory");
    const served = rows[0]?.data_directory ?? "";
    const isOurs = (await realpath(served).catch(() => served)) === server.dataDirectory;
    return isOurs ? { kind: "serving" } : { kind: "foreign", because: `it serves \`${served}\`` };
  } catch (error) {
    return verdictOn(error);
  } finally {
    await client.end().catch(() => {});
  }
}

const unanswered = "it did not answer in time";

/** The administrator's connection string of a port. */
export function adminUrl(port: number, password: string): string {
  return `postgresql://${adminUser}:${encodeURIComponent(password)}@${host}:${port}/postgres`;
}

function verdictOn(error: unknown): Probe {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "28P01" || code === "28000") return { kind: "foreign", because: "it refuses the kept admin password" };
  // Out of connections, even the reserved ones: busy, but it is there.
  if (code === "53300") return { kind: "serving" };
  // The code of PostgreSQL or of the system; of what has none, our own words for it.
  return { kind: "not_yet", because: typeof code === "string" ? code : unanswered };
}

const firstWaitMs = 2_000;
const longestWaitMs = 30_000;

/** Probes of one start: each that was not answered makes the next one wait twice as long, so that a slow machine is not asked in vain for ever. */
export function patientProbe(): (server: Parameters<typeof probe>[0]) => Promise<Probe> {
  let waitMs = firstWaitMs;
  return async (server) => {
    const answer = await probe(server, waitMs);
    if (answer.kind === "not_yet" && answer.because === unanswered) waitMs = Math.min(longestWaitMs, waitMs * 2);
    return answer;
  };
}
