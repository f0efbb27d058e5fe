import { sql } from "kysely";
import { z } from "zod";
import { efforts } from "../contract/capability.ts";
import { canonicalJson, type JsonObject } from "../contract/json.ts";
import type { MigrationStage, MigrationTrial, ModelMigrations, RunningMigration } from "../contract/migration.ts";
import { modelName, readModelName } from "../contract/model-name.ts";
import type { Database } from "../store/database.ts";

const choiceForm = z.strictObject({
  provider: z.string(),
  id: z.string(),
  effort: z.enum(efforts).exactOptional(),
  temperature: z.number().nullable().exactOptional(),
  maxOutputTokens: z.int().exactOptional(),
});
const usualForm = z.record(z.string(), z.array(z.string()));

interface Row {
  readonly id: string;
  readonly tenant: string;
  readonly capability: string;
  readonly old_model: string;
  readonly choice: string;
  readonly stage: "shadow" | "canary_share";
  readonly share_ppm: number;
  readonly usual: string | null;
  readonly signed: string | null;
  readonly key_id: string | null;
  readonly signature: string | null;
}

/** Opens what a deciding process knows of migrations, under the role `deciding`. `isSigned` says of a signed text whether it was signed by somebody who may. */
export function openModelMigrations(
  database: Database,
  isSigned: (signed: { text: string; keyId: string; signature: string }) => boolean,
): ModelMigrations {
  return {
    running: (tenant) => readRunning(database, tenant),
    record: (trial) => recordTrial(database, trial),
    isGranted: (migration) => migration.grant !== null && isSigned(migration.grant) && isGrantFor(migration),
  };
}

async function readRunning(database: Database, tenant: string): Promise<readonly RunningMigration[]> {
  const { rows } = await database.inTenant(tenant, (tx) =>
    sql<Row>`
      select id, tenant, capability, old_model, choice, stage, share_ppm, usual, signed, key_id, signature from model_migration
      where tenant = ${tenant} and stage in ('shadow', 'canary_share')`.execute(tx),
  );
  return rows.map(migrationOf);
}

function migrationOf({ id, tenant, capability, old_model, choice, stage, share_ppm, usual, ...signed }: Row): RunningMigration {
  const { signed: text, key_id: keyId, signature } = signed;
  const shapes = usual === null ? {} : usualForm.parse(JSON.parse(usual));
  return {
    ...{
      id,
      tenant,
      capability,
      stage,
      sharePpm: share_ppm,
      from: readModelName(old_model),
      to: choiceForm.parse(JSON.parse(choice)),
    },
    usual: new Map(Object.entries(shapes).map(([path, forms]) => [path, new Set(forms)])),
    grant: text === null || keyId === null || signature === null ? null : { text, keyId, signature },
  };
}

/** The text that whoever lets a new model decide signs: which migration of whose, how much of it, who and why. */
export function migrationGrantText(grant: {
  readonly tenant: string;
  readonly migration: string;
  readonly capability: string;
  readonly from: string;
  readonly to: JsonObject;
  readonly sharePpm: number;
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}): string {
  return canonicalJson({ kind: "model_migration", version: 1, ...grant });
}

const grantForm = z.looseObject({
  kind: z.literal("model_migration"),
  tenant: z.string(),
  migration: z.string(),
  capability: z.string(),
  from: z.string(),
  to: z.looseObject({ provider: z.string(), id: z.string() }),
  sharePpm: z.int(),
});

/** Whether the signed text is for this very migration and share; what was signed for another says nothing. */
function isGrantFor({ grant, ...migration }: RunningMigration): boolean {
  if (grant === null) return false;
  const { data } = grantForm.safeParse(jsonOf(grant.text));
  if (data === undefined) return false;
  const { from, to } = migration;
  const is = [
    data.tenant === migration.tenant,
    data.migration === migration.id,
    data.capability === migration.capability,
    data.sharePpm === migration.sharePpm,
    data.from === modelName(from),
    canonicalJson(data.to as JsonObject) === canonicalJson(to as unknown as JsonObject), // both are plain, by their forms
  ];
  return is.every(Boolean);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Most breaks of a contract that one trial keeps by their paths; all are counted. */
const mostDifferences = 50;

async function recordTrial(
  database: Database,
  { migration, decisionId, result }: MigrationTrial,
): Promise<MigrationStage | null> {
  const { tenant, id, stage } = migration;
  const { differences, oldFailed, newFailed, agrees, prosePpm } = result;
  const kept = JSON.stringify(
    differences.slice(0, mostDifferences).map(({ kind, path }) => ({ kind, path: path.slice(0, 300) })),
  );
  const { rows } = await database.inTenant(tenant, (tx) =>
    sql<{ stage: MigrationStage | null }>`
      select record_model_trial(${tenant}, ${id}, ${decisionId}, ${stage}, ${kept}, ${differences.length}, ${oldFailed}, ${newFailed}, ${agrees},
        ${prosePpm}, ${JSON.stringify(result.old)}, ${JSON.stringify(result.new)}) as stage`.execute(tx),
  );
  return rows[0]?.stage ?? null;
}
