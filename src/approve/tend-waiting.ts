import { sql } from "kysely";
import type { EntryDraft } from "../contract/entry.ts";
import { limits } from "../contract/limits.ts";
import type { Ids } from "../contract/ports.ts";
import type { Project } from "../define/project.ts";
import { isUnsigned, standingsAlone } from "../ledger/effect-standing.ts";
import { endOf } from "../ledger/ends.ts";
import { writeEntries } from "../ledger/entries.ts";
import { askers, reviewers, writeNotices } from "../ledger/notices.ts";
import { type DecisionStory, readDecision } from "../ledger/read.ts";
import type { Tx } from "../store/database.ts";
import type { Measure } from "./licence.ts";

/** What tending needs. */
export interface Tending {
  readonly measure: Measure;
  readonly ids: Ids;
}

/** What tending did, counted. */
export interface Tended {
  /** Decisions that reviewers are to be told of. */
  readonly told: number;
  /** Decisions that wait no more: their time ran out, or their capability has another version. */
  readonly lapsed: number;
}

/** How many of each a transaction takes; the rest come with the next. */
const batch = 64;

/** The tenants in which something waits that nobody was told of, or that waits no more. */
export async function tenantsToTend(tx: Tx, { now, project }: { now: number; project: Project }): Promise<readonly string[]> {
  const { rows } = await sql<{ tenant: string }>`
    select distinct waiting.tenant from ${waiting}
    where ${isUntold} or ${isOver({ now, project })}`.execute(tx);
  return rows.map(({ tenant }) => tenant);
}

/**
 * Looks after what waits for people in one tenant: tells reviewers of what is new, and ends with an `expired` entry, of which who asked
 * and the capability's owner are told, what nobody may sign any more. Somebody who answers at the same instant is first or too late.
 */
export async function tendWaiting(
  { tx, tenant, now }: { tx: Tx; tenant: string; now: number },
  tending: Tending,
): Promise<Tended> {
  const over = await findOver({ tx, tenant, now, project: tending.measure.project });
  let lapsed = 0;
  for (const one of over) if (await lapse({ tx, tenant, now, one, tending })) lapsed += 1;
  return { told: await tellReviewers({ tx, tenant }), lapsed };
}

// One outcome a decision, found by its index.
const waiting = sql`countersign.waiting join countersign.entry on entry.tenant = waiting.tenant
  and entry.decision_id = waiting.decision_id and entry.kind in ('decided', 'stopped')`;

const isUntold = sql`not exists (select from countersign.notice
  where notice.tenant = entry.tenant and notice.entry_id = entry.id and notice.kind = 'waiting_review')`;

// The body is looked at as text: one that is no JSON must not end the query. In canonical JSON the field stands exactly so, since
// a version has nothing that is escaped, and within another text its quotation marks would be.
function isOver({ now, project: { capabilities } }: { now: number; project: Project }) {
  const names = capabilities.map(({ name }) => name);
  const keepers = capabilities.filter(({ keepsWaiting }) => keepsWaiting).map(({ name }) => name);
  const versions = capabilities.map(({ version }) => version);
  return sql`(entry.ts <= ${now - limits.waitingMs} or (entry.capability = any (${names}) and entry.capability <> all (${keepers})
    and not exists (select from unnest(${names}::text[], ${versions}::text[]) as current (name, version)
      where current.name = entry.capability and strpos(entry.body, '"capabilityVersion":"' || current.version || '"') > 0)))`;
}

async function tellReviewers({ tx, tenant }: { tx: Tx; tenant: string }): Promise<number> {
  const { rows } = await sql<{ decision_id: string; id: string }>`
    select entry.decision_id, entry.id from ${waiting}
    where waiting.tenant = ${tenant} and ${isUntold} order by waiting.decision_id limit ${batch}`.execute(tx);
  const notices = rows.map(({ decision_id: decisionId, id: entryId }) => {
    return { tenant, kind: "waiting_review", decisionId, entryId, to: reviewers } as const;
  });
  await writeNotices({ tx, notices });
  return rows.length;
}

interface Over {
  readonly decision_id: string;
  readonly isLate: boolean;
}

async function findOver({
  tx,
  tenant,
  now,
  project,
}: {
  tx: Tx;
  tenant: string;
  now: number;
  project: Project;
}): Promise<readonly Over[]> {
  const { rows } = await sql<Over>`
    select waiting.decision_id, entry.ts <= ${now - limits.waitingMs} as "isLate" from ${waiting}
    where waiting.tenant = ${tenant} and ${isOver({ now, project })} order by waiting.decision_id limit ${batch}`.execute(tx);
  return rows;
}

async function lapse({
  tx,
  tenant,
  now,
  one: { decision_id: decisionId, isLate },
  tending: { measure, ids },
}: {
  tx: Tx;
  tenant: string;
  now: number;
  one: Over;
  tending: Tending;
}): Promise<boolean> {
  // Whoever answers takes this row first, and puts it back where it waits on.
  const taken = await tx
    .deleteFrom("waiting")
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decisionId)
    .returning("decision_id")
    .execute();
  if (taken.length === 0) return false;
  const story = await readDecision({ tx, tenant, decisionId, keys: measure.payloadKeys, unreadable: "mark" });
  if (story === null || !isOpen(story)) return false;
  const facts = { approvalId: null, effectIndex: null, rule: isLate ? "waiting_time" : "capability_version" };
  const frame = { id: ids.next(), tenant, ts: now, writer: "acting", decisionId, cause: story.outcome.id } as const;
  const draft: EntryDraft = { ...frame, kind: "expired", facts, bodies: {} };
  await writeEntries({ tx, drafts: [draft], keys: measure.payloadKeys });
  const owner = measure.project.capabilities.find(({ name }) => name === story.outcome.body["capability"])?.owner;
  const to = [...askers(story), ...(owner === undefined ? [] : [{ kind: "owner", name: owner } as const])];
  const notices = to.map((addressee) => ({ tenant, kind: "expired", decisionId, entryId: draft.id, to: addressee }) as const);
  await writeNotices({ tx, notices });
  return true;
}

/** Nothing ended it, and something of it waits for a signature or for somebody to close it. */
function isOpen(story: DecisionStory): boolean {
  if (endOf(story) !== undefined) return false;
  return !story.following.some(({ kind }) => kind === "approved") || standingsAlone(story).some(isUnsigned);
}
