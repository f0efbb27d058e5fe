import { defineConnector } from "countersign";
import pg from "pg";

/** An open way into the help desk's database. */
export type Helpdesk = pg.Pool;

/** The deciding half's way in: it may read what people may be told about. */
export const reader = defineConnector({
  name: "helpdesk-reader",
  side: "reads",
  secret: "HELPDESK_READ_URL",
  open: openPool("reader"),
  close,
});

/** The acting half's way to write. */
export const writer = defineConnector({
  name: "helpdesk-writer",
  side: "writes",
  secret: "HELPDESK_WRITE_URL",
  open: openPool("writer"),
  close,
});

/** The acting half's way to see what became true: a login of its own, which writes nothing. */
export const observer = defineConnector({
  name: "helpdesk-observer",
  side: "observes",
  secret: "HELPDESK_OBSERVE_URL",
  open: openPool("observer"),
  close,
});

function openPool(use: string): (url: string) => Promise<Helpdesk> {
  return async (url) => {
    const pool = new pg.Pool({
      connectionString: url,
      max: 4,
      application_name: `helpdesk ${use}`,
      connectionTimeoutMillis: 5_000,
      // Below the effects' time limit, so that a write that hangs is ended by the server too.
      statement_timeout: 8_000,
      options: "-c timezone=UTC",
    });
    // The server may end an idle connection at any time; the next query opens another.
    pool.on("error", () => {});
    return pool;
  };
}

async function close(pool: Helpdesk): Promise<void> {
  await pool.end();
}
