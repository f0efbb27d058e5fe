import { sql } from "kysely";
import { z } from "zod";
import { contractBreaks, type MigrationStage } from "../../contract/migration.ts";
import { modelName, parseModelName } from "../../contract/model-name.ts";
import type { MigrationView, ModelsView, ModelView } from "../../contract/model-view.ts";
import type { Door } from "../../contract/permitted.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Database, Tx } from "../../store/database.ts";
import { readStandings } from "../model-standings.ts";

/** A model that a definition names: of which capability, for what, and who owns that. */
export interface ModelUse {
  readonly provider: string;
  readonly id: string;
  readonly use: ModelView["uses"][number];
  /** `null` where the definition has none, such as intake. */
  readonly owner: string | null;
}

/** What people are told of models; `forbidden` for whoever that board is not open to. */
export interface ModelBoard {
  readonly models: (asking: { principal: Principal }) => Promise<ModelsView>;
}

/** Opens the board over what a project names. */
export function modelBoard({ database, uses, door }: { database: Database; uses: readonly ModelUse[]; door: Door }): ModelBoard {
  return {
    models: async ({ principal }) => {
      door(principal);
      const { tenant } = principal;
      return database.inSnapshot(tenant, async (tx) => ({
        models: viewsOf([...uses, ...(await readEmbedder(tx, tenant))], await readStandings(tx)),
        migrations: await readMigrations(tx, tenant),
      }));
    },
  };
}

/** What gives the tenant's passages their vectors, by the name under which those are kept. */
async function readEmbedder(tx: Tx, tenant: string): Promise<readonly ModelUse[]> {
  const { rows } = await sql<{ embedder: string }>`
    select embedder from countersign.embedding where tenant = ${tenant}`.execute(tx);
  return rows.map(({ embedder }) => {
    const name = parseModelName(embedder) ?? { provider: "embedder", id: embedder };
    return { ...name, use: { of: null, role: "embedder" }, owner: null };
  });
}

type Standings = Awaited<ReturnType<typeof readStandings>>;

/** Every model that is named or that stands kept, each once, by its name. Pure. */
function viewsOf(uses: readonly ModelUse[], standings: Standings): readonly ModelView[] {
  const named = Map.groupBy(uses, modelName);
  const kept = new Map(standings.map((one) => [one.model, one]));
  return [...new Set([...named.keys(), ...kept.keys()])].sort().map((model) => {
    const own = named.get(model) ?? [];
    const standing = kept.get(model);
    const owners = own.flatMap(({ owner }) => owner ?? []);
    const { provider, id } = parseModelName(model) ?? { provider: "", id: model };
    return {
      ...{ model, provider, id, uses: own.map(({ use }) => use) },
      owners: [...new Set([...owners, ...(standing?.owners ?? [])])].sort(),
      isPinned: standing?.isPinned ?? null,
      state: standing?.state ?? "unknown",
      ...{ shutdownOn: standing?.shutdownOn ?? null, daysLeft: standing?.daysLeft ?? null },
      ...{ lastTrainingOn: standing?.lastTrainingOn ?? null, source: standing?.source ?? null },
      ...{ isDue: standing?.isDue ?? false, checkedAt: standing?.checkedAt ?? null },
    };
  });
}

const mostMigrations = 20;
const mostBreaks = 20;
/** Of each migration the newest trials are counted: more take longer and say hardly more. */
const mostTrials = 2_000;

async function readMigrations(tx: Tx, tenant: string): Promise<readonly MigrationView[]> {
  const { rows } = await sql<MigrationRow>`
    select id, capability, old_model, new_model, stage, share_ppm, bounds, rolled_back_by, made_at, stage_at,
      signature is not null as is_signed
    from countersign.model_migration where tenant = ${tenant}
    order by stage in ('planned', 'shadow', 'canary_share') desc, made_at desc limit ${mostMigrations}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  const figures = Map.groupBy(await readTrials(tx, tenant, ids), ({ migration }) => migration);
  const breaks = Map.groupBy(await readBreaks(tx, tenant, ids), ({ migration }) => migration);
  return rows.map((row) => ({
    ...{ id: row.id, capability: row.capability, from: row.old_model, to: row.new_model, stage: row.stage },
    ...{ sharePpm: row.share_ppm, bounds: boundsForm.parse(JSON.parse(row.bounds)), rolledBackBy: row.rolled_back_by },
    ...{ madeAt: row.made_at.getTime(), stageAt: row.stage_at.getTime(), isSigned: row.is_signed },
    trials: (figures.get(row.id) ?? []).map(({ migration: _, ...one }) => one),
    breaks: (breaks.get(row.id) ?? []).map(({ migration: _, ...one }) => one),
  }));
}

const boundsForm = z.object({ leastTrials: z.int(), mostFailedPpm: z.int(), mostDisagreePpm: z.int() });

interface MigrationRow {
  readonly id: string;
  readonly capability: string;
  readonly old_model: string;
  readonly new_model: string;
  readonly stage: MigrationStage;
  readonly share_ppm: number;
  readonly bounds: string;
  readonly rolled_back_by: MigrationView["rolledBackBy"];
  readonly made_at: Date;
  readonly stage_at: Date;
  readonly is_signed: boolean;
}

function newestTrials(tenant: string, ids: readonly string[]) {
  return sql`unnest(${ids}::uuid[]) as of (id) cross join lateral (
      select * from countersign.model_trial where model_trial.tenant = ${tenant} and model_trial.migration = of.id
      order by decision_id desc limit ${mostTrials}) trial`;
}

type OfMigration<T> = T & { readonly migration: string };

async function readTrials(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
): Promise<readonly OfMigration<MigrationView["trials"][number]>[]> {
  const mean = (side: "old" | "new", figure: "ms" | "costMicros") =>
    sql`avg((${sql.ref(`${side}_figures`)}::json ->> ${figure}::text)::numeric)::float8`;
  const { rows } = await sql<OfMigration<MigrationView["trials"][number]>>`
    select migration, stage, count(*)::int as trials, count(*) filter (where breaks > 0)::int as broken,
      count(*) filter (where new_failed)::int as "newFailed", count(*) filter (where old_failed)::int as "oldFailed",
      count(*) filter (where not agrees and not new_failed and not old_failed)::int as disagreed,
      round(avg(prose_ppm))::int as "meanProsePpm",
      json_build_object('ms', ${mean("old", "ms")}, 'costMicros', ${mean("old", "costMicros")}) as old,
      json_build_object('ms', ${mean("new", "ms")}, 'costMicros', ${mean("new", "costMicros")}) as new
    from ${newestTrials(tenant, ids)}
    group by migration, stage order by stage desc`.execute(tx);
  return rows;
}

async function readBreaks(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
): Promise<readonly OfMigration<MigrationView["breaks"][number]>[]> {
  const { rows } = await sql<OfMigration<MigrationView["breaks"][number]>>`
    select * from (
      select migration, one ->> 'kind' as kind, one ->> 'path' as path, count(*)::int as trials,
        row_number() over (partition by migration order by count(*) desc, one ->> 'path') as place
      from ${newestTrials(tenant, ids)}, json_array_elements(differences::json) as one
      where breaks > 0 and one ->> 'kind' in (${sql.join(contractBreaks)})
      group by migration, one ->> 'kind', one ->> 'path'
    ) counted where place <= ${mostBreaks} order by migration, place`.execute(tx);
  return rows.map(({ migration, kind, path, trials }) => ({ migration, kind, path, trials }));
}
