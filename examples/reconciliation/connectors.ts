import { defineConnector } from "countersign";
import pg from "pg";

/** An open way into the books. */
export type Books = pg.Pool;
/** The folder into which the custodians' feeds are put, each as a file of its own. */
export interface FeedFolder {
  readonly path: string;
}

/** The deciding half's way to the feeds: files that it reads and never changes. */
export const feeds = defineConnector({
  name: "feeds",
  side: "reads",
  secret: "FEEDS_FOLDER",
  open: async (path): Promise<FeedFolder> => ({ path }),
  close: async () => {},
});

/** The deciding half's way into the books. */
export const reader = defineConnector({
  name: "books-reader",
  side: "reads",
  secret: "BOOKS_READ_URL",
  open: openPool("reader"),
  close,
});

/** The acting half's way to write. */
export const writer = defineConnector({
  name: "books-writer",
  side: "writes",
  secret: "BOOKS_WRITE_URL",
  open: openPool("writer"),
  close,
});

/** The acting half's way to see what became true: a login of its own, which writes nothing. */
export const observer = defineConnector({
  name: "books-observer",
  side: "observes",
  secret: "BOOKS_OBSERVE_URL",
  open: openPool("observer"),
  close,
});

function openPool(use: string): (url: string) => Promise<Books> {
  return async (url) => {
    const pool = new pg.Pool({
      connectionString: url,
      max: 4,
      application_name: `books ${use}`,
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

async function close(pool: Books): Promise<void> {
  await pool.end();
}
