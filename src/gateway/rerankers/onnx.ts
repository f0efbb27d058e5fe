import type { Reranker, RerankerSource } from "../../contract/reranker.ts";
import { unavailable } from "../inside/ask-json.ts";
import { checkModelName } from "../inside/check-name.ts";
import { type OnnxFolder, openOnnxModel } from "../inside/onnx-model.ts";

/** Pairs that are run at once. */
const batchSize = 8;

/**
 * A reranker that runs in this process: a cross-encoder of BERT's kind in ONNX form, which reads query and text together and gives one
 * number. Throws `definition_invalid` for a name that cannot be; opening it throws `configuration_invalid`.
 * @example
 * const runtime = () => Promise.reject(new Error("() => import('onnxruntime-node') in a project that installed it"));
 * onnxReranker({ name: "marco", folder: "/models/ms-marco-MiniLM-L-6-v2", runtime });
 */
export function onnxReranker(options: OnnxFolder): RerankerSource {
  const { name } = options;
  checkModelName("a reranker", name);
  return Object.freeze<RerankerSource>({ name, secret: null, open: () => openReranker(options) });
}

async function openReranker(options: OnnxFolder): Promise<Reranker> {
  const { name } = options;
  const model = await openOnnxModel(options);
  return Object.freeze<Reranker>({
    ...{ name, version: model.digest, isFake: false },
    score: async (query, texts) => {
      const scores: number[] = [];
      for (let at = 0; at < texts.length; at += batchSize) {
        const pairs = texts.slice(at, at + batchSize).map((text) => model.tokenizer.encode(query, text));
        const { output, dims } = await model.run(pairs);
        const width = dims.length === 1 ? 1 : (dims[1] ?? 0);
        if (dims.length > 2 || width !== 1) throw unavailable(name, "gives no one number for a pair: it is no cross-encoder");
        scores.push(...output);
      }
      return scores;
    },
  });
}
