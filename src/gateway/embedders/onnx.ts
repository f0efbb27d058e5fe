import { type Embedder, type EmbedderSource, unitVector } from "../../contract/embedder.ts";
import { unavailable } from "../inside/ask-json.ts";
import { checkModelName } from "../inside/check-name.ts";
import { type OnnxFolder, type OnnxModel, openOnnxModel } from "../inside/onnx-model.ts";

/** A model of sentences in a folder. */
export interface OnnxEmbedderOptions extends OnnxFolder {
  /** How the vectors of tokens become one: their mean, or that of the first token. It is said on the model's page. */
  readonly pooling: "mean" | "first";
  /** What the model wants before a query and before a document, such as `query: ` and `passage: `; nothing where left out. */
  readonly before?: { readonly query?: string; readonly document?: string };
}

/** Texts that are run at once. */
const batchSize = 16;

/**
 * An embedder that runs in this process: a BERT model in ONNX form. Nothing leaves the machine. Its version is a digest of the model's
 * files. Throws `definition_invalid` for a name that cannot be; opening it throws `configuration_invalid`.
 * @example
 * const runtime = () => Promise.reject(new Error("() => import('onnxruntime-node') in a project that installed it"));
 * onnxEmbedder({ name: "minilm", folder: "/models/all-MiniLM-L6-v2", pooling: "mean", runtime });
 */
export function onnxEmbedder(options: OnnxEmbedderOptions): EmbedderSource {
  const { name } = options;
  checkModelName("an embedder", name);
  return Object.freeze<EmbedderSource>({ name, secret: null, open: () => openEmbedder(options) });
}

async function openEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const { name, pooling, before = {} } = options;
  const model = await openOnnxModel(options);
  const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += batchSize)
      vectors.push(...(await embedBatch({ name, model, pooling, texts: texts.slice(at, at + batchSize) })));
    return vectors;
  };
  const [probe] = await embed(["probe"]);
  return Object.freeze<Embedder>({
    ...{ name, version: `${model.digest}-${pooling}`, dimensions: probe?.length ?? 0, isFake: false },
    embedQuery: async (text) => {
      const [vector] = await embed([`${before.query ?? ""}${text}`]);
      // One text, one vector.
      return vector as Float32Array;
    },
    embedDocuments: (texts) => embed(texts.map((text) => `${before.document ?? ""}${text}`)),
  });
}

interface Batch {
  readonly name: string;
  readonly model: OnnxModel;
  readonly pooling: "mean" | "first";
  readonly texts: readonly string[];
}

async function embedBatch({ name, model, pooling, texts }: Batch): Promise<readonly Float32Array[]> {
  const { output, dims, lengths } = await model.run(texts.map((text) => model.tokenizer.encode(text)));
  const [, second = 0, third] = dims;
  return texts.map((_, at) => {
    const tokens = pooling === "first" ? 1 : (lengths[at] ?? 1);
    // A model that gives one vector for each text has pooled by itself.
    const values =
      third === undefined
        ? output.subarray(at * second, (at + 1) * second)
        : mean(output, { from: at * second * third, tokens, width: third });
    const vector = unitVector(values);
    if (vector === null) throw unavailable(name, "gave a vector without a direction");
    return vector;
  });
}

function mean(values: Float32Array, { from, tokens, width }: { from: number; tokens: number; width: number }): Float32Array {
  const sums = new Float32Array(width);
  for (let token = 0; token < tokens; token += 1)
    for (let at = 0; at < width; at += 1) sums[at] = (sums[at] ?? 0) + (values[from + token * width + at] ?? 0) / tokens;
  return sums;
}
