import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { modelName } from "../contract/model-name.ts";
import { modelsOf } from "../define/models-of.ts";
import type { Project } from "../define/project.ts";
import { type KeptMigration, readMigration, retire, rollBack, toCanaryShare, toShadow } from "../evals/migration/stages.ts";
import { migrationGrantText } from "../ledger/model-migrations.ts";
import { systemClock } from "../store/clock.ts";
import { signText } from "../store/signature.ts";
import { loadEntry } from "./load.ts";
import { inInstallation, type MigrateOptions, migrateReport, ppmOf, readReport } from "./migrate-model.ts";
import { peoplesKey, whoRuns } from "./signing-person.ts";

interface ShareOptions extends MigrateOptions {
  readonly share: string;
}

interface CanaryOptions extends ShareOptions {
  readonly reason: string;
  readonly by?: string;
}

/** Has live requests walked by the new model too; nothing comes of that. Throws `migration_refused` where the run stands against it. */
export async function migrateShadow(capability: string, options: ShareOptions): Promise<void> {
  const { tenant } = options;
  const sharePpm = ppmOf("--share", options.share);
  await inInstallation(options.directory, async (url) => {
    await refuseAgainst(url, { tenant, capability }, ["planned"]);
    await toShadow(url, { tenant, id: (await readMigration(url, { tenant, capability })).id, sharePpm });
  });
  await migrateReport(capability, options);
}

/**
 * Lets the new model decide a share, by a person's signature under the key with which the installation's people sign what the deciding half may do. Throws
 * `migration_refused` where the trials stand against it.
 */
export async function migrateCanary(capability: string, options: CanaryOptions): Promise<void> {
  const { tenant, reason } = options;
  const sharePpm = ppmOf("--share", options.share);
  if (reason.trim().length < 10 || reason.length > 500)
    throw new CountersignError("bad_request", "the reason has 10 to 500 characters: it stands on record");
  const home = resolve(options.directory);
  const key = await peoplesKey(home);
  await inInstallation(options.directory, async (url) => {
    await refuseAgainst(url, { tenant, capability }, ["shadow", "canary_share"]);
    const kept = await readMigration(url, { tenant, capability });
    const text = grantText(kept, { sharePpm, reason, by: options.by ?? whoRuns() });
    await toCanaryShare(url, {
      tenant,
      id: kept.id,
      sharePpm,
      grant: { text, keyId: key.keyId, signature: signText(key, text) },
    });
  });
  await migrateReport(capability, options);
}

/** Has the old model decide everything again. */
export async function migrateRollBack(capability: string, options: MigrateOptions): Promise<void> {
  const { tenant } = options;
  await inInstallation(options.directory, async (url) =>
    rollBack(url, { tenant, id: (await readMigration(url, { tenant, capability })).id }),
  );
  await migrateReport(capability, options);
}

/** Ends a migration whose share held. Throws `migration_refused` while trials are missing, or the definition still names the old model. */
export async function migrateRetire(capability: string, options: MigrateOptions): Promise<void> {
  const { tenant } = options;
  const project = await loadEntry<Project>(options.project, "project");
  await inInstallation(options.directory, async (url) => {
    await refuseAgainst(url, { tenant, capability }, ["canary_share"]);
    const kept = await readMigration(url, { tenant, capability });
    refuseNamed(project, kept);
    await retire(url, { tenant, id: kept.id });
  });
  await migrateReport(capability, options);
}

async function refuseAgainst(
  url: string,
  of: { tenant: string; capability: string },
  stages: readonly KeptMigration["stage"][],
): Promise<void> {
  const { migration, against } = await readReport(url, of);
  if (!stages.includes(migration.stage))
    throw new CountersignError(
      "migration_refused",
      `the migration is in stage ${migration.stage}; see \`countersign migrate report\``,
    );
  // A share is made smaller whatever stands against it by rolling back.
  if (against.length > 0) throw new CountersignError("migration_refused", `this stands against it: ${against.join("; ")}`);
}

function refuseNamed(project: Project, { capability, oldModel }: KeptMigration): void {
  const named = modelsOf(project).filter((one) => one.capability === capability && modelName(one.model) === oldModel);
  if (named.length === 0) return;
  throw new CountersignError(
    "migration_refused",
    `${named.map(({ of }) => of).join(", ")} still names \`${oldModel}\`; name the new model in the definition first`,
  );
}

function grantText(kept: KeptMigration, { sharePpm, reason, by }: { sharePpm: number; reason: string; by: string }): string {
  const { tenant, id, capability, oldModel, choice } = kept;
  const to = JSON.parse(choice) as JsonObject; // written by `migrate plan`
  return migrationGrantText({
    ...{ tenant, migration: id, capability, from: oldModel, to, sharePpm, by, reason },
    at: systemClock.now(),
  });
}
