import { sql } from "kysely";
import type { EntryDraft } from "../contract/entry.ts";
import type { JsonObject } from "../contract/json.ts";
import { writeEntries } from "../ledger/entries.ts";
import { askedOf, writeNotices } from "../ledger/notices.ts";
import { refusePlaceAhead } from "../ledger/settled-place.ts";
import { attempt } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import { type Accounts, openAccounts } from "./accounts.ts";
import { judgeAlone } from "./judge-alone.ts";
import type { Measure } from "./licence.ts";
import { type Admitting, grantByPolicy } from "./policy-grant.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { openStories, type Stories } from "./stories.ts";
import { unverifiable } from "./unverifiable.ts";

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
  await refusePlaceAhead({ tx, tenant, xid: cursor.xid });
  const entries = await readAutos({ tx, tenant, cursor, limit });
  if (entries.length === 0) return 0;
  const stories = openStories({ tx, tenant, keys: admitting.measure.payloadKeys });
  await stories.load(entries.flatMap(({ decision_id: decisionId }) => decisionId ?? []));
  const accounts = openAccounts({ tx, tenant, rolesFrom: admitting.measure.rolesFrom });
  await accounts.load(stories.people());
  for (const entry of entries)
    await admit({ tx, tenant, now, decisionId: entry.decision_id, entryId: entry.id, admitting, stories, accounts });
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

/**
 * In the order of the columns: `order by xid` alone would mean the text beside it, where 1000 comes before 999.
 * Below the snapshot's oldest running transaction nothing can appear any more, so the cursor never jumps over a late commit.
 */
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
    select id, decision_id, entry.xid::text as xid, entry.n::text as n from entry
    where tenant = ${tenant} and kind = 'decided' and route = 'auto' and effects > 0
      and (xid, n) > (${cursor.xid}::xid8, ${cursor.n}::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by entry.xid, entry.n limit ${limit}`.execute(tx);
  return rows;
}

type One = {
  tx: Tx;
  tenant: string;
  now: number;
  decisionId: string | null;
  entryId: string;
  admitting: Admitting;
  stories: Stories;
  accounts: Accounts;
};

/** What fails while it is looked at is refused, so that it never holds up what comes after it; a fault of the database is thrown. */
async function admit(one: One): Promise<void> {
  const attempted = await attempt(one.tx, () => judgeAndRecord(one));
  if (attempted.kind === "done") return;
  const { rule, reason } = unverifiable(attempted.thrown);
  await recordRefused(one, refusal("policy_refuses", rule, reason));
}

async function judgeAndRecord(one: One): Promise<void> {
  const { tx, tenant, now, decisionId, entryId, admitting, stories, accounts } = one;
  const { measure } = admitting;
  const story = decisionId === null ? null : await stories.of(decisionId);
  if (story === null) return recordRefused(one, refusal("policy_refuses", "unreadable", "the decision cannot be read"));
  const ruling = await judgeAlone({ tx, story, measure, accounts });
  if (ruling.kind === "refused") return recordRefused(one, ruling);
  const frame = { tenant, ts: now, writer: "acting", decisionId, cause: entryId } as const;
  const drafts: EntryDraft[] = [];
  for (const task of ruling.tasks) {
    const { entryId: id, facts } = await grantByPolicy({ tx, task, now, admitting });
    drafts.push({ ...frame, id, kind: "approved", facts, bodies: {} });
  }
  await writeEntries({ tx, drafts, keys: measure.payloadKeys });
}

async function recordRefused({ tx, tenant, now, decisionId, entryId, admitting }: One, reason: Refusal): Promise<void> {
  const { measure, ids } = admitting;
  const frame = { id: ids.next(), tenant, ts: now, writer: "acting", decisionId, cause: entryId } as const;
  const draft: EntryDraft = {
    ...frame,
    kind: "refused",
    facts: refusedFacts(reason, measure),
    bodies: { reason: reason.reason },
  };
  await writeEntries({ tx, drafts: [draft], keys: measure.payloadKeys });
  if (decisionId === null) return;
  const asked = await askedOf(tx, { tenant, decisionId });
  const notices = (asked?.askers ?? []).map((to) => ({ tenant, kind: "outcome", decisionId, entryId: frame.id, to }) as const);
  await writeNotices({ tx, notices });
}

function refusedFacts({ code, rule, policies }: Refusal, { policy }: Measure): JsonObject {
  return {
    approvalId: null,
    code,
    rule,
    effectIndex: null,
    ...(policies === undefined ? {} : { policy: policy.version, policies }),
  };
}
