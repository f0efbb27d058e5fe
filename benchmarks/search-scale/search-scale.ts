/**
 * Search over 100,000 passages of which the asker may see few, some or all: how long it takes, whether it finds what a look at everything
 * would find, and whether a change is in force for the next query; beside SQLite FTS5, MiniSearch and LanceDB.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { vectorsOf } from "../../src/contract/embedder.ts";
import { denseLeg } from "../../src/know/search/dense-leg.ts";
import { type Leg, wordsLeg } from "../../src/know/search/search.ts";
import { systemClock } from "../../src/store/clock.ts";
import { hashedEmbedder } from "../../src/testing/hashed-embedder.ts";
import { openSearchStand, type SearchStand } from "../knowledge/stand.ts";
import { type Machine, machineOf } from "../operations/machine.ts";
import { type Changes, tryChanges } from "./changes.ts";
import { type Cell, type Corpus, cells, makeCorpus, versionOf } from "./corpus.ts";
import { exactVectors, exactWords, recallOf, type Scores } from "./exact.ts";
import { type PeerReport, runPeers } from "./peers.ts";
import { type Spread, spreadOf } from "./spread.ts";

/** What was measured. Times are of a whole search, its transaction, its permissions and the reading of what was found included. */
export interface SearchScaleReport {
  readonly name: "search-scale";
  readonly passages: number;
  readonly dimensions: number;
  readonly embedder: string;
  readonly ingest: Ingest;
  readonly cells: readonly CellReport[];
  readonly changes: readonly Changes[];
  readonly peers: readonly PeerReport[] | null;
  readonly bars: readonly Bar[];
  readonly passed: boolean;
  readonly machine: Machine;
}

interface Ingest {
  readonly passagesPerSecond: number;
  readonly textBytes: number;
  /** Of each table with its indexes, in bytes. */
  readonly tables: { readonly [table: string]: number };
  readonly coldDenseMs: number | null;
}

interface CellReport extends Spread {
  readonly leg: string;
  readonly share: number;
  readonly permitted: number;
  readonly recall: number;
  /** Found passages that the asker may not see. */
  readonly leaks: number;
}

interface Bar {
  readonly name: string;
  readonly atMost: number;
  readonly measured: number;
  readonly passed: boolean;
}

const queriesOfCell = 60;
const documentsAtOnce = 200;

/** Runs the benchmark; `count` passages instead of 100,000 are for a look and not for a figure. */
export async function searchScale({
  count,
  notice,
}: {
  count: number | null;
  notice: (line: string) => void;
}): Promise<SearchScaleReport> {
  const loadBefore = loadavg();
  const passages = count ?? 100_000;
  const corpus = makeCorpus({ passages, queries: queriesOfCell });
  const embedder = hashedEmbedder();
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-peers-"));
  const stand = await openSearchStand({ max_wal_size: "8GB", shared_buffers: "512MB" });
  try {
    const { seconds, vectors } = await fill(stand, { corpus, embedder, notice });
    const dense = denseLeg({ embedder, clock: systemClock });
    const ingest = { passagesPerSecond: Math.round(passages / seconds), ...(await sizes(stand, corpus)) };
    const queries = [...corpus.queries.values()].flat();
    const queryVectors = new Map<string, Float32Array>();
    for (const query of queries) queryVectors.set(query, await embedder.embedQuery(query));
    const words = exactWords(corpus, queries);
    const near = exactVectors(corpus, vectors);
    const nearQuery = (query: string, cell: Cell) => near(queryVectors.get(query) ?? new Float32Array(), cell);
    const coldDenseMs = await timeOf(() => stand.search({ query: queries[0] ?? "", scopes: ["all"], limit: 10, legs: [dense] }));
    const legs: readonly Measured[] = [
      { leg: wordsLeg(), exact: words, slack: 0 },
      // Ours adds in another order than the reference.
      { leg: dense, exact: nearQuery, slack: 1e-9 },
    ];
    const measured: CellReport[] = [];
    for (const leg of legs) for (const cell of cells) measured.push(await measure(stand, { ...leg, cell, corpus, notice }));
    const changes: Changes[] = [];
    for (const [at, { leg }] of legs.entries()) {
      const query = corpus.queries.get(cells[2])?.[at + 7] ?? "";
      changes.push(await tryChanges(stand, { leg, query, label: cells[2].label, others: [cells[3].label] }));
    }
    const peers = await runPeers({ corpus, vectors, queryVectors, exact: near, directory, notice });
    const bars = barsOf(measured, changes);
    return {
      ...{ name: "search-scale", passages, dimensions: embedder.dimensions, embedder: "hashed n-grams, no model" },
      ...{ ingest: { ...ingest, coldDenseMs }, cells: measured, changes, peers, bars },
      ...{ passed: bars.every(({ passed }) => passed), machine: machineOf(loadBefore) },
    };
  } finally {
    await stand.close();
    await rm(directory, { recursive: true, force: true });
  }
}

