import { sql } from "kysely";
import type { EntryView } from "../contract/views.ts";
import type { EntryKind, WriterRole } from "../contract/words.ts";
import type { Tx } from "../store/database.ts";
import { textAt } from "./fields.ts";
import { parseBody, parseJson, parseProposal } from "./parseEntry.ts";
import type { PayloadKeys } from "./payload.ts";
import type { DecisionStory, ReadEntry } from "./story.ts";

export type { DecisionStory } from "./story.ts";
export { viewDecision } from "./view.ts";

/** Reads one decision's story; `null` where no such decision of this tenant has ended. Throws `payload_unreadable`. */
export async function readDecision({
  tx,
  tenant,
  decisionId,
  keys,
}: {
  tx: Tx;
  tenant: string;
  decisionId: string;
  keys: PayloadKeys;
}): Promise<DecisionStory | null> {
  const rows = await readRows({ tx, tenant, decisionId });
  const entries = rows.map((row) => readEntry({ row, tenant, keys }));
  const outcome = entries.find(({ kind }) => kind === "decided" || kind === "stopped");
  if (outcome === undefined) return null;
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
  const following = entries.filter((entry) => entry !== outcome);
  const follows = await decisionOf({ tx, tenant, entryId: outcome.cause });
  const requestedBy = textAt(outcome.body, "principal") ?? "";
  const onBehalfOf = textAt(outcome.body, "onBehalfOf");
  const proposal = parseProposal(outcome.bodies["proposal"]);
  return { tenant, decisionId, requestedBy, onBehalfOf, outcome, proposal, follows, following, approvals, operations };
}

/** The entries of a decision as views, its outcome first, with the decrypted bodies beside the facts. */
export function storyOf({ outcome, following }: DecisionStory): readonly EntryView[] {
  return [outcome, ...following].map(({ bodies, isErased, body, ...entry }) => {
    const opened = Object.keys(bodies).length === 0 ? {} : { bodies };
    return { ...entry, body: { ...body, ...opened, ...(isErased ? { erased: true } : {}) } };
  });
}

/**
 * The decisions of a tenant that wait for a person, oldest first: routed to one, and followed by no answer and no expiry.
 * A refused approval is no answer: whoever forged one must not make the proposal disappear from the list.
 */
export async function listWaiting({ tx, tenant, limit }: { tx: Tx; tenant: string; limit: number }): Promise<readonly string[]> {
  const { rows } = await sql<{ decision_id: string }>`
    select decision_id from countersign.entry
    where tenant = ${tenant} and kind in ('decided', 'stopped') and kind = 'decided' and route in ('hitl_recommended', 'hitl_required')
      and not exists (
        select from countersign.entry answer
        where answer.tenant = entry.tenant and answer.decision_id = entry.decision_id and answer.kind not in ('decided', 'stopped')
          and answer.kind in ('approved', 'rejected', 'withdrawn', 'expired')
      )
    order by n limit ${limit}`.execute(tx);
  return rows.map((row) => row.decision_id);
}

interface Row {
  readonly id: string;
  readonly kind: EntryKind;
  readonly ts: string;
  readonly writer: WriterRole;
  readonly cause: string | null;
  readonly body: string;
  readonly seq: string | null;
  readonly payload: Buffer | null;
  readonly has_payload: boolean;
}

async function readRows({ tx, tenant, decisionId }: { tx: Tx; tenant: string; decisionId: string }): Promise<readonly Row[]> {
  const columns = sql`entry.id, entry.kind, entry.ts, entry.writer, entry.cause, entry.body, entry.xid, entry.n`;
  // Two branches, since each kind of entry has an index of its own.
  const { rows } = await sql<Row>`
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

function readEntry({ row, tenant, keys }: { row: Row; tenant: string; keys: PayloadKeys }): ReadEntry {
  const { id, kind, ts, writer, cause, seq, payload } = row;
  const salted = payload === null ? [] : keys.decrypt({ tenant, entryId: id, body: payload });
  return {
    id,
    kind,
    ts: Number(ts),
    writer,
    cause,
    seq: seq === null ? null : Number(seq),
    body: parseBody(row.body),
    bodies: Object.fromEntries(salted.map(({ name, text }) => [name, parseJson(text)])),
    isErased: row.has_payload && payload === null,
  };
}
