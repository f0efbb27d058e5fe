import type pg from "pg";
import { CountersignError } from "../../contract/errors.ts";
import type { MigrationBounds, MigrationStage } from "../../contract/migration.ts";
import { asOwner } from "../../store/owner.ts";

/** A migration as whoever runs the installation sees it. */
export interface KeptMigration {
  readonly tenant: string;
  readonly id: string;
  readonly capability: string;
  readonly oldModel: string;
  readonly newModel: string;
  readonly choice: string;
  readonly stage: MigrationStage;
  readonly sharePpm: number;
  readonly bounds: MigrationBounds;
  readonly report: string | null;
  readonly rolledBackBy: string | null;
  /** Milliseconds since the epoch. */
  readonly stageAt: number;
}

/** What was signed so that the new model decides. */
export interface SignedGrant {
  readonly text: string;
  readonly keyId: string;
  readonly signature: string;
}

type Planned = Pick<KeptMigration, "tenant" | "id" | "capability" | "oldModel" | "newModel" | "choice" | "bounds">;

/** Writes down what is to be migrated, under the owner's login. Throws `migration_refused` where one of that capability goes on. */
export function keepPlan(adminUrl: string, planned: Planned): Promise<void> {
  const { tenant, id, capability, oldModel, newModel, choice, bounds } = planned;
  return asOwner(adminUrl, async (client) => {
    const { rowCount } = await client.query(
      `insert into model_migration (tenant, id, capability, old_model, new_model, choice, bounds) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (tenant, capability) where stage in ('planned', 'shadow', 'canary_share') do nothing`,
      [tenant, id, capability, oldModel, newModel, choice, JSON.stringify(bounds)],
    );
    if (rowCount === 0) throw refused(`a migration of \`${capability}\` goes on already; retire it or roll it back first`);
  });
}

/** Keeps what the run over the eval cases came to, and what the old model's replies look like. */
export function keepRun(
  adminUrl: string,
  { tenant, id, report, usual }: { tenant: string; id: string; report: string; usual: string },
): Promise<void> {
  const sql = "update model_migration set report = $3, usual = $4 where tenant = $1 and id = $2 and stage = 'planned'";
  return asOwner(adminUrl, (client) => changed(client, sql, [tenant, id, report, usual], "it is planned"));
}

/** Has live requests walked by the new model too, for a part of them; nothing comes of it. Throws `migration_refused` but while it is planned. */
export function toShadow(
  adminUrl: string,
  { tenant, id, sharePpm }: { tenant: string; id: string; sharePpm: number },
): Promise<void> {
  const sql = `update model_migration set stage = 'shadow', share_ppm = $3, stage_at = clock_timestamp()
      where tenant = $1 and id = $2 and stage = 'planned'`;
  return asOwner(adminUrl, (client) => changed(client, sql, [tenant, id, sharePpm], "it is planned"));
}

/** Lets the new model decide a part of what comes. The deciding half goes by the signature, and not by the row alone. */
export function toCanaryShare(
  adminUrl: string,
  { tenant, id, sharePpm, grant }: { tenant: string; id: string; sharePpm: number; grant: SignedGrant },
): Promise<void> {
  const sql = `update model_migration set stage = 'canary_share', share_ppm = $3, stage_at = clock_timestamp(), signed = $4, key_id = $5,
      signature = $6 where tenant = $1 and id = $2 and stage in ('shadow', 'canary_share')`;
  const values = [tenant, id, sharePpm, grant.text, grant.keyId, grant.signature];
  return asOwner(adminUrl, (client) => changed(client, sql, values, "it is in shadow or has a share"));
}

/** Has the old model decide everything again, by a person's word. */
export function rollBack(adminUrl: string, { tenant, id }: { tenant: string; id: string }): Promise<void> {
  const sql = `update model_migration set stage = 'rolled_back', rolled_back_by = 'person', stage_at = clock_timestamp()
      where tenant = $1 and id = $2 and stage in ('planned', 'shadow', 'canary_share')`;
  return asOwner(adminUrl, (client) => changed(client, sql, [tenant, id], "it goes on"));
}

/** Ends a migration whose share held. */
export function retire(adminUrl: string, { tenant, id }: { tenant: string; id: string }): Promise<void> {
  const sql = `update model_migration set stage = 'retired', stage_at = clock_timestamp()
      where tenant = $1 and id = $2 and stage = 'canary_share'`;
  return asOwner(adminUrl, (client) => changed(client, sql, [tenant, id], "the new model decides a share"));
}

async function changed(client: pg.Client, sql: string, values: readonly unknown[], state: string): Promise<void> {
  const { rowCount } = await client.query(sql, [...values]);
  if (rowCount === 0) throw refused(`this is done only while ${state}; see \`countersign migrate report\``);
}

function refused(message: string): CountersignError {
  return new CountersignError("migration_refused", message);
}

interface Row extends Omit<KeptMigration, "bounds" | "stageAt"> {
  readonly bounds: string;
  readonly stageAt: string;
}

/** The newest migration of a capability, or the one of an id. Throws `not_found`. */
export function readMigration(
  adminUrl: string,
  { tenant, capability }: { tenant: string; capability: string },
): Promise<KeptMigration> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<Row>(
      `select tenant, id, capability, old_model as "oldModel", new_model as "newModel", choice, stage, share_ppm as "sharePpm", bounds, report,
         rolled_back_by as "rolledBackBy", (extract(epoch from stage_at) * 1000)::bigint as "stageAt"
       from model_migration where tenant = $1 and capability = $2 order by made_at desc, id desc limit 1`,
      [tenant, capability],
    );
    const row = rows[0];
    if (row === undefined)
      throw new CountersignError(
        "not_found",
        `nothing of \`${capability}\` was planned to be migrated; see \`countersign migrate plan\``,
      );
    return { ...row, bounds: JSON.parse(row.bounds), stageAt: Number(row.stageAt) };
  });
}
