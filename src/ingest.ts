/**
 * Builds the reader of documents: follows the folders that a project declares and keeps the index to what they hold. Files documents and
 * does nothing else: it has no way to a decision, an approval or an effect, and its role in the database sees none.
 */
import { resolve } from "node:path";
import type { Embedder } from "./contract/embedder.ts";
import type { Clock } from "./contract/ports.ts";
import type { Project } from "./define/project.ts";
import { type Following, followSource } from "./know/ingest/follow-source.ts";
import type { Library } from "./know/ingest/library.ts";
import type { ParseLimits } from "./know/ingest/parse-apart.ts";
import type { RunReport } from "./know/ingest/run-report.ts";
import { keepVectors } from "./know/search/keep-vectors.ts";
import { changeScopes, fileDocuments, rebuildIndex, removeDocument } from "./know/search/write.ts";
import type { Database } from "./store/database.ts";
import { type Loop, startLoop } from "./store/loop.ts";

export { fileByHand, type HandReport } from "./know/ingest/file-by-hand.ts";
export { readSourceLags } from "./know/ingest/lag.ts";
export { openParser } from "./know/ingest/parse-apart.ts";
export { removeByHand } from "./know/ingest/remove-by-hand.ts";
export type { RunReport } from "./know/ingest/run-report.ts";
export { type IndexStatus, readStatus, type SourceStatus } from "./know/ingest/status.ts";

/** What the reader of documents is built from. */
export interface IngestParts {
  readonly project: Project;
  /** Where relative folders of sources begin. */
  readonly projectFolder: string;
  /** Under the role `ingesting`; the caller closes it. */
  readonly database: Database;
  readonly clock: Clock;
  /** Gives passages their vectors; without one they are found by their words. */
  readonly embedder?: Embedder | null;
  /** Told of every fault that is none of a file. */
  readonly onError: (thrown: unknown) => void;
  /** Told of every run that did something or is not complete. */
  readonly onRun?: (report: RunReport) => void;
  /** Told of a source's name when it has been compared for each of its tenants, or could not be. */
  readonly onRound?: (source: string) => void;
  readonly parseLimits?: ParseLimits;
}

/** The reader of documents. `start` follows all sources until `stop`; `runOnce` compares each once and gives what is missing of vectors. */
export interface Ingest {
  readonly runOnce: () => Promise<readonly RunReport[]>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Makes the whole index of a tenant anew from the texts of its passages, and says of how many documents. Searches go on meanwhile as before,
 * and whoever files waits.
 */
export function rebuildByHand(database: Database, { tenant }: { tenant: string }): Promise<number> {
  return database.inTenant(tenant, (tx) => rebuildIndex(tx, { tenant }));
}

/** How often it is looked whether a source is due, in milliseconds. */
const restMs = 100;

/** The index as ingest may change it. */
export const library: Library = { file: fileDocuments, remove: removeDocument, changeScopes };

/** How often it is looked whether passages have no vector, in milliseconds. */
const vectorRestMs = 500;

/**
 * Builds the reader of documents. Each source has a loop and a parser of its own, so that a slow one holds up no other; vectors have one,
 * so that a document is found by its words however long they take.
 */
export function createIngest(parts: IngestParts): Ingest {
  const { project, projectFolder, database, clock, onError, onRun = () => {}, onRound = () => {} } = parts;
  const tenants = () => openTenants(database);
  const followed = project.sources.map((source) => {
    const folder = resolve(projectFolder, source.folder);
    const following = followSource({ database, library, clock, source, tenants, folder, parseLimits: parts.parseLimits });
    return { name: source.name, ...following };
  });
  const vectors = parts.embedder == null ? null : keepVectors({ database, embedder: parts.embedder, clock, tenants });
  let loops: readonly Loop[] = [];
  const round = async (one: Following & { readonly name: string }): Promise<void> => {
    try {
      for (const report of await one.round()) if (isWorthTelling(report)) onRun(report);
    } finally {
      onRound(one.name);
    }
  };
  return {
    async runOnce() {
      const reports: RunReport[] = [];
      for (const one of followed) reports.push(...(await one.round(true)));
      await vectors?.round();
      return reports;
    },
    start() {
      if (loops.length > 0) return;
      loops = followed.map((one) => {
        one.watch();
        return startLoop({ work: () => round(one), everyMs: restMs, onError });
      });
      if (vectors !== null) loops = [...loops, startLoop({ work: vectors.round, everyMs: vectorRestMs, onError })];
    },
    async stop() {
      for (const one of followed) one.stop();
      vectors?.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
      loops = [];
    },
  };
}

function isWorthTelling({ isComplete, filed, removed, rescoped }: RunReport): boolean {
  return !isComplete || filed + removed + rescoped > 0;
}

async function openTenants(database: Database): Promise<readonly string[]> {
  const rows = await database.untenanted((store) =>
    store.selectFrom("tenant").select("id").where("state", "<>", "closed").orderBy("id").execute(),
  );
  return rows.map(({ id }) => id);
}
