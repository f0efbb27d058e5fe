/** The searches of others: each in a process of its own over `benchmarks/peers/search`, with the same texts, labels, queries and vectors. */
import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { startChild } from "../operations/child.ts";
import { installPeers } from "../peers/install.ts";
import { type Cell, type Corpus, cells } from "./corpus.ts";
import { recallOf, type Scores } from "./exact.ts";
import { type Spread, spreadOf } from "./spread.ts";

const folder = fileURLToPath(new URL("../peers/search/", import.meta.url));

const peers = [
  { name: "SQLite FTS5", key: "fts5", legs: ["words"] },
  { name: "MiniSearch", key: "minisearch", legs: ["words"] },
  { name: "LanceDB, no vector index", key: "lancedb", legs: ["words", "vectors"] },
  { name: "LanceDB, IVF-PQ", key: "lancedbIndexed", legs: ["vectors"] },
] as const;

const filledForm = z.object({ seconds: z.number(), bytes: z.number() });
const searchedForm = z.object({ ms: z.array(z.number()), found: z.array(z.array(z.string())) });

/** What one peer did in one cell. Its ranking by words is another formula, so recall is told for vectors alone. */
export interface PeerCell extends Spread {
  readonly leg: "words" | "vectors";
  readonly share: number;
  readonly recall: number | null;
}

/** A peer's figures, or why there are none. */
export type PeerReport =
  | { readonly name: string; readonly passagesPerSecond: number; readonly bytes: number; readonly cells: readonly PeerCell[] }
  | { readonly name: string; readonly failed: string };

/** What the peers are given. */
export interface Given {
  readonly corpus: Corpus;
  readonly vectors: readonly Float32Array[];
  readonly queryVectors: ReadonlyMap<string, Float32Array>;
  readonly exact: (query: Float32Array, cell: Cell) => Scores;
  readonly directory: string;
  readonly notice: (line: string) => void;
}

/** Runs each peer in its turn; `null` where they cannot be installed. */
export async function runPeers(given: Given): Promise<readonly PeerReport[] | null> {
  if (!(await installPeers(folder, given.notice))) return null;
  await writeCorpus(given);
  const reports: PeerReport[] = [];
  for (const peer of peers) {
    given.notice(`${peer.name} is measured`);
    try {
      reports.push(await runPeer(peer, given));
    } catch (thrown) {
      reports.push({ name: peer.name, failed: thrown instanceof Error ? thrown.message : "unknown" });
    }
  }
  return reports;
}

async function runPeer({ name, key, legs }: (typeof peers)[number], given: Given): Promise<PeerReport> {
  const { corpus, vectors, directory } = given;
  const child = startChild({
    file: "search.mjs",
    cwd: folder,
    // LanceDB leaves two cores to its input and output: where there are no more, its index over words waits for ever.
    env: { PEER: key, NODE_NO_WARNINGS: "1", RUST_LOG: "error", LANCE_LOG: "error", LANCE_CPU_THREADS: "4" },
  });
  try {
    const own = join(directory, key);
    await mkdir(own);
    const dimensions = vectors[0]?.length ?? 0;
    const files = { corpus: join(directory, "corpus.jsonl"), vectors: join(directory, "vectors.bin") };
    const { seconds, bytes } = await child.ask("fill", { ...files, dimensions, folder: own }, filledForm);
    const measured: PeerCell[] = [];
    for (const leg of legs)
      for (const cell of cells) {
        const queries = corpus.queries.get(cell) ?? [];
        const queryVectors = queries.map((query) => given.queryVectors.get(query) ?? new Float32Array());
        const asked = { leg, label: cell.label, queries, vectors: queryVectors.map((vector) => [...vector]) };
        const { ms, found } = await child.ask("search", asked, searchedForm);
        // Peers add up in 32 bits.
        const recalls = found.map((keys, at) => recallOf(keys, given.exact(queryVectors[at] ?? new Float32Array(), cell), 1e-5));
        const recall = leg === "words" ? null : recalls.reduce((sum, one) => sum + one, 0) / Math.max(1, recalls.length);
        measured.push({ leg, share: cell.share, ...spreadOf(ms), recall });
      }
    return { name, passagesPerSecond: Math.round(vectors.length / seconds), bytes, cells: measured };
  } finally {
    await child.stop();
  }
}

async function writeCorpus({ corpus, vectors, directory }: Given): Promise<void> {
  const lines = corpus.documents.flatMap(({ id, labels, passages }) =>
    passages.map((text, at) => JSON.stringify({ key: `${id}:${at + 1}`, text, labels })),
  );
  await writeFile(join(directory, "corpus.jsonl"), `${lines.join("\n")}\n`);
  const file = await open(join(directory, "vectors.bin"), "w");
  for (const vector of vectors) await file.write(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  await file.close();
}
