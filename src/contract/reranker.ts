import type { Cancel } from "./principal.ts";

/** Reads a query and a text together and says how well the text answers. Its scores order texts of one query and mean nothing beside those of another. */
export interface Reranker {
  /** In the form of `idPattern`. */
  readonly name: string;
  readonly version: string;
  readonly isFake: boolean;
  /** One score for each text, in their order; higher is better. Throws `model_unavailable` where they do not come. */
  readonly score: (query: string, texts: readonly string[], cancel?: Cancel) => Promise<readonly number[]>;
}

/** A reranker before it has its key. */
export interface RerankerSource {
  readonly name: string;
  /** The name under which the vault knows the key, never the key; `null` where none is wanted. */
  readonly secret: string | null;
  readonly open: (secret: string | null) => Promise<Reranker>;
}
