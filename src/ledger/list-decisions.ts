import { sql } from "kysely";
import type { DecisionState } from "../contract/views.ts";
import type { Tx } from "../store/database.ts";
import { firstIdOf } from "../store/ids.ts";
import type { ListedDecision, ListedPage } from "./lists.ts";

/** Which decisions are listed, the newest first. Times are when they were asked for, in milliseconds since the epoch. */
export interface DecisionQuestion {
  readonly tenant: string;
  /** Those that this principal asked for; everybody's where it is `null`. */
  readonly person: string | null;
  readonly capability: string | null;
  readonly state: DecisionState | null;
  readonly from: number | null;
  readonly before: number | null;
  /** Those before this one in the order of asking. */
  readonly after: string | null;
  readonly limit: number;
}

/** How many decisions are looked through for one state at a time: what is rare is found over several pages, each as quick as any other. */
const mostLookedThrough = 4_000;

/**
 * Decisions with an outcome, newest first: ids grow with time (UUID version 7), so the newest have the greatest. A state is derived from
 * a whole story; listed for one are the decisions that can have it by their outcome and by what stands in tables.
 */
export async function listDecisions(tx: Tx, question: DecisionQuestion): Promise<ListedPage> {
  const { state, limit } = question;
  const floor = state === null ? null : await lastLookedThrough(tx, question);
  const { rows } = await sql<ListedDecision>`
    select decided.decision_id as id, decided.body from ${asked(question)}
      ${floor === null ? sql`` : sql`and decided.decision_id >= ${floor}`} ${state === null ? sql`` : mayBe(state)}
    order by ${order(question)} desc limit ${limit + 1}`.execute(tx);
  if (rows.length <= limit) return { rows, end: floor };
  const page = rows.slice(0, limit);
  return { rows: page, end: page.at(-1)?.id ?? null };
}

/** The last decision of as many as one look goes through; `null` where there are fewer. */
async function lastLookedThrough(tx: Tx, question: DecisionQuestion): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select decided.decision_id as id from ${asked(question)}
    order by ${order(question)} desc offset ${mostLookedThrough - 1} limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Each of the two walks one index from its end: what one person asked for, or the outcomes of a tenant. */
function asked({ tenant, person, capability, from, before, after }: DecisionQuestion) {
  const at = person === null ? sql`decided.decision_id` : sql`intent.decision_id`;
  const outcome = sql`decided.tenant = ${tenant} and decided.kind in ('decided', 'stopped')`;
  const source =
    person === null
      ? sql`countersign.entry decided where ${outcome}`
      : sql`countersign.intent join countersign.entry decided on ${outcome} and decided.decision_id = intent.decision_id
          where intent.tenant = ${tenant} and intent.principal = ${person}`;
  return sql`${source}
    ${capability === null ? sql`` : sql`and decided.capability = ${capability}`}
    ${from === null ? sql`` : sql`and ${at} >= ${firstIdOf(from)}`}
    ${before === null ? sql`` : sql`and ${at} < ${firstIdOf(before)}`}
    ${after === null ? sql`` : sql`and ${at} < ${after}`}`;
}

function order({ person }: DecisionQuestion) {
  return person === null ? sql`decided.decision_id` : sql`intent.decision_id`;
}

/** Leaves out what cannot have this state, by what is cheap to look up. */
function mayBe(state: DecisionState) {
  switch (state) {
    case "waiting":
    case "needs_person":
      return sql`and exists (select from countersign.waiting
        where waiting.tenant = decided.tenant and waiting.decision_id = decided.decision_id)`;
    case "rejected_by_checks":
      return sql`and decided.kind = 'decided' and decided.route = 'reject'`;
    case "stopped":
      return sql`and decided.kind = 'stopped'`;
    case "rejected_by_person":
      return followedBy("rejected");
    case "superseded":
      return followedBy("corrected");
    case "expired":
    case "void":
      return followedBy("expired");
    case "answered":
    case "not_in_sources":
      return sql`and decided.effects = 0`;
    case "waiting_for_policy":
      return sql`and decided.route = 'auto' and decided.effects > 0`;
    case "refused":
    case "signed":
      return sql`and decided.effects > 0`;
    default:
      return sql`and exists (select from countersign.operation
        where operation.tenant = decided.tenant and operation.decision_id = decided.decision_id)`;
  }
}

function followedBy(kind: "rejected" | "corrected" | "expired") {
  return sql`and exists (select from countersign.entry followed where followed.tenant = decided.tenant
    and followed.decision_id = decided.decision_id and followed.kind not in ('decided', 'stopped') and followed.kind = ${kind})`;
}
