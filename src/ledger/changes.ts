import { sql } from "kysely";
import type { EntryKind } from "../contract/words.ts";
import type { Tx } from "../store/database.ts";
import { whoseOf } from "./lists.ts";

/** What changed between two places in the order of commits. */
export interface Changes {
  /** Everything that was committed before this transaction number was looked at; the place to go on from. */
  readonly position: string;
  /** Too much lies between to tell it apart: anything may have changed. */
  readonly isAnything: boolean;
  /** Decisions that are alike for who may see them, by the body of one of their outcomes, with the kinds of entries that were new. */
  readonly decisions: readonly { readonly body: string; readonly kinds: readonly EntryKind[]; readonly isTaken: boolean }[];
  readonly cases: readonly ChangedCase[];
  readonly isStopChanged: boolean;
  /** Says another word whenever the chain grew or was checked further. */
  readonly ledger: string;
}

/** Cases that are alike for who may see them. */
export interface ChangedCase {
  readonly case_name: string;
  readonly version: string;
  readonly started_by: string;
  readonly on_behalf_of: string | null;
}

/** How many transactions of the whole server one look goes through; more than so many lie between two looks only after a long silence. */
const mostTransactions = 20_000;

/**
 * Reads what of one tenant was committed from a place on, in a snapshot. Only what is settled counts: nothing can appear before it later.
 * Without a place, or with one of another server, it says where to begin.
 */
export async function readChanges(tx: Tx, { tenant, since }: { tenant: string; since: string | null }): Promise<Changes> {
  const { position, isNear, ledger } = await placeNow(tx, { tenant, since });
  const nothing = { decisions: [], cases: [], isStopChanged: false };
  if (since === null) return { position, isAnything: false, ...nothing, ledger };
  if (!isNear) return { position, isAnything: true, ...nothing, ledger };
  const between = { tenant, since, position };
  return {
    ...{ position, isAnything: false, ledger },
    decisions: await changedDecisions(tx, between),
    cases: await changedCases(tx, between),
    isStopChanged: await isStopChanged(tx, between),
  };
}

interface Between {
  readonly tenant: string;
  readonly since: string;
  readonly position: string;
}

async function placeNow(tx: Tx, { tenant, since }: { tenant: string; since: string | null }) {
  const { rows } = await sql<{ position: string; isNear: boolean; ledger: string }>`
    select pg_snapshot_xmin(snapshot)::text as position,
      coalesce(${since}::text::numeric between pg_snapshot_xmin(snapshot)::text::numeric - ${mostTransactions}::integer
        and pg_snapshot_xmin(snapshot)::text::numeric, false) as "isNear",
      concat_ws(' ', (select seq from countersign.seal where tenant = ${tenant} order by seq desc limit 1),
        (select concat_ws(' ', verified_to, broken_at, checkpoint_at) from countersign.ledger_check where tenant = ${tenant})) as ledger
    from pg_current_snapshot() snapshot`.execute(tx);
  return rows[0] ?? { position: "0", isNear: false, ledger: "" };
}

async function changedDecisions(tx: Tx, { tenant, since, position }: Between): Promise<Changes["decisions"]> {
  const { rows } = await sql<Changes["decisions"][number]>`
    with moved as (
      select decision_id, kind from countersign.entry
        where tenant = ${tenant} and xid >= ${since}::xid8 and xid < ${position}::xid8 and decision_id is not null
      union all
      select decision_id, null from countersign.claim
        where tenant = ${tenant} and moved >= ${since}::xid8 and moved < ${position}::xid8
    )
    select any_value(body) as body, coalesce(array_agg(distinct kind) filter (where kind is not null), '{}') as kinds,
      bool_or(kind is null) as "isTaken"
    from (
      select moved.kind, outcome.body, outcome.route, outcome.effects, ${whoseOf("outcome")}
      from moved join countersign.entry outcome on outcome.tenant = ${tenant} and outcome.decision_id = moved.decision_id
        and outcome.kind in ('decided', 'stopped')
    ) alike group by route, effects, asker, behalf`.execute(tx);
  return rows;
}

async function changedCases(tx: Tx, { tenant, since, position }: Between): Promise<Changes["cases"]> {
  const { rows } = await sql<ChangedCase>`
    select distinct case_name, version, started_by, on_behalf_of from countersign.case_run
    where tenant = ${tenant} and moved >= ${since}::xid8 and moved < ${position}::xid8`.execute(tx);
  return rows;
}

async function isStopChanged(tx: Tx, { tenant, since, position }: Between): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from countersign.halt
      where tenant = ${tenant} and moved >= ${since}::xid8 and moved < ${position}::xid8) as found`.execute(tx);
  return rows[0]?.found === true;
}
