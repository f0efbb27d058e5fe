import { sql } from "kysely";
import type { Tx } from "../store/database.ts";
import { textAt } from "./fields.ts";
import { parseProposal } from "./parse-entry.ts";
import type { PayloadKeys } from "./payload.ts";
import { type EntryRow, readEntry, readOr, type Unreadable } from "./read-entry.ts";
import type { DecisionStory } from "./story.ts";

export type { DecisionStory } from "./story.ts";

/**
 * Reads one decision's story; `null` where no such decision of this tenant has ended. Throws `payload_unreadable`, unless what cannot
 * be read is to be marked: then the entry stands there without what it held.
 */
export async function readDecision({
  tx,
  tenant,
  decisionId,
  keys,
  unreadable = "throw",
}: {
  tx: Tx;
  tenant: string;
  decisionId: string;
  keys: PayloadKeys;
  unreadable?: Unreadable;
}): Promise<DecisionStory | null> {
  const rows = await readRows({ tx, tenant, decisionId });
  const entries = rows.map((row) => readEntry({ row, tenant, keys, unreadable }));
  const read = entries.find(({ kind }) => kind === "decided" || kind === "stopped");
  if (read === undefined) return null;
  const kept = read.bodies["proposal"];
  const proposal = readOr(unreadable, () => parseProposal(kept));
  const outcome = proposal === null && kept !== undefined ? { ...read, isUnreadable: true } : read;
  const approvals = await tx
    .selectFrom("approval")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decisionId)
    .orderBy("created_at")
    .execute();
  const operations = await tx
    .selectFrom("operation")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decisionId)
    .orderBy("effect_index")
    .orderBy("created_at")
    .execute();
  const following = entries.filter((entry) => entry !== read);
  const follows = await decisionOf({ tx, tenant, entryId: outcome.cause });
  const requestedBy = textAt(outcome.body, "principal") ?? "";
  const onBehalfOf = textAt(outcome.body, "onBehalfOf");
  return { tenant, decisionId, requestedBy, onBehalfOf, outcome, proposal, follows, following, approvals, operations };
}

async function readRows({
  tx,
  tenant,
  decisionId,
}: {
  tx: Tx;
  tenant: string;
  decisionId: string;
}): Promise<readonly EntryRow[]> {
  const columns = sql`entry.id, entry.kind, entry.ts, entry.writer, entry.cause, entry.capability, entry.route, entry.effects, entry.body, entry.xid, entry.n`;
  // Two branches, since each kind of entry has an index of its own.
  const { rows } = await sql<EntryRow>`
    select found.*, seal.seq, payload.body as payload, payload.entry_id is not null as has_payload
    from (
      select ${columns} from countersign.entry
      where tenant = ${tenant} and decision_id = ${decisionId} and kind in ('decided', 'stopped')
      union all
      select ${columns} from countersign.entry
      where tenant = ${tenant} and decision_id = ${decisionId} and kind not in ('decided', 'stopped')
    ) found
    left join countersign.seal on seal.tenant = ${tenant} and seal.entry_id = found.id
    left join countersign.payload on payload.tenant = ${tenant} and payload.entry_id = found.id
    order by found.xid, found.n`.execute(tx);
  return rows;
}

async function decisionOf({ tx, tenant, entryId }: { tx: Tx; tenant: string; entryId: string | null }): Promise<string | null> {
  if (entryId === null) return null;
  const row = await tx
    .selectFrom("entry")
    .select("decision_id")
    .where("tenant", "=", tenant)
    .where("id", "=", entryId)
    .executeTakeFirst();
  return row?.decision_id ?? null;
}
