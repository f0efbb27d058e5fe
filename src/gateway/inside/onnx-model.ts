// A model that runs in this process: ONNX Runtime is handed in by the project that installed it, and loaded when the model is opened.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError, messageOf } from "../../contract/errors.ts";
import { unavailable } from "./ask-json.ts";
import { type Encoded, type Tokenizer, wordPieces } from "./word-pieces.ts";

/** What of `onnxruntime-node` is used. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(path: string, options?: object): Promise<OnnxSession> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}
export interface OnnxTensor {
  readonly dims: readonly number[];
  readonly data: unknown;
}
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: the runtime's own tensor types are wider than what is used of them.
  run(feeds: any): Promise<{ readonly [name: string]: OnnxTensor }>;
}

/** A folder with a model, and the runtime to run it by. */
export interface OnnxFolder {
  readonly name: string;
  /** Holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json` or `vocab.txt`. */
  readonly folder: string;
  /** `() => import("onnxruntime-node")`: the package is the project's own, and is loaded when the model is opened. */
  readonly runtime: () => Promise<OnnxRuntime>;
  /** How long a text may be in tokens; the rest is not read. 512 unless given. */
  readonly mostTokens?: number;
}

/** An open model. */
export interface OnnxModel {
  /** SHA-256 over model and vocabulary, its first 16 characters in hex. */
  readonly digest: string;
  readonly tokenizer: Tokenizer;
  /** Runs a batch and gives the first output with its mask: 1 for each token, 0 for padding. Throws `model_unavailable`. */
  readonly run: (
    batch: readonly Encoded[],
  ) => Promise<{ readonly output: Float32Array; readonly dims: readonly number[]; readonly lengths: readonly number[] }>;
}

/** Opens a model. Throws `configuration_invalid` where the folder or the runtime cannot be used. */
export async function openOnnxModel({ name, folder, runtime, mostTokens = 512 }: OnnxFolder): Promise<OnnxModel> {
  const path = ["model.onnx", join("onnx", "model.onnx")].map((file) => join(folder, file)).find(existsSync);
  if (path === undefined) throw unusable(name, "its folder holds no `model.onnx`", null);
  const [tokenizerJson, vocabTxt] = await Promise.all(
    ["tokenizer.json", "vocab.txt"].map((file) => readText(join(folder, file))),
  );
  const tokenizer = wordPieces({ tokenizerJson: tokenizerJson ?? null, vocabTxt: vocabTxt ?? null, mostTokens });
  const hash = createHash("sha256").update(await readFile(path));
  const digest = hash
    .update(tokenizerJson ?? vocabTxt ?? "")
    .update(String(mostTokens))
    .digest("hex")
    .slice(0, 16);
  let onnx: OnnxRuntime;
  let session: OnnxSession;
  try {
    onnx = await runtime();
    session = await onnx.InferenceSession.create(path);
  } catch (thrown) {
    throw unusable(
      name,
      `the model cannot be opened (${messageOf(thrown).slice(0, 200)}); is \`onnxruntime-node\` installed?`,
      thrown,
    );
  }
  return { digest, tokenizer, run: (batch) => run({ name, onnx, session, batch }) };
}

interface Running {
  readonly name: string;
  readonly onnx: OnnxRuntime;
  readonly session: OnnxSession;
  readonly batch: readonly Encoded[];
}

async function run({ name, onnx, session, batch }: Running) {
  const lengths = batch.map(({ ids }) => ids.length);
  const longest = Math.max(...lengths);
  const tensor = (of: (one: Encoded, at: number) => number) => {
    const values = batch.flatMap((one) => Array.from({ length: longest }, (_, at) => BigInt(of(one, at))));
    return new onnx.Tensor("int64", BigInt64Array.from(values), [batch.length, longest]);
  };
  const known: { readonly [input: string]: (one: Encoded, at: number) => number } = {
    input_ids: ({ ids }, at) => ids[at] ?? 0,
    attention_mask: ({ ids }, at) => (at < ids.length ? 1 : 0),
    token_type_ids: ({ types }, at) => types[at] ?? 0,
  };
  const feeds: { [input: string]: OnnxTensor } = {};
  for (const input of session.inputNames) {
    const of = known[input];
    if (of === undefined) throw unavailable(name, `wants an input \`${input}\`, which is not known`);
    feeds[input] = tensor(of);
  }
  try {
    const outputs = await session.run(feeds);
    const output = outputs[session.outputNames[0] ?? ""];
    if (!(output?.data instanceof Float32Array)) throw unavailable(name, "gives something else than 32-bit floats");
    return { output: output.data, dims: output.dims, lengths };
  } catch (thrown) {
    if (thrown instanceof CountersignError) throw thrown;
    throw unavailable(name, "failed while it ran");
  }
}

async function readText(path: string): Promise<string | null> {
  return existsSync(path) ? readFile(path, "utf8") : null;
}

function unusable(name: string, why: string, cause: unknown): CountersignError {
  return new CountersignError("configuration_invalid", `\`${name}\`: ${why}`, cause === null ? {} : { cause });
}
