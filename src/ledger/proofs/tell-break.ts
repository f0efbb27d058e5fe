import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Database, Tx } from "../../store/database.ts";
import { hashId } from "../../store/ids.ts";
import { wholeTenant } from "../halts.ts";
import { writeNotices } from "../notices.ts";
import type { Break } from "../verify.ts";

/** Under which the check stops a tenant; only it may, by the row policy of its role, and lifting is for an owner. */
const ledgerCheck = "ledger-check";

/**
 * Stops a tenant whose ledger does not verify, until an owner lifts it, and tells its owners. The same break stops it once: after a person
 * has looked and lifted it, finding it again changes nothing. Throws `ledger_broken`, so that the log says it each time.
 */
export async function tellBreak(database: Database, { tenant, broken }: { tenant: string; broken: Break }): Promise<never> {
  const { fault, seq, entryId, detail } = broken;
  const reason = `the ledger does not verify: ${fault}${seq === null ? "" : ` at ${seq}`}; see \`countersign ledger verify\``;
  await database.inTenant(tenant, async (tx) => {
    await sql`
      insert into countersign.halt (tenant, id, scope, name, is_stopped, by_principal, reason)
      values (${tenant}, ${idOf(tenant, broken)}, 'tenant', ${wholeTenant}, true, ${ledgerCheck}, ${reason})
      on conflict do nothing`.execute(tx);
    const about = await decisionBefore(tx, { tenant, broken });
    // Where no decision is left that it could be told of, the stop itself is what people see.
    if (about !== null)
      await writeNotices({ tx, notices: [{ tenant, kind: "escalated", ...about, to: { kind: "role", name: "owner" } }] });
  });
  throw new CountersignError("ledger_broken", `the ledger of \`${tenant}\` does not verify: ${detail}`, {
    facts: { tenant, fault, seq, entryId },
  });
}

/** The decision of the bad entry, or of the last one before it that has one. */
async function decisionBefore(
  tx: Tx,
  { tenant, broken }: { tenant: string; broken: Break },
): Promise<{ decisionId: string; entryId: string } | null> {
  const { rows } = await sql<{ id: string; decision_id: string }>`
    (select id, decision_id, 0 as far from countersign.entry
      where tenant = ${tenant} and id = ${broken.entryId}::uuid and decision_id is not null)
    union all
    (select entry.id, entry.decision_id, 1 as far from countersign.seal
      join countersign.entry on entry.tenant = seal.tenant and entry.id = seal.entry_id
      where seal.tenant = ${tenant} and seal.seq <= ${broken.seq ?? Number.MAX_SAFE_INTEGER} and decision_id is not null
      order by seal.seq desc limit 1)
    order by far limit 1`.execute(tx);
  const row = rows[0];
  return row === undefined ? null : { decisionId: row.decision_id, entryId: row.id };
}

/** Says which break it is. */
function idOf(tenant: string, { fault, seq, entryId }: Break): string {
  return hashId(`ledger-check\n${tenant}\n${fault}\n${seq ?? ""}\n${entryId ?? ""}`);
}
