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

interface Row {
  readonly stage: "shadow" | "canary_share";
  readonly differences: string;
  readonly breaks: number;
  readonly old_failed: boolean;
  readonly new_failed: boolean;
  readonly agrees: boolean;
  readonly prose_ppm: number;
  readonly old_figures: string;
  readonly new_figures: string;
}

/**
 * The trials of a migration by stage, the newest ten thousand of each; of the stage in which it is those since it came there, or got another share, as
 * the rollback counts them. Under the owner's login.
 */
export function readTrials(adminUrl: string, { tenant, id }: { tenant: string; id: string }): Promise<readonly TrialCounts[]> {
  return asOwner(adminUrl, async (client) => {
    const counts: TrialCounts[] = [];
    for (const stage of ["shadow", "canary_share"] as const) {
      const { rows } = await client.query<Row>(
        `select t.* from model_trial t join model_migration m on m.tenant = t.tenant and m.id = t.migration
         where t.tenant = $1 and t.migration = $2 and t.stage = $3 and (m.stage <> t.stage or t.at >= m.stage_at) order by t.at desc limit 10000`,
        [tenant, id, stage],
      );
      if (rows.length > 0) counts.push(countsOf(stage, rows));
    }
    return counts;
  });
}

function countsOf(stage: Row["stage"], rows: readonly Row[]): TrialCounts {
  const count = (is: (row: Row) => boolean) => rows.filter(is).length;
  return {
    stage,
    trials: rows.length,
    broken: count(({ breaks }) => breaks > 0),
    oldFailed: count(({ old_failed }) => old_failed),
    newFailed: count(({ old_failed, new_failed }) => new_failed && !old_failed),
    disagreed: count(({ agrees, old_failed, new_failed }) => !agrees && !old_failed && !new_failed),
    prosePpm: Math.round(rows.reduce((sum, { prose_ppm }) => sum + prose_ppm, 0) / rows.length),
    // Written by this program in these forms.
    differences: countDifferences(rows.flatMap(({ differences }) => JSON.parse(differences) as ContractDifference[])),
    old: rows.map(({ old_figures }) => JSON.parse(old_figures) as WalkFigures),
    new: rows.map(({ new_figures }) => JSON.parse(new_figures) as WalkFigures),
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
  return [...counts.values()].sort((a, b) => b.count - a.count || a.path.localeCompare(b.path, "en"));
}
