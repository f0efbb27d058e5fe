import { sql } from "kysely";
import type { Database } from "../../store/database.ts";
import { linkHash } from "../chain.ts";
import { readLinks } from "../verify-pages.ts";
import type { EntryLine } from "./export-form.ts";

interface Of {
  readonly database: Database;
  readonly tenant: string;
}

/** A sealed entry's place and bytes, by its id; `null` where none is sealed under it. */
export async function readSealed({ database, tenant }: Of, entryId: string): Promise<{ seq: number; body: string } | null> {
  const { rows } = await database.inTenant(tenant, (tx) =>
    sql<{ seq: string; body: string }>`
      select seal.seq, entry.body from countersign.seal
      join countersign.entry on entry.tenant = seal.tenant and entry.id = seal.entry_id
      where seal.tenant = ${tenant} and seal.entry_id = ${entryId}::uuid`.execute(tx),
  );
  const row = rows[0];
  return row === undefined ? null : { seq: Number(row.seq), body: row.body };
}

/** The entry by which a decision ended, by the decision's id, or the id itself where it is an entry's; `null` where it is neither. */
export async function entryNamed({ database, tenant }: Of, id: string): Promise<string | null> {
  const { rows } = await database.inTenant(tenant, (tx) =>
    sql<{ id: string }>`
      select id from countersign.entry where tenant = ${tenant} and id = ${id}::uuid
      union all
      select id from countersign.entry where tenant = ${tenant} and decision_id = ${id}::uuid and kind in ('decided', 'stopped')
      limit 1`.execute(tx),
  );
  return rows[0]?.id ?? null;
}

/** How many entries of a tenant are sealed. */
export async function sealedCount({ database, tenant }: Of): Promise<number> {
  const { rows } = await database.inTenant(tenant, (tx) =>
    sql<{ seq: string }>`select seq from countersign.seal where tenant = ${tenant} order by seq desc limit 1`.execute(tx),
  );
  return Number(rows[0]?.seq ?? 0);
}

const pageSize = 500;

/** The sealed entries up to a place, as lines of an export; a seal whose entry is gone is left out, so that whoever reads finds the gap. */
export async function* readEntryLines({ database, tenant }: Of, upTo: number): AsyncGenerator<EntryLine> {
  for (let after = 0; after < upTo; ) {
    const page = await database.inTenant(tenant, (tx) => readLinks({ tx, tenant, after, limit: pageSize }));
    for (const { link, entry } of page) {
      if (link.seq > upTo) return;
      after = link.seq;
      if (entry === null) continue;
      const { seq, entryId, prevHash, entryHash } = link;
      const hex = {
        prevHash: prevHash.toString("hex"),
        entryHash: entryHash.toString("hex"),
        sealHash: linkHash(link).toString("hex"),
      };
      yield { kind: "entry", seq, entryId, ...hex, body: entry.body };
    }
    if (page.length < pageSize) return;
  }
}
