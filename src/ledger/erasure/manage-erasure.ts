// What the installation's operator does about retention, under the owner's login.
import type pg from "pg";
import { CountersignError } from "../../contract/errors.ts";
import type { Retention } from "../../contract/retention.ts";
import { asOwner } from "../../store/owner.ts";
import type { WaitsFor } from "./busy.ts";

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
  readonly part: "inputs" | "payload";
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
        ? "(tenant, decision_id, part) where decision_id is not null"
        : "(tenant, person) where person is not null";
    await client.query(
      `insert into erasure (tenant, part, why, ${column}, reason) values ($1, 'payload', 'request', $2, $3)
       on conflict ${key} do update set why = excluded.why, reason = excluded.reason, due_at = excluded.due_at, place = null`,
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

async function knownTenant(client: pg.Client, tenant: string): Promise<string> {
  const { rowCount } = await client.query("select from tenant where id = $1 and state <> 'closed'", [tenant]);
  if (rowCount === 0) throw new CountersignError("not_found", `there is no tenant \`${tenant}\``);
  return tenant;
}

/** What is not erased yet, of all tenants where none is named; what retention only put off because its days are not over is not in it. */
export function listErasures(adminUrl: string, tenant: string | null): Promise<readonly WaitingErasure[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<WaitingErasure & { dueAt: string }>(
      `select tenant, part, why, decision_id as "decisionId", person, (extract(epoch from due_at) * 1000)::bigint as "dueAt",
         waits_for as "waitsFor" from erasure
       where ($1::text is null or tenant = $1) and (why = 'request' or waits_for is not null) order by tenant, at, id limit 1000`,
      [tenant],
    );
    return rows.map((row) => ({ ...row, dueAt: Number(row.dueAt) }));
  });
}

/** Has nothing erased of it until it is released; whoever is erasing at this moment is waited for. Throws `not_found`. */
export function setHold(adminUrl: string, { tenant, scope, name, reason }: Hold & { reason: string }): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended('countersign hold ' || $1, 0))", [tenant]);
    await knownTenant(client, tenant);
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

/** A tenant's own rule for a capability, or for each with `*`. */
export interface RetentionRule extends Retention {
  readonly tenant: string;
  readonly capability: string;
}

/** Sets how long a tenant keeps bodies; what is left out is as the capability says. Throws `not_found`. */
export function setRetention(adminUrl: string, { tenant, capability, inputsDays, payloadDays }: RetentionRule): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    await knownTenant(client, tenant);
    await client.query(
      `insert into retention (tenant, capability, inputs_days, payload_days) values ($1, $2, $3, $4)
       on conflict (tenant, capability) do update set inputs_days = excluded.inputs_days, payload_days = excluded.payload_days,
         set_at = clock_timestamp()`,
      [tenant, capability, inputsDays ?? null, payloadDays ?? null],
    );
  });
}

/** The tenants' own rules and the holds that stand; of all tenants where none is named. */
export function readRetention(
  adminUrl: string,
  tenant: string | null,
): Promise<{ readonly rules: readonly RetentionRule[]; readonly holds: readonly StandingHold[] }> {
  return asOwner(adminUrl, async (client) => {
    const rules = await client.query<RuleRow>(
      `select tenant, capability, inputs_days, payload_days from retention
       where ($1::text is null or tenant = $1) order by tenant, capability`,
      [tenant],
    );
    const holds = await client.query<StandingHold & { at: string }>(
      `select tenant, scope, name, reason, (extract(epoch from at) * 1000)::bigint as at from hold
       where released_at is null and ($1::text is null or tenant = $1) order by tenant, at`,
      [tenant],
    );
    return { rules: rules.rows.map(ruleOf), holds: holds.rows.map((row) => ({ ...row, at: Number(row.at) })) };
  });
}

interface RuleRow {
  readonly tenant: string;
  readonly capability: string;
  readonly inputs_days: number | null;
  readonly payload_days: number | null;
}

function ruleOf({ tenant, capability, inputs_days, payload_days }: RuleRow): RetentionRule {
  return {
    ...{ tenant, capability },
    ...(inputs_days === null ? {} : { inputsDays: inputs_days }),
    ...(payload_days === null ? {} : { payloadDays: payload_days }),
  };
}
