import { defineConnector } from "countersign";
import pg from "pg";

/** An open way into the shop's database. */
export type Shop = pg.Pool;

/** The deciding half's way in: it may read what people may be told about. */
export const reader = defineConnector({
  name: "shop-reader",
  side: "reads",
  secret: "SHOP_READ_URL",
  open: openPool("reader"),
  close,
});

/** The acting half's way to write. */
export const writer = defineConnector({
  name: "shop-writer",
  side: "writes",
  secret: "SHOP_WRITE_URL",
  open: openPool("writer"),
  close,
});

/** The acting half's way to see what became true: a login of its own, which writes nothing. */
export const observer = defineConnector({
  name: "shop-observer",
  side: "observes",
  secret: "SHOP_OBSERVE_URL",
  open: openPool("observer"),
  close,
});

function openPool(use: string): (url: string) => Promise<Shop> {
  return async (url) => {
    const pool = new pg.Pool({
      connectionString: url,
      max: 4,
      application_name: `shop ${use}`,
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

async function close(pool: Shop): Promise<void> {
  await pool.end();
}
