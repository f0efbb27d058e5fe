import { createHash } from "node:crypto";
import type { Embedder } from "../../contract/embedder.ts";
import type { Envelope } from "../../contract/principal.ts";

/** Vectors of queries, kept for those who ask the same again. */
export interface QueryVectors {
  readonly of: (query: string, envelope: Pick<Envelope, "principal" | "scopes">) => Promise<Float32Array>;
  readonly stats: () => { readonly hits: number; readonly asked: number };
}

/**
 * Keeps the vectors of the last `most` queries, by a digest of tenant, labels, embedder and text: two askers who may see different things share
 * nothing, not even the time that a query takes. Callers of one question at once wait for one vector; one that failed is not kept.
 */
export function keepQueryVectors(embedder: Embedder, { most = 1_000 }: { most?: number } = {}): QueryVectors {
  const kept = new Map<string, Promise<Float32Array>>();
  let hits = 0;
  let asked = 0;
  return {
    of: async (query, envelope) => {
      asked += 1;
      const key = keyOf(embedder, query, envelope);
      const found = kept.get(key);
      if (found !== undefined) {
        hits += 1;
        // Used last, so it goes last.
        kept.delete(key);
        kept.set(key, found);
        return found;
      }
      const vector = embedder.embedQuery(query);
      kept.set(key, vector);
      if (kept.size > most) kept.delete(kept.keys().next().value ?? key);
      vector.catch(() => kept.delete(key));
      return vector;
    },
    stats: () => ({ hits, asked }),
  };
}

function keyOf(
  { name, version }: Embedder,
  query: string,
  { principal, scopes }: Pick<Envelope, "principal" | "scopes">,
): string {
  const labels = [...new Set(scopes)].sort();
  return createHash("sha256")
    .update(JSON.stringify([principal.tenant, labels, name, version, query]))
    .digest("base64");
}
