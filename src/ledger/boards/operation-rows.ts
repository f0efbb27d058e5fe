import { type RawBuilder, sql } from "kysely";
import type { OperationState } from "../../contract/words.ts";
import type { Tx } from "../../store/database.ts";
import { firstIdOf } from "../../store/ids.ts";
import type { OperationRow } from "../../store/tables.ts";

const moving = ["applying", "applied", "incomplete", "unknown", "retrying", "compensating"] as const;
/** Operations that have not ended: carried out by the acting half, or left to people. */
export const openStates: readonly OperationState[] = [...moving, "failed", "escalated"];

/** Those of them that are looked at again by themselves. */
export const movingStates: ReadonlySet<OperationState> = new Set(moving);

const tableParts: readonly (readonly OperationState[])[] = [
  moving,
  ["failed", "escalated", "refused", "compensated"],
  ["complete"],
];

/** Which operations are listed, newest first. */
export interface OperationQuestion {
  readonly tenant: string;
  readonly states: readonly OperationState[];
  readonly effect: string | null;
  readonly capability: string | null;
  /** Those before this one. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * The rows of a page, newest first: ids grow with time (UUID version 7). What is asked for more narrowly is read from each of the table's
 * parts by itself, since each has an index of its own: those that move, those that went otherwise, and those that were seen complete.
 */
export async function readOperationRows(tx: Tx, question: OperationQuestion): Promise<readonly OperationRow[]> {
  const { states, effect, capability, limit } = question;
  const isNarrow = states.length > 0 || effect !== null || capability !== null;
  const parts = isNarrow ? tableParts.map((part) => part.filter((state) => states.length === 0 || states.includes(state))) : [[]];
  const asked = parts.filter((part) => !isNarrow || part.length > 0).map((part) => rowsOf(question, part));
  const { rows } = await sql<OperationRow>`
    select * from (${sql.join(asked, sql` union all `)}) found order by id desc limit ${limit}`.execute(tx);
  return rows;
}

function rowsOf({ tenant, effect, capability, after, limit }: OperationQuestion, states: readonly OperationState[]) {
  return sql`(
    select operation.* from countersign.operation
    where operation.tenant = ${tenant}
      ${states.length === 0 ? sql`` : sql`and operation.state in (${listOf(states)})`}
      ${effect === null ? sql`` : sql`and operation.effect = ${effect}`}
      ${capability === null ? sql`` : ofCapability(capability)}
      ${after === null ? sql`` : sql`and operation.id < ${after}`}
    order by operation.id desc limit ${limit})`;
}

/** One operation's row; `null` where there is none. */
export async function readOperationRow(tx: Tx, { tenant, id }: { tenant: string; id: string }): Promise<OperationRow | null> {
  const { rows } = await sql<OperationRow>`
    select * from countersign.operation where tenant = ${tenant} and id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** Operations of one state that are alike in what matters for who may see them. */
export interface OperationGroup {
  readonly state: OperationState;
  readonly counted: number;
  /** The outcome's body of one of them. */
  readonly body: string;
  /** When the oldest was begun. */
  readonly oldest: Date;
}

/** Most operations of one kind, open or begun of late, that are counted. */
export const mostCountedOperations = 5_000;

/** The open operations of a tenant in groups, at most `mostCountedOperations` and one more of them. */
export function groupOpen(tx: Tx, tenant: string): Promise<readonly OperationGroup[]> {
  const part = (states: readonly OperationState[]) => sql`(
    select tenant, decision_id, state, created_at from countersign.operation where tenant = ${tenant} and state in (${listOf(states)})
    limit ${mostCountedOperations + 1})`;
  return grouped(tx, sql`${part(moving)} union all ${part(["failed", "escalated"])} limit ${mostCountedOperations + 1}`);
}

/** What was begun from a time on, ended or not, in groups: of the newest at most `mostCountedOperations` and one more. */
export function groupNewest(tx: Tx, { tenant, from }: { tenant: string; from: number }): Promise<readonly OperationGroup[]> {
  return grouped(
    tx,
    sql`select tenant, decision_id, state, created_at from countersign.operation
    where tenant = ${tenant} and id >= ${firstIdOf(from)} order by id desc limit ${mostCountedOperations + 1}`,
  );
}

/** As in counting reviews: of those that are alike one body is read. Each decision is looked up by its index, whatever the planner thinks of the table. */
async function grouped(tx: Tx, operations: RawBuilder<unknown>): Promise<readonly OperationGroup[]> {
  const outcomeOf = (decisionId: RawBuilder<unknown>, columns: RawBuilder<unknown>) => sql`(
    select ${columns} from countersign.entry
    where entry.tenant = one.tenant and entry.decision_id = ${decisionId} and entry.kind in ('decided', 'stopped') limit 1)`;
  const columns = sql`route, effects, substring(body from '"onBehalfOf":(?:null|"[^"]*")') as behalf`;
  const { rows } = await sql<OperationGroup>`
    select one.state, one.counted, one.oldest, decided.body from (
      select one.tenant, one.state, count(*)::int as counted, min(one.created_at) as oldest, any_value(one.decision_id) as decision_id
      from (${operations}) one
      join lateral ${outcomeOf(sql`one.decision_id`, columns)} decided on true
      left join lateral (
        select principal from countersign.intent where intent.tenant = one.tenant and intent.decision_id = one.decision_id limit 1) intent on true
      group by one.tenant, one.state, decided.route, decided.effects, intent.principal, decided.behalf
    ) one join lateral ${outcomeOf(sql`one.decision_id`, sql`body`)} decided on true`.execute(tx);
  return rows;
}

/** As literals, so that the planner sees which index holds them; the words are of a closed list. */
function listOf(states: readonly OperationState[]): RawBuilder<unknown> {
  return sql.join(states.map((state) => sql.lit(state)));
}

function ofCapability(capability: string): RawBuilder<unknown> {
  return sql`and exists (select from countersign.entry decided where decided.tenant = operation.tenant
    and decided.decision_id = operation.decision_id and decided.kind in ('decided', 'stopped') and decided.capability = ${capability})`;
}
