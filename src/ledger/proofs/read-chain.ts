import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Database } from "../../store/database.ts";
import { genesisHash, type Link, linkHash } from "../chain.ts";

const pageSize = 2_000;

/** Which links of a chain are read: those after one that was read before (`null` for all), up to a place (none for the end). */
export interface Stretch {
  readonly database: Database;
  readonly tenant: string;
  readonly after?: Link | null;
  readonly upTo?: number;
}

/**
 * Reads a tenant's links in order, page by page, and sees that each continues the one before it. Throws `ledger_broken` where one does
 * not. What the entries hold is not looked at: that is `verifyLedger`.
 */
export async function* readChain({
  database,
  tenant,
  after = null,
  upTo = Number.MAX_SAFE_INTEGER,
}: Stretch): AsyncGenerator<Link> {
  let last = after;
  for (;;) {
    const page = await readPage({ database, tenant, after: last?.seq ?? 0, upTo });
    for (const link of page) {
      refuseBreak(last, link);
      last = link;
      yield link;
    }
    if (page.length < pageSize) return;
  }
}

async function readPage({ database, tenant, after, upTo }: Required<Omit<Stretch, "after">> & { after: number }) {
  const { rows } = await database.inTenant(tenant, (tx) =>
    sql<{ seq: string; entry_id: string; prev_hash: Buffer; entry_hash: Buffer }>`
      select seq, entry_id, prev_hash, entry_hash from countersign.seal
      where tenant = ${tenant} and seq > ${after} and seq <= ${upTo} order by seq limit ${pageSize}`.execute(tx),
  );
  return rows.map(
    (row): Link => ({
      ...{ tenant, seq: Number(row.seq), entryId: row.entry_id },
      ...{ prevHash: row.prev_hash, entryHash: row.entry_hash },
    }),
  );
}

function refuseBreak(last: Link | null, link: Link): void {
  const seq = (last?.seq ?? 0) + 1;
  const continued = last === null ? genesisHash : linkHash(last);
  if (link.seq === seq && link.prevHash.equals(continued)) return;
  const message = `the chain of \`${link.tenant}\` does not hold at ${seq}; run \`countersign ledger verify\``;
  throw new CountersignError("ledger_broken", message, { facts: { tenant: link.tenant, seq } });
}
