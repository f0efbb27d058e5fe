import { sql } from "kysely";
import type { EntryDraft } from "../contract/entry.ts";
import type { Tx } from "../store/database.ts";

/** The kinds of entries after which a decision waits for nobody. A refusal is none of them. */
const answers = ["approved", "rejected", "withdrawn", "expired"] as const satisfies readonly EntryDraft["kind"][];

/**
 * The decisions of a tenant that wait for a person, oldest first: routed to one, and followed by no answer and no expiry.
 * A refused approval is no answer: whoever forged one must not make the proposal disappear from the list.
 */
export async function listWaiting({ tx, tenant, limit }: { tx: Tx; tenant: string; limit: number }): Promise<readonly string[]> {
  const { rows } = await sql<{ decision_id: string }>`${waiting({ tenant, limit })}`.execute(tx);
  return rows.map((row) => row.decision_id);
}

/** How many decisions of a tenant wait for a person, counted up to `limit`. Opens no payload. */
export async function countWaiting({ tx, tenant, limit }: { tx: Tx; tenant: string; limit: number }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${waiting({ tenant, limit })}) found`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** What a principal asked for, newest first. Ids grow with time (UUID version 7), so the newest have the greatest. */
export async function listAsked({
  tx,
  principal,
  limit,
}: {
  tx: Tx;
  principal: { readonly tenant: string; readonly id: string };
  limit: number;
}): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom("intent")
    .select("decision_id")
    .where("tenant", "=", principal.tenant)
    .where("principal", "=", principal.id)
    .orderBy("decision_id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.decision_id);
}

/** Takes the decisions that these entries answer off the list of what waits; whoever writes an answer calls it in its transaction. */
export async function endWaiting(tx: Tx, drafts: readonly EntryDraft[]): Promise<void> {
  const ended = new Map(drafts.filter(isAnswer).map((draft) => [draft.decisionId, draft]));
  for (const { tenant, decisionId } of ended.values())
    await tx.deleteFrom("waiting").where("tenant", "=", tenant).where("decision_id", "=", decisionId).execute();
}

/** Puts a decision whose approval expired unused back on the list; the acting half calls it where it records the expiry. */
export async function waitAgain(tx: Tx, { tenant, decisionId }: { tenant: string; decisionId: string }): Promise<void> {
  await tx
    .insertInto("waiting")
    .values({ tenant, decision_id: decisionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What policy approves never waited for a person. */
function isAnswer({ kind, writer, decisionId }: EntryDraft): boolean {
  if (decisionId === null || (kind === "approved" && writer === "acting")) return false;
  return answers.some((answer) => answer === kind);
}

// The table is what is walked, the entries are what counts: answered once, a decision waits again only for an effect whose latest
// approval expired unused.
function waiting({ tenant, limit }: { tenant: string; limit: number }) {
  const answer = sql`
    select from countersign.entry answer
    where answer.tenant = waiting.tenant and answer.decision_id = waiting.decision_id and answer.kind not in ('decided', 'stopped')`;
  return sql`
    select decision_id from countersign.waiting
    where tenant = ${tenant} and exists (
      select from countersign.entry decided
      where decided.tenant = waiting.tenant and decided.decision_id = waiting.decision_id and decided.kind in ('decided', 'stopped')
    ) and (
      not exists (${answer} and answer.kind in (${sql.join(answers)}))
      or (not exists (${answer} and answer.kind in ('rejected', 'withdrawn')) and exists (
        select from countersign.approval lapsed
        where lapsed.tenant = waiting.tenant and lapsed.decision_id = waiting.decision_id and lapsed.state = 'expired' and not exists (
          select from countersign.approval later
          where later.tenant = lapsed.tenant and later.decision_id = lapsed.decision_id
            and later.effect_index = lapsed.effect_index and later.created_at > lapsed.created_at
        )
      ))
    )
    order by decision_id limit ${limit}`;
}
