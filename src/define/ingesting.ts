import type { EmbedderSource } from "../contract/embedder.ts";

/** What only the process that files documents loads. The default export of `ingest.ts`, which a project may do without. */
export interface IngestingParts {
  /**
   * Gives the passages of every tenant their vectors. Searches go by them where the deciding half names the same embedder and version;
   * `decide.ts` and `ingest.ts` may import it from one file.
   */
  readonly embedder: EmbedderSource;
}

/** Collects what a project's reader of documents has besides its sources. */
export function defineIngesting(parts: IngestingParts): IngestingParts {
  return Object.freeze({ ...parts });
}
