import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Door } from "../../contract/permitted.ts";
import type { Principal } from "../../contract/principal.ts";
import type { RoutingView } from "../../contract/routing-view.ts";
import { onePpm } from "../../contract/words.ts";
import { numberAt } from "../../ledger/fields.ts";
import { parseBody } from "../../ledger/parse-entry.ts";
import { readOr } from "../../ledger/read-entry.ts";
import type { Database, Tx } from "../../store/database.ts";
import { firstIdOf } from "../../store/ids.ts";
import type { StoreTime } from "../../store/time.ts";
import { isJudged, judgementOf } from "./judgement.ts";
import { readSaid } from "./read-judged.ts";

/** Days as `YYYY-MM-DD`, UTC; the last four weeks where none are said. */
interface RoutingAsked {
  readonly principal: Principal;
  readonly from?: string | null;
  readonly before?: string | null;
  readonly capability?: string | null;
}

/** What people are told of how a tenant's decisions are routed; `forbidden` for whoever that board is not open to. */
export interface RoutingBoard {
  /** By the day on which it was asked. Throws `bad_request` for a range that is none, or is longer than 92 days. */
  readonly routing: (asking: RoutingAsked) => Promise<RoutingView>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const usualDays = 28;
const mostDays = 92;
/** Most decisions that are counted, and of which confidence is held against what became of them; the newest of the range. */
const mostCounted = 50_000;
const mostJudged = 2_000;
const bins = 10;

/** Opens the board. */
export function routingBoard({
  database,
  door,
  storeTime,
}: {
  database: Database;
  door: Door;
  storeTime: StoreTime;
}): RoutingBoard {
  return {
    routing: async ({ principal, capability = null, ...days }) => {
      door(principal);
      const { tenant } = principal;
      return database.inSnapshot(tenant, async (tx) => {
        const now = await storeTime(tx);
        const { from, before } = rangeOf(days, now);
        const range = { tenant, capability, from, before };
        return {
          ...{ from: dayOf(from), before: dayOf(before) },
          ...(await readMix(tx, range)),
          reliability: await readReliability(tx, { ...range, until: now }),
        };
      });
    },
  };
}

interface Range {
  readonly tenant: string;
  readonly capability: string | null;
  /** Milliseconds since the epoch, at midnight UTC. */
  readonly from: number;
  readonly before: number;
}

function rangeOf({ from, before }: Pick<RoutingAsked, "from" | "before">, now: number) {
  const tomorrow = (Math.floor(now / dayMs) + 1) * dayMs;
  const end = before == null ? tomorrow : Date.parse(`${before}T00:00:00Z`);
  const start = from == null ? end - usualDays * dayMs : Date.parse(`${from}T00:00:00Z`);
  if (start < end && end - start <= mostDays * dayMs) return { from: start, before: end };
  throw new CountersignError("bad_request", `ask for 1 to ${mostDays} days, \`from\` one and \`before\` a later one`);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The outcomes of a range, newest first: ids grow with the time of asking (UUID version 7), and begin with it. */
function outcomes({ tenant, capability, from, before }: Range) {
  return sql`from countersign.entry
    where tenant = ${tenant} and kind in ('decided', 'stopped') and decision_id >= ${firstIdOf(from)} and decision_id < ${firstIdOf(before)}
      ${capability === null ? sql`` : sql`and capability = ${capability}`}`;
}

type Mix = Pick<RoutingView, "lines" | "isPart" | "countedFrom">;

async function readMix(tx: Tx, range: Range): Promise<Mix> {
  const { rows } = await sql<Mix["lines"][number] & { first: number }>`
    select day, capability, route, count(*)::int as decisions, min(asked)::float8 as first from (
      select to_char(to_timestamp(asked / 1000.0) at time zone 'utc', 'YYYY-MM-DD') as day, asked, capability, route from (
        select ('x' || left(replace(decision_id::text, '-', ''), 12))::bit(48)::bigint as asked, coalesce(capability, '') as capability,
          coalesce(route, 'stopped') as route
        ${outcomes(range)} order by decision_id desc limit ${mostCounted}
      ) newest
    ) placed group by day, capability, route order by day, capability collate "C", route`.execute(tx);
  const counted = rows.reduce((sum, { decisions }) => sum + decisions, 0);
  const first = rows.reduce((least, row) => Math.min(least, row.first), Number.POSITIVE_INFINITY);
  return {
    lines: rows.map(({ first: _, ...line }) => line),
    isPart: counted === mostCounted,
    countedFrom: rows.length === 0 ? null : first,
  };
}

async function readReliability(
  tx: Tx,
  { until, ...range }: Range & { readonly until: number },
): Promise<RoutingView["reliability"]> {
  const { rows } = await sql<{ decision_id: string; effects: number; body: string }>`
    select decision_id, effects, body ${outcomes(range)} and kind = 'decided' and effects > 0
    order by decision_id desc limit ${mostJudged}`.execute(tx);
  const said = await readSaid(tx, { tenant: range.tenant, until, ids: rows.map((row) => row.decision_id) });
  const judged = rows.flatMap(({ decision_id, effects, body }) => {
    const ppm = numberAt(readOr("mark", () => parseBody(body)) ?? {}, "confidencePpm");
    const judgement = judgementOf(said.get(decision_id) ?? [], effects);
    return ppm === null || !isJudged(judgement) ? [] : [{ ppm, isAgreed: judgement === "agreed" }];
  });
  const inBins = Map.groupBy(judged, ({ ppm }) => Math.min(bins - 1, Math.floor((ppm * bins) / onePpm)));
  return [...inBins]
    .sort(([one], [other]) => one - other)
    .map(([bin, own]) => ({
      fromPpm: (bin * onePpm) / bins,
      decisions: own.length,
      agreed: own.filter(({ isAgreed }) => isAgreed).length,
      meanPpm: Math.round(own.reduce((sum, { ppm }) => sum + ppm, 0) / own.length),
    }));
}
