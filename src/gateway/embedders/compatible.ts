import * as z from "zod";
import { type Embedder, type EmbedderSource, unitVector } from "../../contract/embedder.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { Cancel } from "../../contract/principal.ts";
import { insideAddress } from "../inside/address.ts";
import { askJson, unavailable } from "../inside/ask-json.ts";
import { checkModelName } from "../inside/check-name.ts";

/** How a server that speaks OpenAI's embeddings is reached. */
export interface CompatibleEmbedderOptions {
  readonly name: string;
  /** Up to and with `/v1`. This machine, or a host of `insideHosts`: what documents hold is sent as it is. */
  readonly baseUrl: string;
  /** Hosts that stand inside the boundary, though they are not this machine. */
  readonly insideHosts?: readonly string[];
  /** The name of the variable that holds the key; `null` for a server that wants none. */
  readonly secret: string | null;
  readonly model: string;
  /** Which build of the model is served. Change it with the model, and file the documents again: vectors of two versions are not compared. */
  readonly version: string;
  readonly dimensions: number;
  /** What the model wants before a query and before a document, such as `query: ` and `passage: `; nothing where left out. */
  readonly before?: { readonly query?: string; readonly document?: string };
  readonly timeoutMs?: number;
}

/** Texts of one request. */
const mostTexts = 64;

/**
 * An embedder behind a server that speaks OpenAI's embeddings, such as Ollama, vLLM or llama.cpp, inside the boundary. Throws
 * `definition_invalid` for a name, an address or dimensions that cannot be.
 * @example
 * compatibleEmbedder({ name: "local", baseUrl: "http://127.0.0.1:11434/v1", secret: null, model: "bge-small-en-v1.5", version: "1", dimensions: 384 });
 */
export function compatibleEmbedder(options: CompatibleEmbedderOptions): EmbedderSource {
  const { name, secret, dimensions, version } = options;
  checkModelName("an embedder", name);
  if (!/^[\x21-\x7e]{1,100}$/.test(version)) throw invalid(`the embedder \`${name}\` needs a version of visible characters`);
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 8_192)
    throw invalid(`the embedder \`${name}\` needs its dimensions, from 1 to 8192`);
  const address = insideAddress(name, options);
  return Object.freeze<EmbedderSource>({ name, secret, open: async (key) => embedderOf(options, { address, key }) });
}

function embedderOf(options: CompatibleEmbedderOptions, { address, key }: { address: string; key: string | null }): Embedder {
  const { name, model, version, dimensions, before = {}, timeoutMs = 10_000 } = options;
  const ask = async (texts: readonly string[], cancel: Cancel | undefined): Promise<readonly Float32Array[]> => {
    const body = { model, input: texts, encoding_format: "float" };
    return vectorsOf(options, await askJson({ name, url: `${address}/embeddings`, key, body, timeoutMs, cancel }), texts.length);
  };
  return Object.freeze<Embedder>({
    // Another model under the same version would still be another embedder.
    ...{ name, version: `${model}-${version}-${dimensions}`, dimensions, isFake: false },
    embedQuery: async (text, cancel) => {
      const [vector] = await ask([`${before.query ?? ""}${text}`], cancel);
      // One was asked for, and `vectorsOf` counts.
      return vector as Float32Array;
    },
    embedDocuments: async (texts, cancel) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += mostTexts) {
        const part = texts.slice(at, at + mostTexts).map((text) => `${before.document ?? ""}${text}`);
        vectors.push(...(await ask(part, cancel)));
      }
      return vectors;
    },
  });
}

const answerForm = z.object({ data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })) });

function vectorsOf({ name, dimensions }: CompatibleEmbedderOptions, answer: unknown, wanted: number): readonly Float32Array[] {
  const read = answerForm.safeParse(answer);
  if (!read.success) throw unavailable(name, "answered in another form than that of embeddings");
  const byIndex = new Map(read.data.data.map(({ index, embedding }) => [index, embedding]));
  if (byIndex.size !== wanted || read.data.data.length !== wanted)
    throw unavailable(name, "answered with more or fewer vectors than texts");
  return Array.from({ length: wanted }, (_, index) => {
    const values = byIndex.get(index) ?? [];
    const vector = values.length === dimensions ? unitVector(values) : null;
    if (vector === null) throw unavailable(name, `answered with a vector that has not ${dimensions} dimensions, or no direction`);
    return vector;
  });
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
