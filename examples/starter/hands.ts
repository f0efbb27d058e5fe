/** What only the acting process loads: how a change is made, and how somebody else sees that it was. It cannot ask a model. */
import { defineConnector } from "countersign";
import { defineHands, implementEffect, postgresObserved, through } from "countersign/act";
import pg from "pg";
import { extendLoan, loanSnapshot } from "./extend-loan.ts";
import { records } from "./records.ts";

// Two logins: the one that writes is never the one that says that it was done.
const writer = defineConnector({ name: "library-writer", side: "writes", secret: "LIBRARY_WRITE_URL", open, close });
const observer = defineConnector({ name: "library-observer", side: "observes", secret: "LIBRARY_OBSERVE_URL", open, close });

export default defineHands({
  records: [postgresObserved({ name: "library", secret: "LIBRARY_OBSERVE_URL", queries: records })],
  hands: [
    implementEffect(extendLoan, {
      apply: through(writer, async (pool: pg.Pool, { loan, version, until }, { tenant, signal }) => {
        signal.throwIfAborted();
        const { rowCount } = await pool.query(
          "update library.loan set due_on = $4::date, version = version + 1 where tenant = $1 and id = $2 and version = $3",
          [tenant, loan, version, until],
        );
        // Thrown here, it is not believed to have failed: what became true is looked up.
        if (rowCount !== 1) throw new Error("the loan is not as it was approved");
        return { targetId: loan };
      }),
      observe: through(observer, async (pool: pg.Pool, { loan }, { tenant }) => {
        const { rows } = await pool.query(
          "select id, due_on::text as due_on, version, is_reserved from library.loan where tenant = $1 and id = $2",
          [tenant, loan],
        );
        return loanSnapshot(rows);
      }),
    }),
  ],
});

async function open(url: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5_000, statement_timeout: 8_000 });
  // The server may end an idle connection at any time; the next query opens another.
  pool.on("error", () => {});
  return pool;
}

async function close(pool: pg.Pool): Promise<void> {
  await pool.end();
}
