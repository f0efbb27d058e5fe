import { type RawBuilder, sql } from "kysely";
import type { EntryDraft } from "../contract/entry.ts";
import type { Tx } from "../store/database.ts";
import { isAnswer } from "./ends.ts";

// Bodies are looked at as text: one that is no JSON must not end the query, and within a text of canonical JSON a quotation mark is
// escaped, so none can feign a field. Of a lapse the body says whether it was the decision's or one approval's.
/** As `endOf`, in SQL: whether the entry `answer` is one after which nothing of its decision is signed any more. */
export const isEnding: RawBuilder<unknown> = sql`(answer.kind = 'rejected'
  or (answer.kind = 'corrected' and strpos(answer.body, '"supersededBy":"') > 0)
  or (answer.kind = 'expired' and strpos(answer.body, '"approvalId":"') = 0))`;

/** The entries of a decision that came after the one that is called `decided`, each called `answer`. */
export const answersOf: RawBuilder<unknown> = sql`from countersign.entry answer where answer.tenant = decided.tenant
  and answer.decision_id = decided.decision_id and answer.kind not in ('decided', 'stopped')`;

/**
 * Whether the decision whose entry is called `decided` lacks a person's answer, where it waits for one: nothing ended it, and it was not
 * signed by as many as it takes. Signed once, it waits again only while it has more effects than those of which so many signatures stand.
 */
export const isUnanswered: RawBuilder<unknown> = sql`(not exists (select ${answersOf} and ${isEnding})
  and (not exists (select ${answersOf} and answer.kind = 'approved') or decided.effects > (select count(*) from (
    select from countersign.approval
    where approval.tenant = decided.tenant and approval.decision_id = decided.decision_id and exists (
      select from countersign.entry issued
      where issued.tenant = approval.tenant and issued.id = approval.entry_id and issued.kind = 'approved')
    group by approval.effect_index
    having bool_or(approval.state = 'refused') or max(approval.needs) <= count(distinct approval.approver) filter (
      where approval.state in ('granted', 'consumed') and not exists (
        select from countersign.withdrawal
        where withdrawal.tenant = approval.tenant and withdrawal.approval_id = approval.id))
  ) signed)))`;

/** A decision in a list, with its outcome's body: enough to say who may see it, without a payload. */
export interface ListedDecision {
  readonly id: string;
  readonly body: string;
}

/** Some decisions, and the one after which to go on; `null` where there are no more. */
export interface ListedPage {
  readonly rows: readonly ListedDecision[];
  readonly end: string | null;
}

/** Which of what waits is listed. */
export interface WaitingQuestion {
  readonly tenant: string;
  readonly limit: number;
  /** Those after this one. */
  readonly after?: string | null | undefined;
  readonly capability?: string | null | undefined;
  /** Proposals to sign, or what was left to a person without one; both where it is left out. */
  readonly state?: "waiting" | "needs_person" | null | undefined;
}

/**
 * The decisions of a tenant that wait for a person, the oldest first, whose time to wait ends first too: routed to one, not ended, and not
 * signed by as many as it takes. A refused approval is no answer: whoever forged one must not make the proposal disappear from the list.
 */
export async function listWaiting(tx: Tx, question: WaitingQuestion): Promise<ListedPage> {
  const { limit } = question;
  const of = sql`waiting.decision_id as id, decided.body`;
  const { rows } = await sql<ListedDecision>`${waiting({ ...question, limit: limit + 1 }, of)}`.execute(tx);
  if (rows.length <= limit) return { rows, end: null };
  const page = rows.slice(0, limit);
  return { rows: page, end: page.at(-1)?.id ?? null };
}

/**
 * How many of the oldest `limit` decisions that wait for a person are seen by their entries' bodies. Opens no payload, and reads one body
 * of those that are alike: who asked, for whom, where to it was routed and how many effects it has.
 */
export async function countWaiting(
  tx: Tx,
  { tenant, limit }: { tenant: string; limit: number },
  sees: (body: string) => boolean,
): Promise<number> {
  const of = sql`decided.body, decided.route, decided.effects, ${whoseOf("decided")}`;
  const { rows } = await sql<{ body: string; counted: number }>`
    select any_value(body) as body, count(*)::int as counted from (${waiting({ tenant, limit }, of)}) listed
    group by route, effects, asker, behalf`.execute(tx);
  return rows.filter(({ body }) => sees(body)).reduce((sum, { counted }) => sum + counted, 0);
}

/** Who asked and for whom, as the body of the outcome that is called so says; nobody where it is no JSON. */
export function whoseOf(outcome: "decided" | "outcome"): RawBuilder<unknown> {
  const body = sql.ref(`${outcome}.body`);
  return sql`case when ${body} is json object then ${body}::json ->> 'principal' end as asker,
    case when ${body} is json object then ${body}::json ->> 'onBehalfOf' end as behalf`;
}

/** Takes the decisions that these entries answer off the list of what waits; whoever writes an answer calls it in its transaction. */
export async function endWaiting(tx: Tx, drafts: readonly EntryDraft[]): Promise<void> {
  const ended = new Map(drafts.filter(isAnswer).map((draft) => [draft.decisionId, draft]));
  for (const { tenant, decisionId } of ended.values())
    await tx.deleteFrom("waiting").where("tenant", "=", tenant).where("decision_id", "=", decisionId).execute();
}

/** Puts a decision back on the list that was signed and is open again: by an expiry, a withdrawal, or by one of two alone. */
export async function waitAgain(tx: Tx, { tenant, decisionId }: { tenant: string; decisionId: string }): Promise<void> {
  await tx
    .insertInto("waiting")
    .values({ tenant, decision_id: decisionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

// The table is what is walked, the entries are what counts.
function waiting({ tenant, limit, after = null, capability = null, state = null }: WaitingQuestion, of: RawBuilder<unknown>) {
  const kind = state === null ? sql`` : sql`and decided.kind = ${state === "waiting" ? "decided" : "stopped"}`;
  return sql`
    select ${of} from countersign.waiting
    join countersign.entry decided on decided.tenant = waiting.tenant and decided.decision_id = waiting.decision_id
      and decided.kind in ('decided', 'stopped')
    where waiting.tenant = ${tenant} and ${isUnanswered} ${kind}
      ${after === null ? sql`` : sql`and waiting.decision_id > ${after}`}
      ${capability === null ? sql`` : sql`and decided.capability = ${capability}`}
    order by waiting.decision_id limit ${limit}`;
}
