// How long a tenant keeps bodies, as the installation's operator sets it under the owner's login.
import { CountersignError } from "../../contract/errors.ts";
import type { Retention } from "../../contract/retention.ts";
import { asOwner } from "../../store/owner.ts";
import type { ErasedPart } from "./erase.ts";
import { knownTenant, type StandingHold } from "./manage-erasure.ts";

/** A tenant's own rule for a capability, or for each with `*`. */
export interface RetentionRule extends Retention {
  readonly tenant: string;
  readonly capability: string;
}

/** Sets how long a tenant keeps bodies; what is left out stays as it was. Throws `not_found`. */
export function setRetention(adminUrl: string, { tenant, capability, inputsDays, payloadDays }: RetentionRule): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    await knownTenant(client, tenant);
    await client.query(
      `insert into retention (tenant, capability, inputs_days, payload_days) values ($1, $2, $3, $4)
       on conflict (tenant, capability) do update set inputs_days = coalesce(excluded.inputs_days, retention.inputs_days),
         payload_days = coalesce(excluded.payload_days, retention.payload_days), set_at = clock_timestamp()`,
      [tenant, capability, inputsDays ?? null, payloadDays ?? null],
    );
  });
}

/** Takes a tenant's own rule back: what it says of inputs, of the whole payload, or both. Throws `not_found` where it says nothing of them. */
export function unsetRetention(
  adminUrl: string,
  { tenant, capability, parts }: { tenant: string; capability: string; parts: readonly ErasedPart[] },
): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    await client.query("begin");
    const { rowCount } = await client.query(
      `update retention set inputs_days = case when $3 then null else inputs_days end,
         payload_days = case when $4 then null else payload_days end, set_at = clock_timestamp()
       where tenant = $1 and capability = $2 and (($3 and inputs_days is not null) or ($4 and payload_days is not null))`,
      [tenant, capability, parts.includes("inputs"), parts.includes("payload")],
    );
    await client.query(
      "delete from retention where tenant = $1 and capability = $2 and inputs_days is null and payload_days is null",
      [tenant, capability],
    );
    await client.query("commit");
    if (rowCount === 0)
      throw new CountersignError(
        "not_found",
        `\`${tenant}\` has set nothing of that for \`${capability}\`; see \`countersign retention show\``,
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
