/** What was spent, from the rows of the spend ledger alone. */
import { asOwner } from "../../store/owner.ts";

/** By what a report adds up. */
export const spendGroups = ["capability", "model", "day", "outcome", "tenant", "purpose"] as const;
export type SpendGroup = (typeof spendGroups)[number];

/** Which rows a report is over: from one day to before another, in UTC; of one tenant or all. */
export interface SpendRange {
  readonly from: string;
  readonly before: string;
  readonly tenant: string | null;
}

/** One line of a report. */
export interface SpendLine {
  readonly group: string;
  readonly decisions: number;
  /** Requests to models, refused ones included. */
  readonly attempts: number;
  readonly refused: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly costMicros: number;
  /** Of the cost, what was assumed: the provider did not say, or the process died. */
  readonly assumedMicros: number;
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

/** Adds up what was spent, the dearest group first. */
export function spendBy(
  adminUrl: string,
  group: SpendGroup,
  { from, before, tenant }: SpendRange,
): Promise<readonly SpendLine[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<SpendLine>(
      `select ${groupOf[group]} as "group", count(distinct s.decision_id)::int as decisions, count(*)::int as attempts,
         count(*) filter (where s.outcome = 'refused')::int as refused,
         sum(s.input_tokens)::float8 as "inputTokens", sum(s.cached_tokens)::float8 as "cachedTokens",
         sum(s.cache_write_tokens)::float8 as "cacheWriteTokens", sum(s.output_tokens)::float8 as "outputTokens",
         sum(s.reasoning_tokens)::float8 as "reasoningTokens", sum(s.cost_micros)::float8 as "costMicros",
         coalesce(sum(s.cost_micros) filter (where s.assumed), 0)::float8 as "assumedMicros"
       from spend s left join entry e on e.tenant = s.tenant and e.decision_id = s.decision_id and e.kind in ('decided', 'stopped')
       where s.ts >= $1 and s.ts < $2 and ($3::text is null or s.tenant = $3)
       group by 1 order by sum(s.cost_micros) desc, 1`,
      [Date.parse(from), Date.parse(before), tenant],
    );
    return rows;
  });
}

/** What a month will have cost at its end, if its rest goes as its part until now. */
export interface Forecast {
  readonly month: string;
  readonly spentMicros: number;
  readonly forecastMicros: number;
  /** Of the month, the share that is over, in parts per million: the smaller, the less the forecast says. */
  readonly elapsedPpm: number;
}

/** Forecasts the month that runs at `now`, in proportion to the time that is over; a month of under a day is not forecast beyond its spend. */
export async function forecastMonth(
  adminUrl: string,
  { now, tenant }: { now: number; tenant: string | null },
): Promise<Forecast> {
  const month = new Date(now).toISOString().slice(0, 7);
  const start = Date.parse(`${month}-01`);
  const end = Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + 1, 1);
  const range = { from: `${month}-01`, before: new Date(end).toISOString().slice(0, 10), tenant };
  const lines = await spendBy(adminUrl, "tenant", range);
  const spentMicros = lines.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const elapsed = (now - start) / (end - start);
  const isTooEarly = now - start < 86_400_000;
  return {
    month,
    spentMicros,
    forecastMicros: isTooEarly ? spentMicros : Math.round(spentMicros / elapsed),
    elapsedPpm: Math.round(elapsed * 1_000_000),
  };
}
