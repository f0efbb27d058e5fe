import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { MigrationBounds } from "../contract/migration.ts";
import { type ModelName, modelName, readModelName } from "../contract/model-name.ts";
import { exchangeModel, isDecidedBy } from "../define/exchange-model.ts";
import { modelsOf } from "../define/models-of.ts";
import type { Project } from "../define/project.ts";
import type { OtherModel } from "../define/with-model.ts";
import { type MigrationReport, migrationReport, reportLines } from "../evals/migration/report.ts";
import { keepPlan, readMigration } from "../evals/migration/stages.ts";
import { readTrials } from "../evals/migration/trials.ts";
import { systemClock } from "../store/clock.ts";
import { uuidIds } from "../store/ids.ts";
import { wholeOf } from "./amounts.ts";
import { isInstalled, withOwnerUrl } from "./embedded-url.ts";
import { loadEntry } from "./load.ts";
import { print } from "./print.ts";

/** Does `work` under the owner's login of an installation that is there; looking for one makes none. Throws `configuration_invalid`. */
export async function inInstallation<T>(folder: string, work: (adminUrl: string) => Promise<T>): Promise<T> {
  const directory = resolve(folder);
  if (await isInstalled(directory)) return withOwnerUrl(directory, work);
  throw new CountersignError(
    "configuration_invalid",
    `nothing is installed in \`${folder}\`; name the installation with --directory`,
  );
}

/** What every step of a migration is given. */
export interface MigrateOptions {
  readonly tenant: string;
  readonly project: string;
  readonly directory: string;
  readonly json?: true;
}

interface PlanOptions extends MigrateOptions {
  readonly to: string;
  readonly from?: string;
  readonly effort?: string;
  readonly temperature?: string;
  readonly leastTrials: string;
  readonly mostFailed: string;
  readonly mostDisagree: string;
}

/**
 * Plans the migration of a capability from the model that its definition names to another: checks that the definition takes it, and writes it down.
 * Throws `unknown_capability`, `bad_request` for a model that does not decide it, `definition_invalid` for an id that is no pinned one, `migration_refused` where one goes on.
 */
export async function migratePlan(capability: string, options: PlanOptions): Promise<void> {
  const project = await loadEntry<Project>(options.project, "project");
  const definition = definitionOf(project, capability);
  const from = fromOf({ project, capability, named: options.from });
  const to: OtherModel = { ...readModelName(options.to), ...settingsOf(options) };
  refuseOther(definition, from);
  // Tried, so that what the definition does not take is refused now.
  exchangeModel(definition, { from, to });
  const bounds: MigrationBounds = {
    leastTrials: wholeOf("--least-trials", options.leastTrials, 1_000_000),
    mostFailedPpm: ppmOf("--most-failed", options.mostFailed),
    mostDisagreePpm: ppmOf("--most-disagree", options.mostDisagree),
  };
  const id = uuidIds(systemClock).next();
  const planned = {
    tenant: options.tenant,
    id,
    capability,
    oldModel: modelName(from),
    newModel: options.to,
    bounds,
  };
  await inInstallation(options.directory, (url) => keepPlan(url, { ...planned, choice: JSON.stringify(to) }));
  await migrateReport(capability, options);
}

/** Tells how far the migration of a capability is, with both models in one report. Throws `not_found`. */
export async function migrateReport(capability: string, options: MigrateOptions): Promise<void> {
  await tellReport(capability, options);
}

/** Tells the report of a capability's newest migration, and gives it. Throws `not_found`. */
export async function tellReport(capability: string, { tenant, directory, json }: MigrateOptions): Promise<MigrationReport> {
  const report = await inInstallation(directory, (url) => readReport(url, { tenant, capability }));
  print({ json, value: report, lines: reportLines(report) });
  return report;
}

/** The report of a capability's newest migration, under the owner's login. Throws `not_found`. */
export async function readReport(adminUrl: string, of: { tenant: string; capability: string }): Promise<MigrationReport> {
  const kept = await readMigration(adminUrl, of);
  return migrationReport({ kept, trials: await readTrials(adminUrl, kept) });
}

/** A capability of the project by its name. Throws `unknown_capability`. */
export function definitionOf({ capabilities }: Project, name: string) {
  const found = capabilities.find((one) => one.name === name);
  if (found === undefined) throw new CountersignError("unknown_capability", `the project has no capability \`${name}\``);
  return found;
}

/** What the definition names for deciding, unless another is named. */
function fromOf({ project, capability, named }: { project: Project; capability: string; named: string | undefined }): ModelName {
  if (named !== undefined) return readModelName(named);
  const model = modelsOf(project).find((one) => one.capability === capability && one.place === "decides")?.model;
  if (model !== undefined) return { provider: model.provider, id: model.id };
  throw new CountersignError("bad_request", `\`${capability}\` is decided by a rule, which is no model to be migrated`);
}

/** Both models walk live requests, and what they decide is compared: that says nothing of a model which decides none. */
function refuseOther(definition: ReturnType<typeof definitionOf>, from: ModelName): void {
  if (isDecidedBy(definition, from)) return;
  const { name, deciding } = definition;
  const decides = deciding.kind === "rule" ? "a rule" : `\`${modelName(deciding.model)}\``;
  throw new CountersignError(
    "bad_request",
    `\`${name}\` is decided by ${decides}, not by \`${modelName(from)}\`; the model that decides is migrated step by step. A second model, a judge and the model of retrieval are named anew in the definition and tried with \`countersign eval run\``,
  );
}

function settingsOf({ effort, temperature }: PlanOptions): Partial<OtherModel> {
  return {
    ...(effort === undefined ? {} : { effort: effort as NonNullable<OtherModel["effort"]> }), // a choice of the command line
    ...(temperature === undefined ? {} : { temperature: temperature === "none" ? null : numberOf("--temperature", temperature) }),
  };
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new CountersignError("bad_request", `${name} is a number, not \`${text.slice(0, 40)}\``);
}

/** A share from 0 to 1, in parts per million. Throws `bad_request`. */
export function ppmOf(name: string, text: string): number {
  const value = numberOf(name, text);
  if (value >= 0 && value <= 1) return Math.round(value * 1_000_000);
  throw new CountersignError("bad_request", `${name} is a part from 0 to 1, such as 0.05`);
}