type Filling = { corpus: Corpus; embedder: ReturnType<typeof hashedEmbedder>; notice: (line: string) => void };

async function fill(stand: SearchStand, { corpus, embedder, notice }: Filling) {
  const name = vectorsOf(embedder);
  const vectors: Float32Array[] = [];
  let ms = 0;
  for (let at = 0; at < corpus.documents.length; at += documentsAtOnce) {
    const part = corpus.documents.slice(at, at + documentsAtOnce);
    const versions = await Promise.all(part.map((document) => versionOf(document, { name, embedder })));
    for (const { passages } of versions)
      for (const { vectors: own = {} } of passages) vectors.push(own[name] ?? new Float32Array());
    ms += await timeOf(() => stand.file(versions));
    if (at % 2_000 === 0) notice(`${at} documents are filed, ${Math.round(ms / 1000)} s`);
  }
  return { seconds: ms / 1000, vectors };
}

async function sizes(stand: SearchStand, { documents }: Corpus): Promise<Pick<Ingest, "textBytes" | "tables">> {
  const admin = new Client({ connectionString: stand.adminUrl });
  await admin.connect();
  try {
    // As autovacuum would have, by and by.
    await admin.query("vacuum analyze");
    const { rows } = await admin.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid)::text as bytes from pg_class
       where relname = any ($1) and relnamespace = 'countersign'::regnamespace order by relname`,
      [["document", "passage", "posting", "audience_term", "passage_vector"]],
    );
    const textBytes = documents.reduce((sum, { passages }) => sum + Buffer.byteLength(passages.join("")), 0);
    return { textBytes, tables: Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)])) };
  } finally {
    await admin.end();
  }
}

interface Measured {
  readonly leg: Leg;
  readonly exact: (query: string, cell: Cell) => Scores;
  readonly slack: number;
}

async function measure(
  stand: SearchStand,
  { leg, exact, slack, cell, corpus, notice }: Measured & { cell: Cell; corpus: Corpus; notice: (line: string) => void },
): Promise<CellReport> {
  const queries = corpus.queries.get(cell) ?? [];
  const search = (query: string) => stand.search({ query, scopes: [cell.label], limit: 10, legs: [leg] });
  for (const query of queries.slice(0, 10)) await search(query);
  const ms: number[] = [];
  let recall = 0;
  let leaks = 0;
  for (const query of queries) {
    const begun = performance.now();
    const { content } = await search(query);
    ms.push(performance.now() - begun);
    const scores = exact(query, cell);
    recall += recallOf(
      content.map(({ document, id }) => `${document}:${id.split(":").at(-1)}`),
      scores,
      slack,
    );
    leaks += content.filter(({ document }) => Number(document.slice(1)) % cell.every !== 0).length;
  }
  const permitted = corpus.documents.reduce(
    (sum, { labels, passages }) => sum + (labels.includes(cell.label) ? passages.length : 0),
    0,
  );
  const report = {
    leg: leg.name,
    share: cell.share,
    permitted,
    ...spreadOf(ms),
    recall: Math.round((recall / queries.length) * 1e4) / 1e4,
    leaks,
  };
  notice(JSON.stringify(report));
  return report;
}

function barsOf(measured: readonly CellReport[], changes: readonly Changes[]): readonly Bar[] {
  const most = (name: string, atMost: number, values: readonly number[]): Bar => {
    const value = Math.max(...values);
    return { name, atMost, measured: value, passed: value <= atMost };
  };
  const of = (leg: string, least: number, highest: number) =>
    measured.filter((cell) => cell.leg === leg && cell.share >= least && cell.share <= highest).map(({ p50 }) => p50);
  return [
    most("lexical p50 in ms, at most 10 % permitted", 10, of("lexical", 0, 0.1)),
    most("lexical p50 in ms, everything permitted", 20, of("lexical", 1, 1)),
    most("dense exact p50 in ms, at most 10 % permitted", 35, of("dense", 0, 0.1)),
    most(
      "share missed of the exact ten, worst cell",
      0,
      measured.map(({ recall }) => 1 - recall),
    ),
    most(
      "passages that the asker may not see",
      0,
      measured.map(({ leaks }) => leaks),
    ),
    most(
      "changes that were not in force for the next query",
      0,
      changes.map((one) => [one.permissionTaken, one.permissionGiven, one.deleted].filter((inForce) => !inForce).length),
    ),
  ];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return Math.round(performance.now() - begun);
}
