import type { Embedder } from "../../contract/embedder.ts";
import type { Clock } from "../../contract/ports.ts";
import type { Envelope } from "../../contract/principal.ts";
import { rankByVector } from "./dense.ts";
import { findPgvector, type Pgvector, rankInDatabase } from "./pgvector.ts";
import { keepQueryVectors } from "./query-vectors.ts";
import type { Leg } from "./search.ts";
import { openVectorMemory } from "./vector-memory.ts";

/** A leg that searches by vectors, with what it keeps in memory. */
export interface DenseLeg extends Leg {
  /** Has the vector of a query made and kept, so that the search itself waits for no embedder while it holds a snapshot. */
  readonly prepare: (query: string, envelope: Pick<Envelope, "principal" | "scopes">) => Promise<void>;
  /** How much of what was asked for was in memory: vectors of queries, and of documents. */
  readonly stats: () => {
    readonly queries: { readonly hits: number; readonly asked: number };
    readonly documents: { readonly hits: number; readonly asked: number; readonly bytes: number };
  };
}

/**
 * The leg that searches by the vectors of an embedder, exactly: every permitted passage that has one is looked at. The database does so where
 * it has pgvector; else this process, in which at most `mostBytes` of vectors stay in memory, and what does not fit is read each time.
 */
export function denseLeg({
  embedder,
  clock,
  weight = 1,
  mostBytes,
}: {
  embedder: Embedder;
  clock: Pick<Clock, "monotonic">;
  weight?: number;
  mostBytes?: number;
}): DenseLeg {
  const memory = openVectorMemory({ monotonic: clock.monotonic, ...(mostBytes === undefined ? {} : { mostBytes }) });
  const queries = keepQueryVectors(embedder);
  // Asked once: whoever sets the extension up starts the processes anew.
  let pgvector: Pgvector | null | undefined;
  return {
    name: "dense",
    weight,
    rank: async (asked, { permitted, limit }) => {
      const vector = await queries.of(asked.need.query, asked.envelope);
      if (pgvector === undefined) pgvector = await findPgvector(asked.tx);
      const ranks =
        pgvector === null
          ? await rankByVector(asked, { dense: { embedder, memory }, permitted, vector, limit })
          : await rankInDatabase(asked, { embedder, pgvector, permitted, vector, limit });
      return { ranks, common: [] };
    },
    prepare: async (query, envelope) => {
      await queries.of(query, envelope);
    },
    stats: () => ({ queries: queries.stats(), documents: memory.stats() }),
  };
}
