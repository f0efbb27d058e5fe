import type { RunCaps } from "../../contract/budget.ts";
import { asOwner } from "../../store/owner.ts";
import type { SpendRange } from "./spend-report.ts";

/** Caps that would have held nearly all runs of a capability, and what they rest on. */
export interface SuggestedCaps {
  readonly capability: string;
  readonly runs: number;
  readonly caps: Required<Pick<RunCaps, "turns" | "tokens" | "costMicros">>;
  readonly highest: Required<Pick<RunCaps, "turns" | "tokens" | "costMicros">>;
}

/** Fewer finished runs than this say too little. */
export const leastRuns = 20;
/** How much above the 99th percentile of finished runs a cap is put, since a call's room is its worst case. */
const headroom = 1.5;

/**
 * Suggests caps from runs that have ended by themselves: half again the 99th percentile (the nearest rank, over runs in order), and never
 * below the highest that was seen where there are fewer than a hundred. Capabilities with too few runs are left out.
 */
export function suggestCaps(adminUrl: string, { from, before, tenant }: SpendRange): Promise<readonly SuggestedCaps[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<{ capability: string; turns: number; tokens: number; micros: number }>(
      `select e.capability, count(*)::int as turns,
         sum(s.input_tokens::bigint + s.cached_tokens + s.cache_write_tokens + s.output_tokens + s.reasoning_tokens)::float8 as tokens,
         sum(s.cost_micros)::float8 as micros
       from spend s join entry e on e.tenant = s.tenant and e.decision_id = s.decision_id and e.kind = 'decided'
       where s.ts >= $1 and s.ts < $2 and ($3::text is null or s.tenant = $3)
       group by e.tenant, e.capability, s.decision_id`,
      [Date.parse(from), Date.parse(before), tenant],
    );
    const byCapability = Map.groupBy(rows, ({ capability }) => capability);
    return [...byCapability]
      .filter(([, runs]) => runs.length >= leastRuns)
      .map(([capability, runs]) => {
        const [turns, tokens, micros] = [
          runs.map((run) => run.turns),
          runs.map((run) => run.tokens),
          runs.map((run) => run.micros),
        ];
        return {
          ...{ capability, runs: runs.length },
          caps: { turns: capOf(turns), tokens: capOf(tokens), costMicros: capOf(micros) },
          highest: { turns: Math.max(...turns), tokens: Math.max(...tokens), costMicros: Math.max(...micros) },
        };
      })
      .toSorted((one, other) => (one.capability < other.capability ? -1 : 1));
  });
}

function capOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.ceil(sorted.length * 0.99) - 1;
  return Math.ceil((sorted[Math.max(0, at)] ?? 0) * headroom);
}
