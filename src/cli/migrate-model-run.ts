import { CountersignError } from "../contract/errors.ts";
import type { OtherModel } from "../define/with-model.ts";
import { type Comparison, compareRuns, type ModelRun, usualOf } from "../evals/migration/compare-runs.ts";
import { contractOfPlayed } from "../evals/migration/contract-of-played.ts";
import { type KeptMigration, keepRun, readMigration } from "../evals/migration/stages.ts";
import { inInstallation, type MigrateOptions, migrateReport } from "./migrate-model.ts";
import { runEvals } from "./run-evals.ts";

interface RunOptions extends MigrateOptions {
  readonly repeats: string;
  readonly parallel: string;
  readonly efforts?: readonly string[];
}

/**
 * Plays the eval cases of a capability with the old model and with the new one, at every effort that is named, and keeps how the contracts, decisions,
 * prose, scores, times and bills of the two compare: exit code 1 where something stands against going on. Throws what `runEvals` throws.
 */
export async function migrateRun(capability: string, options: RunOptions): Promise<void> {
  const { tenant, project, directory } = options;
  const kept = await inInstallation(directory, (url) => readMigration(url, { tenant, capability }));
  if (kept.stage !== "planned")
    throw new CountersignError(
      "migration_refused",
      `the migration is in stage ${kept.stage}; it is run over eval cases while it is planned`,
    );
  const of = { project, directory, capability, repeats: wholeOf(options.repeats), parallel: wholeOf(options.parallel) };
  const choice = JSON.parse(kept.choice) as OtherModel; // written by `migrate plan` in this form
  const old = await played(of, modelOf(kept.oldModel));
  const comparisons: Comparison[] = [];
  for (const effort of options.efforts ?? [null]) {
    const next = await played(of, effort === null ? choice : { ...choice, effort: effort as NonNullable<OtherModel["effort"]> }); // a choice of the command line
    comparisons.push(compareRuns({ old, next, effort }));
  }
  const usual = JSON.stringify(Object.fromEntries([...usualOf(old)].map(([path, forms]) => [path, [...forms]])));
  await inInstallation(directory, (url) => keepRun(url, { tenant, id: kept.id, report: JSON.stringify(comparisons), usual }));
  await migrateReport(capability, options);
  if (comparisons.some(({ pairs, broken, failed }) => pairs === 0 || broken + failed > 0)) process.exitCode = 1;
}

interface Playing {
  readonly project: string;
  readonly directory: string;
  readonly capability: string;
  readonly repeats: number;
  readonly parallel: number;
}

async function played({ capability, ...of }: Playing, model: OtherModel): Promise<ModelRun> {
  const contracts = new Map<string, NonNullable<ReturnType<typeof contractOfPlayed>>>();
  const run = await runEvals({
    ...{ ...of, capabilities: [capability], passRate: 1, model, ofCapability: capability },
    onPlayed: ({ one, repeat }, what) => {
      const contract = contractOfPlayed(what);
      if (contract !== null) contracts.set(`${one.id}\n${repeat}`, contract);
    },
  });
  return { run, contracts };
}

function modelOf(booked: KeptMigration["oldModel"]): OtherModel {
  const at = booked.indexOf("/");
  return { provider: booked.slice(0, at), id: booked.slice(at + 1) };
}

function wholeOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1000) return value;
  throw new CountersignError("bad_request", "repeats and parallel are whole numbers from 1 to 1000");
}
