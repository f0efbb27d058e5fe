/** What was spent, from the rows of the spend ledger alone. */
import { CompiledQuery } from "kysely";
import type { Forecast, SpendGroup, SpendLine, SpendView } from "../../contract/spend.ts";
import type { Tx } from "../../store/database.ts";
import { asOwner } from "../../store/owner.ts";

/** Which rows a report is over: from one day to before another, in UTC; of one tenant or all. */
export interface SpendRange {
  readonly from: string;
  readonly before: string;
  readonly tenant: string | null;
}

// What decided is known by the outcome's entry; a decision without one is still under way.
const groupOf: Readonly<Record<SpendGroup, string>> = {
  capability: "coalesce(e.capability, 'not ended')",
  model: "s.model",
  day: "to_char(to_timestamp(s.ts / 1000.0) at time zone 'UTC', 'YYYY-MM-DD')",
  outcome: "coalesce(e.route, e.kind, 'not ended')",
  tenant: "s.tenant",
  purpose: "s.purpose",
};

/** Adds up what was spent, the dearest group first; under the owner's login, over one tenant or all. */
export function spendBy(adminUrl: string, group: SpendGroup, range: SpendRange): Promise<readonly SpendLine[]> {
  const { text, values } = spendQuery(group, range);
  return asOwner(adminUrl, async (client) => (await client.query<SpendLine>(text, values)).rows);
}

async function readSpend(tx: Tx, group: SpendGroup, range: SpendRange & { tenant: string }): Promise<readonly SpendLine[]> {
  const { text, values } = spendQuery(group, range);
  return (await tx.executeQuery<SpendLine>(CompiledQuery.raw(text, values))).rows;
}

function spendQuery(group: SpendGroup, { from, before, tenant }: SpendRange): { text: string; values: unknown[] } {
  const text = `select ${groupOf[group]} as "group", count(distinct s.decision_id)::int as decisions, count(*)::int as attempts,
       count(*) filter (where s.outcome = 'refused')::int as refused,
       sum(s.input_tokens)::float8 as "inputTokens", sum(s.cached_tokens)::float8 as "cachedTokens",
       sum(s.cache_write_tokens)::float8 as "cacheWriteTokens", sum(s.output_tokens)::float8 as "outputTokens",
       sum(s.reasoning_tokens)::float8 as "reasoningTokens", sum(s.cost_micros)::float8 as "costMicros",
       coalesce(sum(s.cost_micros) filter (where s.assumed), 0)::float8 as "assumedMicros"
     from spend s left join entry e on e.tenant = s.tenant and e.decision_id = s.decision_id and e.kind in ('decided', 'stopped')
     where s.ts >= $1 and s.ts < $2 and ($3::text is null or s.tenant = $3)
     group by 1 order by sum(s.cost_micros) desc, 1`;
  return { text, values: [Date.parse(from), Date.parse(before), tenant] };
}

/** Forecasts the month that runs at `now`, in proportion to the time that is over; a month of under a day is not forecast beyond its spend. */
export async function forecastMonth({
  now,
  spend,
}: {
  now: number;
  /** The lines of a range, grouped anyhow. */
  spend: (range: Pick<SpendRange, "from" | "before">) => Promise<readonly SpendLine[]>;
}): Promise<Forecast> {
  const date = new Date(now);
  const month = date.toISOString().slice(0, 7);
  const start = Date.parse(`${month}-01`);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  const lines = await spend({ from: `${month}-01`, before: new Date(end).toISOString().slice(0, 10) });
  const spentMicros = lines.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const elapsed = (now - start) / (end - start);
  const isTooEarly = now - start < 86_400_000;
  return {
    ...{ month, spentMicros },
    forecastMicros: isTooEarly ? spentMicros : Math.round(spentMicros / elapsed),
    elapsedPpm: Math.round(elapsed * 1_000_000),
  };
}

/** A tenant's own report: from the first of the month to now, unless other days are named. */
export async function spendView({
  tx,
  tenant,
  by,
  now,
  ...days
}: {
  tx: Tx;
  tenant: string;
  by: SpendGroup;
  from: string | null;
  before: string | null;
  now: number;
}): Promise<SpendView> {
  const today = new Date(now).toISOString().slice(0, 10);
  const from = days.from ?? `${today.slice(0, 7)}-01`;
  const before = days.before ?? new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  const lines = await readSpend(tx, by, { from, before, tenant });
  const forecast = await forecastMonth({ now, spend: (month) => readSpend(tx, by, { ...month, tenant }) });
  return { by, from, before, totalMicros: lines.reduce((sum, { costMicros }) => sum + costMicros, 0), lines, forecast };
}
