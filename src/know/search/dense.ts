import { sql } from "kysely";
import { type Embedder, vectorsOf } from "../../contract/embedder.ts";
import { isSearchable } from "./in-force.ts";
import { type Asked, isPermitted, type Permitted } from "./permitted.ts";
import { placeOf } from "./place.ts";
import type { DocumentVectors, VectorMemory, Wanted } from "./vector-memory.ts";

/** What a search by vectors works with. */
export interface DenseSearch {
  readonly embedder: Pick<Embedder, "name" | "version" | "dimensions">;
  readonly memory: VectorMemory;
}

/**
 * Ranks permitted passages by how near their vectors are to that of the query: all of those that the asker may see, that are in force
 * and that fit the filters, each looked at, so nothing near is missed. Of equals the one that was filed first goes first. A passage
 * without a vector by this embedder is not ranked here.
 */
export async function rankByVector(
  asked: Asked,
  {
    dense: { embedder, memory },
    permitted,
    vector,
    limit,
  }: { dense: DenseSearch; permitted: Permitted; vector: Float32Array; limit: number },
): Promise<readonly number[]> {
  const wanted = await documentsOf(asked, permitted);
  const nearest = keepNearest(limit);
  await memory.visit(
    { tx: asked.tx, tenant: asked.envelope.principal.tenant, vectors: vectorsOf(embedder), dimensions: embedder.dimensions },
    wanted,
    (found) => scan(found, vector, nearest),
  );
  return nearest.ranks();
}

/** Passages of so few documents that newer versions are looked up one by one. */
const passagesOfFew = 2_000;

async function documentsOf(asked: Asked, permitted: Permitted): Promise<readonly Wanted[]> {
  if (permitted.audiences.length === 0) return [];
  // Two arrays and not a row for each: there may be many.
  const { rows } = await sql<{ numbers: number[] | null; passages: number[] | null }>`
    select array_agg(number order by number) as numbers, array_agg(passages order by number) as passages from countersign.document
    where ${isSearchable(asked, { ofFew: permitted.passages <= passagesOfFew })} and ${isPermitted(permitted)}`.execute(asked.tx);
  const passages = rows[0]?.passages ?? [];
  return (rows[0]?.numbers ?? []).map((number, at) => ({ number, passages: passages[at] ?? 0 }));
}

function scan({ document, positions, values }: DocumentVectors, query: Float32Array, nearest: Nearest): void {
  const { length } = query;
  for (let at = 0; at < positions.length; at += 1) {
    const score = product(query, values, at * length);
    if (score >= nearest.bar()) nearest.add(placeOf(document, positions[at] ?? 0), score);
  }
}

/** Four sums side by side, which a processor adds at once. */
function product(query: Float32Array, values: Float32Array, from: number): number {
  const { length } = query;
  const whole = length - (length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < whole; at += 4) {
    // Within both arrays by their lengths; a typed array beyond its end would give no number, and no score.
    a += (query[at] as number) * (values[from + at] as number);
    b += (query[at + 1] as number) * (values[from + at + 1] as number);
    c += (query[at + 2] as number) * (values[from + at + 2] as number);
    d += (query[at + 3] as number) * (values[from + at + 3] as number);
  }
  for (let at = whole; at < length; at += 1) a += (query[at] as number) * (values[from + at] as number);
  return a + b + c + d;
}

interface Nearest {
  /** What a score has to reach. */
  readonly bar: () => number;
  readonly add: (place: number, score: number) => void;
  readonly ranks: () => readonly number[];
}

interface Near {
  readonly place: number;
  readonly score: number;
}

function keepNearest(limit: number): Nearest {
  const found: Near[] = [];
  let bar = Number.NEGATIVE_INFINITY;
  return {
    bar: () => bar,
    add: (place, score) => {
      let at = found.length;
      while (at > 0 && isBefore({ place, score }, found[at - 1])) at -= 1;
      if (at === limit) return;
      found.splice(at, 0, { place, score });
      if (found.length > limit) found.pop();
      if (found.length === limit) bar = found.at(-1)?.score ?? bar;
    },
    ranks: () => found.map(({ place }) => place),
  };
}

function isBefore(one: Near, other: Near | undefined): boolean {
  return other !== undefined && (one.score > other.score || (one.score === other.score && one.place < other.place));
}
