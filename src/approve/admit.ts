import { sql } from "kysely";
import type { EntryDraft } from "../contract/entry.ts";
import { isCountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { writeEntries } from "../ledger/entries.ts";
import { readDecision } from "../ledger/read.ts";
import type { Tx } from "../store/database.ts";
import { judgeAlone } from "./judge-alone.ts";
import type { Measure } from "./licence.ts";
import { type Admitting, grantByPolicy } from "./policy-grant.ts";
import { type Refusal, refusal } from "./refusal.ts";

const reader = "admit";

/**
 * Reads the proposals that the graph would let through alone, in the settled order, decides on each anew, and signs for policy or
 * records the refusal. The cursor moves in the same transaction. Returns how many were read; another worker at it means none.
 */
export async function admitProposals(
  { tx, tenant, now, limit }: { tx: Tx; tenant: string; now: number; limit: number },
  admitting: Admitting,
): Promise<number> {
  const cursor = await lockCursor(tx, tenant);
  if (cursor === undefined) return 0;
  const entries = await readAutos({ tx, tenant, cursor, limit });
  for (const entry of entries) await admit({ tx, tenant, now, decisionId: entry.decision_id, entryId: entry.id, admitting });
  const last = entries.at(-1);
  if (last !== undefined) {
    await tx
      .updateTable("progress")
      .set({ xid: last.xid, n: last.n })
      .where("tenant", "=", tenant)
      .where("reader", "=", reader)
      .execute();
  }
  return entries.length;
}

async function lockCursor(tx: Tx, tenant: string): Promise<{ xid: string; n: string } | undefined> {
  await tx
    .insertInto("progress")
    .values({ tenant, reader, xid: "0", n: "0" })
    .onConflict((conflict) => conflict.columns(["tenant", "reader"]).doNothing())
    .execute();
  return tx
    .selectFrom("progress")
    .select(["xid", "n"])
    .where("tenant", "=", tenant)
    .where("reader", "=", reader)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

type Auto = { id: string; decision_id: string | null; xid: string; n: string };

/** Below the snapshot's oldest running transaction nothing can appear any more, so the cursor never jumps over a late commit. */
async function readAutos({
  tx,
  tenant,
  cursor,
  limit,
}: {
  tx: Tx;
  tenant: string;
  cursor: { xid: string; n: string };
  limit: number;
}): Promise<Auto[]> {
  const { rows } = await sql<Auto>`
    select id, decision_id, xid::text as xid, n::text as n from entry
    where tenant = ${tenant} and kind = 'decided' and route = 'auto' and effects > 0
      and (xid, n) > (${cursor.xid}::xid8, ${cursor.n}::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by xid, n limit ${limit}`.execute(tx);
  return rows;
}

async function admit({
  tx,
  tenant,
  now,
  decisionId,
  entryId,
  admitting,
}: {
  tx: Tx;
  tenant: string;
  now: number;
  decisionId: string | null;
  entryId: string;
  admitting: Admitting;
}): Promise<void> {
  const { measure, ids } = admitting;
  const ruling = decisionId === null ? unreadable : await judge({ tx, tenant, decisionId, measure });
  const frame = { tenant, ts: now, writer: "acting", decisionId, cause: entryId } as const;
  const drafts: EntryDraft[] = [];
  if (ruling.kind === "refused") {
    drafts.push({ ...frame, id: ids.next(), kind: "refused", facts: refusedFacts(ruling), bodies: { reason: ruling.reason } });
  } else {
    for (const task of ruling.tasks) {
      const { entryId: id, facts } = await grantByPolicy({ tx, task, now, admitting });
      drafts.push({ ...frame, id, kind: "approved", facts, bodies: {} });
    }
  }
  await writeEntries({ tx, drafts, keys: measure.payloadKeys });
}

const unreadable = refusal("policy_refuses", "unreadable", "the decision cannot be read");

/** What cannot be read is refused, so that it never holds up what comes after it. */
async function judge({
  tx,
  tenant,
  decisionId,
  measure,
}: {
  tx: Tx;
  tenant: string;
  decisionId: string;
  measure: Measure;
}): ReturnType<typeof judgeAlone> {
  try {
    const story = await readDecision({ tx, tenant, decisionId, keys: measure.payloadKeys });
    return story === null ? unreadable : await judgeAlone({ tx, story, measure });
  } catch (thrown) {
    if (isCountersignError(thrown, "payload_unreadable") || isCountersignError(thrown, "unserialisable")) return unreadable;
    throw thrown;
  }
}

function refusedFacts({ code, rule }: Refusal): JsonObject {
  return { approvalId: null, code, rule, effectIndex: null };
}
