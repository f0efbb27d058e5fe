import type { Embedder } from "../contract/embedder.ts";
import type { IngestingParts } from "../define/ingesting.ts";
import type { Project } from "../define/project.ts";
import { createIngest, type RunReport, readSourceLags } from "../ingest.ts";
import { systemClock } from "../store/clock.ts";
import { openDatabase } from "../store/database.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import { declaredNames } from "./declared-names.ts";
import { hasEntry, loadEntry } from "./load.ts";
import { backgroundLog, logWarning } from "./log-fault.ts";
import { openWatched } from "./metrics-place.ts";
import { type Running, runProcess } from "./process-life.ts";
import { settingOf } from "./setting.ts";

/** Runs the reader of documents: follows the project's sources, files what they hold and gives it vectors. Under the role `ingesting`; it answers no requests. */
export function ingest(): Promise<void> {
  return runProcess(open);
}

/**
 * The first comparison is waited for, so that who asks right after the start finds what is there; until the process is so old, in
 * milliseconds, which is less than `start` waits for it. A long one goes on, and answers say meanwhile that the index is behind.
 */
const readyAtAgeMs = 25_000;

async function open(): Promise<Running> {
  const projectFolder = settingOf("COUNTERSIGN_PROJECT");
  const project = await loadEntry<Project>(projectFolder, "project");
  const embedder = await openEmbedder(projectFolder);
  const database = openDatabase({ url: settingOf("COUNTERSIGN_INGESTING_URL"), role: "ingesting" });
  const lags = async () => (await acrossTenants({ database, look: readSourceLags })) ?? [];
  const gauges = async () =>
    (await lags()).map(({ source, behindMs }) => ({
      name: "countersign.index.lag" as const,
      labels: { source },
      value: behindMs / 1000,
    }));
  const watched = await openWatched({ process: "ingest", names: declaredNames(project), gauges }, settingOf);
  const first = Promise.withResolvers<void>();
  const left = new Set(project.sources.map(({ name }) => name));
  const reader = createIngest({
    ...{ project, projectFolder, database, embedder, clock: systemClock, onError: backgroundLog("ingest") },
    onRun: (report) => {
      for (const line of linesOf(report)) logWarning(line);
    },
    onRound: (source) => {
      left.delete(source);
      if (left.size === 0) first.resolve();
    },
  });
  reader.start();
  const patience = setTimeout(first.resolve, Math.max(0, readyAtAgeMs - process.uptime() * 1000));
  if (left.size > 0) await first.promise;
  clearTimeout(patience);
  return {
    url: null,
    close: async () => {
      await reader.stop();
      await watched.close();
      await database.close();
    },
  };
}

/** The embedder that the project's `ingest.ts` names, opened with its key; `null` where there is no such file. */
async function openEmbedder(projectFolder: string): Promise<Embedder | null> {
  if (!hasEntry(projectFolder, "ingest")) return null;
  const { embedder } = await loadEntry<IngestingParts>(projectFolder, "ingest");
  return embedder.open(embedder.secret === null ? null : settingOf(embedder.secret));
}

/** What an operator should know of a run: what was done, and each file that is not filed, by its name. */
function linesOf({ tenant, source, isComplete, detail, filed, removed, rescoped, faults }: RunReport): readonly string[] {
  const of = `source \`${source}\` of \`${tenant}\``;
  const counts = `${filed} filed, ${removed} removed, ${rescoped} with other access`;
  return [
    `${of}: ${counts}${isComplete ? "" : `; not complete: ${detail}`}`,
    ...faults.map((one) => `${of}: \`${one.path}\` is not filed (${one.fault}): ${one.detail}`),
  ];
}
