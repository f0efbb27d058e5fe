import type { Vault } from "../../contract/ports.ts";
import type { Reranker, RerankerSource } from "../../contract/reranker.ts";
import { checkKnownOrder } from "./known-order.ts";

/** Opens a reranker with its key, and hands it over only after it has ordered what everybody can order. Throws `secret_missing` or `configuration_invalid`. */
export async function openReranker(source: RerankerSource, vault: Pick<Vault, "secret">): Promise<Reranker> {
  const reranker = await source.open(source.secret === null ? null : vault.secret(source.secret));
  await checkKnownOrder(reranker);
  return reranker;
}
