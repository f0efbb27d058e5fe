import { CountersignError } from "../contract/errors.ts";
import { readModelName } from "../contract/model-name.ts";
import type { Project } from "../define/project.ts";
import type { OtherModel } from "../define/with-model.ts";
import { type Comparison, compareRuns, type ModelRun, usualOf } from "../evals/migration/compare-runs.ts";
import { contractOfPlayed } from "../evals/migration/contract-of-played.ts";
import { keepRun, readMigration } from "../evals/migration/stages.ts";
import { wholeOf } from "./amounts.ts";
import { loadEntry } from "./load.ts";
import { definitionOf, inInstallation, type MigrateOptions, tellReport } from "./migrate-model.ts";
import { runEvals } from "./run-evals.ts";

interface RunOptions extends MigrateOptions {
  readonly repeats: string;
  readonly parallel: string;
  /** Choices of the command line. */
  readonly efforts?: readonly Effort[];
}

type Effort = NonNullable<OtherModel["effort"]>;

/**
 * Plays the eval cases of a capability with the old model and with the new one, at the planned effort and every other that is named, and keeps how the contracts, decisions,
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
  const of = {
    ...{ project, directory, capability },
    ...{ repeats: wholeOf("--repeats", options.repeats, 1_000), parallel: wholeOf("--parallel", options.parallel, 1_000) },
  };
  const choice = JSON.parse(kept.choice) as OtherModel; // written by `migrate plan` in this form
  const definition = definitionOf(await loadEntry<Project>(project, "project"), capability);
  const old = await played(of, readModelName(kept.oldModel));
  const comparisons: Comparison[] = [];
  for (const effort of effortsOf(choice, options.efforts)) {
    const next = await played(of, effort === null ? choice : { ...choice, effort });
    comparisons.push(compareRuns({ old, next, effort, capability: definition }));
  }
  const usual = JSON.stringify(Object.fromEntries([...usualOf(old, definition)].map(([path, forms]) => [path, [...forms]])));
  await inInstallation(directory, (url) => keepRun(url, { tenant, id: kept.id, report: JSON.stringify(comparisons), usual }));
  const { against } = await tellReport(capability, options);
  if (against.length > 0) process.exitCode = 1;
}

/** The planned effort first, which is the one that is taken up; `null` is the definition's own. Each once. */
function effortsOf({ effort }: OtherModel, further: RunOptions["efforts"] = []): readonly (Effort | null)[] {
  return [...new Set<Effort | null>([effort ?? null, ...further])];
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
