// What the installation's operator does about retention, under the owner's login.
import type pg from "pg";
import { CountersignError } from "../../contract/errors.ts";
import { holdLock } from "../../store/hold-lock.ts";
import { isId } from "../../store/ids.ts";
import { asOwner } from "../../store/owner.ts";
import type { WaitsFor } from "./busy.ts";
import type { ErasedPart } from "./erase.ts";

/** What nothing may be erased of: a decision, what a person asked for or was asked for them, or all of a tenant, named `*`. */
export interface Hold {
  readonly tenant: string;
  readonly scope: "tenant" | "person" | "decision";
  readonly name: string;
}

/** A hold that stands. */
export interface StandingHold extends Hold {
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An erasure that is asked for, or that is put off, and not done yet. */
export interface WaitingErasure {
  readonly tenant: string;
  readonly part: ErasedPart;
  readonly why: "retention" | "request";
  readonly decisionId: string | null;
  readonly person: string | null;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  /** What it was left for when it was last tried; `null` where it was not. */
  readonly waitsFor: WaitsFor | null;
}

/** Whose bodies are to be erased. */
export type ErasureOf = { readonly decisionId: string } | { readonly person: string };

/**
 * Puts down that a decision's bodies, or everything that is kept of a person, is to be erased; asked twice it is one request. Throws
 * `not_found` for a tenant or a decision that is not there.
 */
export function requestErasure(
  adminUrl: string,
  { tenant, of, reason }: { tenant: string | null; of: ErasureOf; reason: string },
): Promise<{ readonly tenant: string }> {
  return asOwner(adminUrl, async (client) => {
    const whose = "decisionId" in of ? await tenantOf(client, of.decisionId, tenant) : await knownTenant(client, tenant ?? "");
    const [column, name] = "decisionId" in of ? ["decision_id", of.decisionId] : ["person", of.person];
    const key =
      "decisionId" in of
        ? "(tenant, decision_id, part, rules) where decision_id is not null"
        : "(tenant, person) where person is not null";
    await client.query(
      `insert into erasure (tenant, part, why, ${column}, reason) values ($1, 'payload', 'request', $2, $3)
       on conflict ${key} do update set why = excluded.why, reason = excluded.reason, due_at = excluded.due_at,
         place = null, under_way = null`,
      [whose, name, reason],
    );
    return { tenant: whose };
  });
}

async function tenantOf(client: pg.Client, decisionId: string, tenant: string | null): Promise<string> {
  const { rows } = await client.query<{ tenant: string }>(
    "select tenant from entry where decision_id = $1 and kind in ('decided', 'stopped') and ($2::text is null or tenant = $2)",
    [decisionId, tenant],
  );
  const [found] = rows;
  if (found === undefined) throw new CountersignError("not_found", "no decision of that id has ended here");
  return found.tenant;
}

/** Throws `not_found` for a tenant that is not there, or is closed. Returns its id. */
export async function knownTenant(client: pg.Client, tenant: string): Promise<string> {
  const { rowCount } = await client.query("select from tenant where id = $1 and state <> 'closed'", [tenant]);
  if (rowCount === 0) throw new CountersignError("not_found", `there is no tenant \`${tenant}\``);
  return tenant;
}

/** Also one that has begun and not ended. */
async function knownDecision(client: pg.Client, tenant: string, decisionId: string): Promise<void> {
  const none = new CountersignError("not_found", `\`${tenant}\` has no decision of that id, so nothing is held`);
  if (!isId(decisionId)) throw none;
  const { rowCount } = await client.query(
    `select from intent where tenant = $1 and decision_id = $2
     union all select from entry where tenant = $1 and decision_id = $2 and kind in ('decided', 'stopped')`,
    [tenant, decisionId],
  );
  if (rowCount === 0) throw none;
}

/** What is waiting, as far as it is listed. */
export interface WaitingErasures {
  readonly waiting: readonly WaitingErasure[];
  /** How many more there are behind those. */
  readonly more: number;
}

const mostListed = 1_000;

/** Of what is waiting, what one request asked for. */
export interface AskedFor {
  readonly person: string | null;
  readonly decisionIds: readonly string[];
}

/**
 * What is not erased yet, of all tenants where none is named; what retention only put off because its days are not over is not in it.
 * With `asked` that request's alone. Lists the first thousand, and says how many more there are.
 */
export function listErasures(adminUrl: string, tenant: string | null, asked: AskedFor | null = null): Promise<WaitingErasures> {
  return asOwner(adminUrl, async (client) => {
    // Under two sets of rules a decision may wait twice, for the same.
    const { rows } = await client.query<Omit<WaitingErasure, "dueAt"> & { dueAt: string; all: number }>(
      `select tenant, part, why, "decisionId", person, (extract(epoch from due_at) * 1000)::bigint as "dueAt", waits_for as "waitsFor",
         count(*) over ()::int as "all"
       from (
         select distinct on (tenant, decision_id, person, part, why) *, decision_id as "decisionId" from erasure
         where ($1::text is null or tenant = $1) and (why = 'request' or waits_for is not null)
           and ($2::uuid[] is null or (why = 'request' and (person = $3 or decision_id = any ($2::uuid[]))))
         order by tenant, decision_id, person, part, why, due_at
       ) as waiting order by tenant, at, id limit $4`,
      [tenant, asked?.decisionIds ?? null, asked?.person ?? null, mostListed],
    );
    const waiting = rows.map(({ all: _, ...row }) => ({ ...row, dueAt: Number(row.dueAt) }));
    return { waiting, more: (rows[0]?.all ?? 0) - rows.length };
  });
}

/**
 * Has nothing erased of it until it is released; whoever is erasing at this moment is waited for. Throws `not_found` for a tenant that is
 * not there, or a decision that it has not.
 */
export function setHold(adminUrl: string, { tenant, scope, name, reason }: Hold & { reason: string }): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [holdLock(tenant)]);
    await knownTenant(client, tenant);
    if (scope === "decision") await knownDecision(client, tenant, name);
    await client.query(
      `insert into hold (tenant, scope, name, reason) values ($1, $2, $3, $4)
       on conflict (tenant, scope, name) where released_at is null do nothing`,
      [tenant, scope, name, reason],
    );
    await client.query("commit");
  });
}

/** Releases a hold; what was due meanwhile is erased at the next round. Throws `not_found` where none stands. */
export function releaseHold(adminUrl: string, { tenant, scope, name }: Hold): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    const released = await client.query(
      `with released as (
         update hold set released_at = clock_timestamp() where tenant = $1 and scope = $2 and name = $3 and released_at is null returning tenant
       ), due as (
         update erasure set due_at = clock_timestamp() where waits_for = 'hold' and tenant in (select tenant from released)
       ) select from released`,
      [tenant, scope, name],
    );
    if (released.rowCount === 0) throw new CountersignError("not_found", `nothing is held by the name \`${name}\``);
  });
}
