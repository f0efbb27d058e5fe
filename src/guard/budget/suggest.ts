import type { RunCaps } from "../../contract/budget.ts";
import { asOwner } from "../../store/owner.ts";
import type { SpendRange } from "./spend-report.ts";

/** Caps that would have held nearly all runs of a capability, and what they rest on. */
export interface SuggestedCaps {
  readonly capability: string;
  readonly runs: number;
  /** Without `costMicros` where nothing had a price: a cap on money would refuse every request then. */
  readonly caps: Pick<RunCaps, "turns" | "tokens" | "costMicros">;
}

/** Fewer finished runs than this say too little. */
export const leastRuns = 20;
/** How much above the 99th percentile a cap is put. */
const headroom = 1.25;

/**
 * Suggests caps from runs that have ended by themselves: a quarter above the 99th percentile (the nearest rank) of each run's peak. A run's
 * peak is the most that stood against its caps at once: what its earlier requests had used, and the room of the one under way.
 */
export function suggestCaps(adminUrl: string, { from, before, tenant }: SpendRange): Promise<readonly SuggestedCaps[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<{ capability: string; turns: number; tokens: number; micros: number }>(
      `with attempt as (
         select e.capability, s.tenant, s.decision_id, s.held_tokens, s.held_micros,
           sum(s.input_tokens::bigint + s.cached_tokens + s.cache_write_tokens + s.output_tokens + s.reasoning_tokens) over earlier as tokens_before,
           sum(s.cost_micros) over earlier as micros_before
         from spend s join entry e on e.tenant = s.tenant and e.decision_id = s.decision_id and e.kind = 'decided'
         where s.ts >= $1 and s.ts < $2 and ($3::text is null or s.tenant = $3)
         window earlier as (partition by s.tenant, s.decision_id order by s.position rows between unbounded preceding and 1 preceding)
       )
       select capability, count(*)::int as turns, max(coalesce(tokens_before, 0) + held_tokens)::float8 as tokens,
         max(coalesce(micros_before, 0) + held_micros)::float8 as micros
       from attempt group by tenant, capability, decision_id`,
      [Date.parse(from), Date.parse(before), tenant],
    );
    return [...Map.groupBy(rows, ({ capability }) => capability)]
      .filter(([, runs]) => runs.length >= leastRuns)
      .map(([capability, runs]) => ({ capability, runs: runs.length, caps: capsOf(runs) }))
      .toSorted((one, other) => (one.capability < other.capability ? -1 : 1));
  });
}

function capsOf(runs: readonly { turns: number; tokens: number; micros: number }[]): SuggestedCaps["caps"] {
  const costMicros = capOf(runs.map(({ micros }) => micros));
  return {
    turns: capOf(runs.map(({ turns }) => turns)),
    tokens: capOf(runs.map(({ tokens }) => tokens)),
    ...(costMicros === 0 ? {} : { costMicros }),
  };
}

function capOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.ceil(sorted.length * 0.99) - 1;
  return Math.ceil((sorted[Math.max(0, at)] ?? 0) * headroom);
}
