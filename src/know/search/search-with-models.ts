import type { Context } from "../../contract/context.ts";
import type { Embedder } from "../../contract/embedder.ts";
import { isKeepableText } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { Reranker } from "../../contract/reranker.ts";
import { type DenseLeg, denseLeg } from "./dense-leg.ts";
import { openSearch, type SearchOptions } from "./open-search.ts";
import { mostToRerank, rerank } from "./rerank.ts";
import { wordsLeg } from "./search.ts";

/** The models of a search, open. */
export interface OpenModels {
  readonly embedder: Embedder | null;
  readonly reranker: Reranker | null;
  readonly weights?: { readonly words?: number; readonly vectors?: number };
}

/**
 * Opens search with the models that there are: words always, vectors where there is an embedder, and the best ordered by a reranker where there
 * is one. No model is waited for while a transaction is open.
 */
export function searchWithModels(
  options: Omit<SearchOptions, "legs">,
  { embedder, reranker, weights = {} }: OpenModels,
): Pick<Context, "findPassages"> & { readonly stats: () => ReturnType<DenseLeg["stats"]> | null } {
  const { words = 1, vectors = 1 } = weights;
  const dense = embedder === null || vectors === 0 ? null : denseLeg({ embedder, clock: options.clock, weight: vectors });
  const search = openSearch({ ...options, legs: [wordsLeg({ weight: words }), ...(dense === null ? [] : [dense])] });
  return {
    findPassages: async (need, envelope) => {
      // What search would refuse goes to no model.
      const isSearched = typeof need.query === "string" && need.query.length <= limits.requestText && isKeepableText(need.query);
      if (dense !== null && isSearched && Array.isArray(envelope.scopes)) await dense.prepare(need.query, envelope);
      if (reranker === null) return search.findPassages(need, envelope);
      // A limit that search would refuse stays as it is.
      const limit = need.limit >= 1 ? Math.max(need.limit, mostToRerank) : need.limit;
      return rerank(await search.findPassages({ ...need, limit }, envelope), { need, reranker, clock: options.clock });
    },
    stats: () => dense?.stats() ?? null,
  };
}
