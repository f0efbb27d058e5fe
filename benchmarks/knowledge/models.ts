/** The models of a folder, for those who have some: nothing is fetched, and without a folder nothing is made up. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Embedder } from "../../src/contract/embedder.ts";
import type { Reranker } from "../../src/contract/reranker.ts";
import { onnxEmbedder } from "../../src/gateway/embedders/onnx.ts";
import type { OnnxRuntime } from "../../src/gateway/inside/onnx-model.ts";
import { onnxReranker } from "../../src/gateway/rerankers/onnx.ts";
import { openReranker } from "../../src/gateway/rerankers/open-reranker.ts";

/** What was found in the folder, and a sentence that says it. */
export interface Models {
  readonly embedder: Embedder | null;
  readonly reranker: Reranker | null;
  readonly said: string;
}

/**
 * Opens `embedder/` and `reranker/` in the folder that COUNTERSIGN_MODELS names, each a model in ONNX form with its vocabulary; either may
 * be absent. The runtime is that of the peers (`npm ci --prefix benchmarks/peers/search`).
 */
export async function openModels(): Promise<Models> {
  const folder = process.env["COUNTERSIGN_MODELS"];
  if (folder === undefined || folder === "")
    return {
      embedder: null,
      reranker: null,
      said: "no model took part: COUNTERSIGN_MODELS names no folder, so words alone were measured",
    };
  const paths = { embedder: join(folder, "embedder"), reranker: join(folder, "reranker") };
  const runtime = async () => {
    const load = createRequire(fileURLToPath(new URL("../peers/search/package.json", import.meta.url)));
    // The package describes more than what is used of it.
    return load("onnxruntime-node") as OnnxRuntime;
  };
  const embedder = existsSync(paths.embedder)
    ? await onnxEmbedder({ name: "embedder", folder: paths.embedder, pooling: "mean", runtime }).open(null)
    : null;
  const reranker = existsSync(paths.reranker)
    ? await openReranker(onnxReranker({ name: "reranker", folder: paths.reranker, runtime }), { secret: () => "" })
    : null;
  const names = [embedder && `embedder ${embedder.version}`, reranker && `reranker ${reranker.version}`].filter(Boolean);
  return {
    embedder,
    reranker,
    said: names.length === 0 ? `\`${folder}\` holds neither \`embedder\` nor \`reranker\`` : names.join(", "),
  };
}
