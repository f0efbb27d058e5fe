import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import { holdLock } from "../../store/hold-lock.ts";
import { textAt } from "../fields.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";

/** What of a tenant nothing may be erased of now. */
export interface Holds {
  readonly isTenantHeld: boolean;
  readonly people: readonly string[];
  readonly decisions: ReadonlySet<string>;
}

interface Place {
  readonly tx: Tx;
  readonly tenant: string;
}

const lockOf = (tenant: string) => sql`hashtextextended(${holdLock(tenant)}, 0)`;

/**
 * The holds that stand, for as long as the transaction lasts: one that is being set is waited for, and one that comes later finds what
 * was erased before it.
 */
export async function lockHolds({ tx, tenant }: Place): Promise<Holds> {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(tenant)})`.execute(tx);
  const { rows } = await sql<{ scope: string; name: string }>`
    select scope, name from countersign.hold where tenant = ${tenant} and released_at is null`.execute(tx);
  const named = (of: string) => rows.filter(({ scope }) => scope === of).map(({ name }) => name);
  return { isTenantHeld: named("tenant").length > 0, people: named("person"), decisions: new Set(named("decision")) };
}

/** Waits until whoever erases something of the tenant at this moment is through; nobody begins before the transaction has ended. */
export async function waitForErasing({ tx, tenant }: Place): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf(tenant)})`.execute(tx);
}

/** The decisions that are held: by their ids, by whoever asked, was asked for or has something remembered of one, and by their tenant. */
export async function heldDecisions(
  { tx, tenant, decisionIds }: Place & { readonly decisionIds: readonly string[] },
  { isTenantHeld, people, decisions }: Holds,
): Promise<readonly string[]> {
  if (isTenantHeld) return decisionIds;
  const named = decisionIds.filter((id) => decisions.has(id));
  if (people.length === 0 || decisionIds.length === 0) return named;
  const { rows } = await sql<{ decision_id: string; body: string }>`
    select decision_id, body from countersign.entry
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) and kind in ('decided', 'stopped')`.execute(tx);
  const theirs = rows.filter(({ body }) => peopleOf(body).some((person) => people.includes(person)));
  const remembered = await sql<{ decision_id: string }>`
    select decision_id from countersign.memory
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[])
      and (owner = any (${people}::text[]) or on_behalf_of = any (${people}::text[]))`.execute(tx);
  return [...named, ...[...theirs, ...remembered.rows].map(({ decision_id }) => decision_id)];
}

/** Whoever asked for a decision, and whoever was asked for, by the bytes of its outcome; nobody where they cannot be read. */
export function peopleOf(bytes: string): readonly string[] {
  const body = readOr("mark", () => parseBody(bytes)) ?? {};
  return [textAt(body, "principal"), textAt(body, "onBehalfOf")].flatMap((one) => one ?? []);
}
