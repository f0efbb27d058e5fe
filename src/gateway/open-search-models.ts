import type { Embedder, EmbedderSource } from "../contract/embedder.ts";
import type { Vault } from "../contract/ports.ts";
import type { Reranker, RerankerSource } from "../contract/reranker.ts";
import { openReranker } from "./rerankers/open-reranker.ts";

/**
 * Opens the models of search, each with its key from the vault. Throws `secret_missing`, `configuration_invalid` for a model that cannot be
 * used, and for a reranker that misorders what everybody can order.
 */
export async function openSearchModels(
  { embedder, reranker }: { readonly embedder?: EmbedderSource; readonly reranker?: RerankerSource },
  vault: Pick<Vault, "secret">,
): Promise<{ readonly embedder: Embedder | null; readonly reranker: Reranker | null }> {
  return {
    embedder:
      embedder === undefined ? null : await embedder.open(embedder.secret === null ? null : vault.secret(embedder.secret)),
    reranker: reranker === undefined ? null : await openReranker(reranker, vault),
  };
}
