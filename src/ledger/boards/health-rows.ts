import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../store/database.ts";

/** Of which tenant, and from when on. */
export interface HealthOf {
  readonly tenant: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
}

/** One person's answers to one capability: how many of each, and the quartiles of their times in milliseconds. */
export interface OwnRow {
  readonly capability: string;
  readonly answered: number;
  readonly approved: number;
  readonly rejected: number;
  readonly edited: number;
  readonly viewed: number;
  readonly viewedAt: readonly number[] | null;
  readonly waitedAt: readonly number[] | null;
  readonly secondOf: number;
  readonly secondAgreed: number;
}

const quartiles = (column: RawBuilder<unknown>) =>
  sql`percentile_cont(array[0, 0.25, 0.5, 0.75, 1]) within group (order by ${column})`;

/** What somebody else answered later to a decision that was signed. */
const second = sql`left join lateral (
    select other.answer from countersign.review_answer other
    where mine.answer = 'approved' and other.tenant = mine.tenant and other.decision_id = mine.decision_id
      and other.principal <> mine.principal and other.at > mine.at
    order by other.at limit 1) other on true`;
const since = (from: number) => sql`mine.at >= to_timestamp(${from}::float8 / 1000)`;

/** A person's own answers, by capability. */
export async function readOwn(
  tx: Tx,
  { tenant, from, principal }: HealthOf & { readonly principal: string },
): Promise<readonly OwnRow[]> {
  const { rows } = await sql<OwnRow>`
    select mine.capability, count(*)::int as answered, count(*) filter (where mine.answer = 'approved')::int as approved,
      count(*) filter (where mine.answer = 'rejected')::int as rejected, count(*) filter (where mine.answer = 'edited')::int as edited,
      count(mine.viewed_ms)::int as viewed, ${quartiles(sql`mine.viewed_ms`)} as "viewedAt", ${quartiles(sql`mine.waited_ms`)} as "waitedAt",
      count(other.answer)::int as "secondOf", count(*) filter (where other.answer = 'approved')::int as "secondAgreed"
    from countersign.review_answer mine ${second}
    where mine.tenant = ${tenant} and mine.principal = ${principal} and ${since(from)}
    group by mine.capability order by mine.capability collate "C"`.execute(tx);
  return rows;
}

/** How the others who answered a capability go, all together. */
export interface OthersRow {
  readonly capability: string;
  readonly reviewers: number;
  readonly answered: number;
  readonly approved: number;
}

/** Reads it of some capabilities. */
export async function readOthers(
  tx: Tx,
  { tenant, from, principal, capabilities }: HealthOf & { readonly principal: string; readonly capabilities: readonly string[] },
): Promise<readonly OthersRow[]> {
  const { rows } = await sql<OthersRow>`
    select capability, count(distinct principal)::int as reviewers, count(*)::int as answered,
      count(*) filter (where answer = 'approved')::int as approved
    from countersign.review_answer mine
    where tenant = ${tenant} and principal <> ${principal} and capability = any (${capabilities}::text[]) and ${since(from)}
    group by capability`.execute(tx);
  return rows;
}

/** What a lead sees of a capability. */
export interface CapabilityRow {
  readonly capability: string;
  readonly reviewers: number;
  readonly answered: number;
  readonly leastADay: number;
  readonly mostADay: number;
  readonly secondOf: number;
  readonly secondAgreed: number;
}

/** Reads it of all capabilities that somebody answered. */
export async function readCapabilities(tx: Tx, { tenant, from }: HealthOf): Promise<readonly CapabilityRow[]> {
  const { rows } = await sql<CapabilityRow>`
    select capability, count(distinct principal)::int as reviewers, sum(answered)::int as answered, min(answered)::int as "leastADay",
      max(answered)::int as "mostADay", sum(second_of)::int as "secondOf", sum(second_agreed)::int as "secondAgreed"
    from (
      select mine.capability, mine.principal, count(*) as answered, count(other.answer) as second_of,
        count(*) filter (where other.answer = 'approved') as second_agreed
      from countersign.review_answer mine ${second}
      where mine.tenant = ${tenant} and ${since(from)}
      group by mine.capability, mine.principal, (mine.at at time zone 'utc')::date
    ) day group by capability order by capability collate "C"`.execute(tx);
  return rows;
}

/** How many answers each person gave today, UTC, by name. */
export async function readLoadToday(
  tx: Tx,
  tenant: string,
): Promise<readonly { readonly id: string; readonly name: string; readonly answered: number }[]> {
  const { rows } = await sql<{ id: string; name: string; answered: number }>`
    select one.principal as id, coalesce(account.name, one.principal) as name, one.answered from (
      select principal, count(*)::int as answered from countersign.review_answer
      where tenant = ${tenant} and at >= date_trunc('day', clock_timestamp(), 'UTC') group by principal
    ) one left join countersign.account on account.tenant = ${tenant} and account.id = one.principal
    order by name, id`.execute(tx);
  return rows;
}
