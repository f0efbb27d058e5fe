/** The ways of searching that a benchmark compares: by words always; by vectors, joined and reranked where models were given. */

import type { Reranker } from "../../src/contract/reranker.ts";
import { denseLeg } from "../../src/know/search/dense-leg.ts";
import { type Leg, wordsLeg } from "../../src/know/search/search.ts";
import { withVectors } from "../../src/know/search/with-vectors.ts";
import type { FiledVersion } from "../../src/know/search/write.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openModels } from "./models.ts";

/** One way of searching. */
export interface Way {
  readonly name: "words" | "dense" | "fused" | "reranked";
  readonly legs: readonly Leg[];
  readonly reranker?: Reranker;
}

/** What is compared, and how documents are made ready for it. */
export interface Ways {
  readonly ways: readonly Way[];
  /** Which models took part, or the sentence that says why none did. */
  readonly models: string;
  /** Adds a vector to every passage where there is an embedder. */
  readonly withVectors: (version: FiledVersion) => Promise<FiledVersion>;
}

/** Opens the models of the folder that COUNTERSIGN_MODELS names; without one, words alone are measured. */
export async function openWays(): Promise<Ways> {
  const { embedder, reranker, said } = await openModels();
  const words: Way = { name: "words", legs: [wordsLeg()] };
  if (embedder === null) return { ways: [words], models: said, withVectors: async (version) => version };
  const dense = denseLeg({ embedder, clock: systemClock });
  const fused = [wordsLeg(), dense];
  return {
    ways: [
      words,
      { name: "dense", legs: [dense] },
      { name: "fused", legs: fused },
      ...(reranker === null ? [] : [{ name: "reranked" as const, legs: fused, reranker }]),
    ],
    models: said,
    withVectors: async ({ document, passages }) => ({
      document,
      passages: await withVectors(embedder, { title: document.title, passages }),
    }),
  };
}
