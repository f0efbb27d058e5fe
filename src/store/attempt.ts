import { sql } from "kysely";
import pg from "pg";
import { isCountersignError } from "../contract/errors.ts";
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

/** Says whether the database refused a value itself. Classes of SQLSTATE: 22 (it is no such value), 54 (it is larger than can be held). */
export function isAboutContent(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && /^(22|54)/.test(thrown.code ?? "");
}

/** Says whether a thrown value is the database's: its own error, or that it cannot be reached. */
export function isOfDatabase(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError || isCountersignError(thrown, "database_unavailable");
}

/** Says whether two transactions stood in each other's way and this one was undone: it may be made again as it was. */
export function isCollision(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && /^40/.test(thrown.code ?? "");
}
