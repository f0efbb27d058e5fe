import type { ContractDifference, WalkFigures } from "../../contract/migration.ts";
import { asOwner } from "../../store/owner.ts";

/** What the trials of one stage came to. */
export interface TrialCounts {
  readonly stage: "shadow" | "canary_share";
  readonly trials: number;
  readonly broken: number;
  readonly oldFailed: number;
  /** Where the old one did not. */
  readonly newFailed: number;
  readonly disagreed: number;
  /** The mean over trials, in parts per million. */
  readonly prosePpm: number;
  readonly differences: readonly (ContractDifference & { readonly count: number })[];
  readonly old: readonly WalkFigures[];
  readonly new: readonly WalkFigures[];
}

interface Row extends Omit<TrialCounts, "stage" | "old" | "new"> {
  readonly figures: readonly (readonly [old: string, next: string])[];
}

/** Figures of more walks say hardly more. */
const mostFigures = 10_000;

/**
 * The trials of a migration by stage; of the stage in which it is those since it came there, or got another share, as the rollback counts
 * them. All are counted; figures are those of the newest ten thousand. Under the owner's login.
 */
export function readTrials(adminUrl: string, { tenant, id }: { tenant: string; id: string }): Promise<readonly TrialCounts[]> {
  return asOwner(adminUrl, async (client) => {
    const counts: TrialCounts[] = [];
    for (const stage of ["shadow", "canary_share"] as const) {
      const { rows } = await client.query<Row>(countSql, [tenant, id, stage, mostFigures]);
      const [row] = rows;
      if (row !== undefined && row.trials > 0) counts.push(countsOf(stage, row));
    }
    return counts;
  });
}

const countSql = `
  with trial as (
    select t.* from model_trial t join model_migration m on m.tenant = t.tenant and m.id = t.migration
    where t.tenant = $1 and t.migration = $2 and t.stage = $3 and (m.stage <> t.stage or t.at >= m.stage_at)
  ), newest as (select old_figures, new_figures from trial order by at desc limit $4),
  broken as (
    select one ->> 'kind' as kind, one ->> 'path' as path, count(*) as count
    from trial, json_array_elements(trial.differences::json) as one group by 1, 2
  )
  select count(*)::int as trials, count(*) filter (where breaks > 0)::int as broken, count(*) filter (where old_failed)::int as "oldFailed",
    count(*) filter (where new_failed and not old_failed)::int as "newFailed",
    count(*) filter (where not agrees and not old_failed and not new_failed)::int as disagreed,
    coalesce(round(avg(prose_ppm)), 0)::int as "prosePpm",
    (select coalesce(json_agg(broken), '[]') from broken) as differences,
    (select coalesce(json_agg(json_build_array(old_figures, new_figures)), '[]') from newest) as figures
  from trial`;

function countsOf(stage: TrialCounts["stage"], { figures, differences, ...counts }: Row): TrialCounts {
  return {
    ...{ stage, ...counts, differences: mostFirst(differences) },
    // Written by this program in this form.
    old: figures.map(([old]) => JSON.parse(old) as WalkFigures),
    new: figures.map(([, next]) => JSON.parse(next) as WalkFigures),
  };
}

/** Each break once, with how often it came, the most frequent first. */
export function countDifferences(
  all: readonly ContractDifference[],
): readonly (ContractDifference & { readonly count: number })[] {
  const counts = new Map<string, ContractDifference & { count: number }>();
  for (const { kind, path } of all) {
    const key = `${kind} ${path}`;
    const known = counts.get(key) ?? { kind, path, count: 0 };
    counts.set(key, { ...known, count: known.count + 1 });
  }
  return mostFirst([...counts.values()]);
}

function mostFirst(counted: TrialCounts["differences"]): TrialCounts["differences"] {
  return counted.toSorted((a, b) => b.count - a.count || a.path.localeCompare(b.path, "en"));
}
