import { sql } from "kysely";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";

/** What a tenant has to do: signed thresholds, people's findings, operations that are due, proposals for policy, signed effects. */
export interface TenantWork extends Readonly<Record<"slices" | "findings" | "due" | "autos" | "effects", boolean>> {
  readonly tenant: string;
}

/** The tenants of the transaction that have something to do, and what. Of those that are `busy` it is known that effects are signed. */
export async function tenantsWithWork(
  tx: Tx,
  { storeTime, busy }: Pick<Acting, "storeTime"> & { readonly busy: readonly string[] },
): Promise<readonly TenantWork[]> {
  const now = new Date(await storeTime(tx));
  const { rows } = await sql<TenantWork>`select * from countersign.work_at(${now}, ${busy}::text[])`.execute(tx);
  return rows;
}
