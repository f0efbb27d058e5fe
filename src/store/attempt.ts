import { sql } from "kysely";
import pg from "pg";
import type { Tx } from "./database.ts";

/** What came of work that may fail over what a row holds. */
export type Attempted<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "failed"; readonly thrown: unknown };

/**
 * Runs work behind a savepoint. A failure over content is undone and comes back as a value, so that the transaction can record it;
 * every other fault of the database is thrown, since the work itself may be right.
 */
export async function attempt<T>(tx: Tx, work: () => Promise<T>): Promise<Attempted<T>> {
  await sql`savepoint attempt`.execute(tx);
  try {
    const value = await work();
    await sql`release savepoint attempt`.execute(tx);
    return { kind: "done", value };
  } catch (thrown) {
    if (thrown instanceof pg.DatabaseError && !isAboutContent(thrown)) throw thrown;
    // Where the connection is gone this throws too, and nothing is mistaken for a fault of the row.
    await sql`rollback to savepoint attempt`.execute(tx);
    return { kind: "failed", thrown };
  }
}

/** Classes of SQLSTATE that speak of the value: 22 (it is no such value) and 54 (it is larger than the database can hold). */
function isAboutContent({ code = "" }: pg.DatabaseError): boolean {
  return code.startsWith("22") || code.startsWith("54");
}
