import * as z from "zod";
import type { Reranker, RerankerSource } from "../../contract/reranker.ts";
import { insideAddress } from "../inside/address.ts";
import { askJson, unavailable } from "../inside/ask-json.ts";
import { checkModelName } from "../inside/check-name.ts";

/** How a server that reranks is reached. */
export interface HttpRerankerOptions {
  readonly name: string;
  /** The address that takes `{model, query, documents}` and answers `{results: [{index, relevance_score}]}`, without the last part `/rerank`. */
  readonly baseUrl: string;
  /** Hosts that stand inside the boundary, though they are not this machine. */
  readonly insideHosts?: readonly string[];
  /** The name of the variable that holds the key; `null` for a server that wants none. */
  readonly secret: string | null;
  readonly model: string;
  readonly version: string;
  readonly timeoutMs?: number;
}

/**
 * A reranker behind a server inside the boundary, such as llama.cpp, vLLM or Text Embeddings Inference, in the form that Cohere and Jina
 * share. Throws `definition_invalid` for a name or an address that cannot be.
 * @example
 * httpReranker({ name: "local", baseUrl: "http://127.0.0.1:8080/v1", secret: null, model: "bge-reranker-base", version: "1" });
 */
export function httpReranker(options: HttpRerankerOptions): RerankerSource {
  const { name, secret } = options;
  checkModelName("a reranker", name);
  const address = insideAddress(name, options);
  return Object.freeze<RerankerSource>({ name, secret, open: async (key) => rerankerOf(options, { address, key }) });
}

const answerForm = z.object({ results: z.array(z.object({ index: z.number().int(), relevance_score: z.number() })) });

function rerankerOf(
  { name, model, version, timeoutMs = 10_000 }: HttpRerankerOptions,
  { address, key }: { address: string; key: string | null },
): Reranker {
  return Object.freeze<Reranker>({
    ...{ name, version: `${model}-${version}`, isFake: false },
    score: async (query, texts, cancel) => {
      if (texts.length === 0) return [];
      const body = { model, query, documents: texts, top_n: texts.length, return_documents: false };
      const read = answerForm.safeParse(await askJson({ name, url: `${address}/rerank`, key, body, timeoutMs, cancel }));
      if (!read.success) throw unavailable(name, "answered in another form than that of a reranker");
      const scores = new Map(read.data.results.map(({ index, relevance_score: score }) => [index, score]));
      return texts.map((_, at) => {
        const score = scores.get(at);
        if (score === undefined) throw unavailable(name, "answered without a score for each text");
        return score;
      });
    },
  });
}
