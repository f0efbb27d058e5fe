import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compatibleEmbedder } from "../../src/gateway/embedders/compatible.ts";
import { onnxEmbedder } from "../../src/gateway/embedders/onnx.ts";
import type { OnnxRuntime } from "../../src/gateway/inside/onnx-model.ts";
import { httpReranker } from "../../src/gateway/rerankers/http.ts";
import { onnxReranker } from "../../src/gateway/rerankers/onnx.ts";
import { embedderRules } from "../../src/testing/embedder-conformance.ts";
import { hashedEmbedder } from "../../src/testing/hashed-embedder.ts";

// A server of ours that speaks the two protocols; behind it stands the embedder that says that it is none.
const behind = hashedEmbedder({ dimensions: 48 });
let server: Server;
let baseUrl: string;
let answer: ((path: string, body: Asked) => { status?: number; body: unknown }) | null = null;
const heard: { path: string; authorization: string | undefined; body: Asked }[] = [];

interface Asked {
  readonly input: readonly string[];
  readonly documents: readonly string[];
  readonly query: string;
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body: Asked = JSON.parse(Buffer.concat(parts).toString());
    const path = request.url ?? "";
    heard.push({ path, authorization: request.headers.authorization, body });
    const { status = 200, body: said } = answer?.(path, body) ?? { body: await usual(path, body) };
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof said === "string" ? said : JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  baseUrl = `http://127.0.0.1:${address.port}/v1`;
});
afterAll(() => server.close());
afterEach(() => {
  answer = null;
  heard.length = 0;
});

async function usual(path: string, { input, documents, query }: Asked): Promise<unknown> {
  if (path.endsWith("/rerank"))
    return { results: documents.map((text, index) => ({ index, relevance_score: text.includes(query) ? 1 : 0 })).toReversed() };
  const vectors = await behind.embedDocuments(input);
  // Not of norm 1 and not in their order: both are the client's to mend.
  return { data: vectors.map((vector, index) => ({ index, embedding: [...vector].map((value) => value * 3) })).toReversed() };
}

const embedder = () =>
  compatibleEmbedder({
    name: "local",
    baseUrl,
    secret: "KEY",
    model: "m",
    version: "1",
    dimensions: 48,
    before: { query: "query: " },
  }).open("k1");

describe("an embedder behind a URL", () => {
  it.each(embedderRules)("$name", async ({ broken }) => {
    expect(await broken(await embedder())).toBeNull();
  });

  it("sends the key as a bearer, and what the model wants before a query", async () => {
    await (await embedder()).embedQuery("laptops");
    expect(heard).toMatchObject([{ path: "/v1/embeddings", authorization: "Bearer k1", body: { input: ["query: laptops"] } }]);
  });

  it.each([
    ["a status of failure", { status: 500, body: "secret words of the server" }],
    ["no JSON", { body: "not json" }],
    ["another form", { body: { vectors: [] } }],
    ["too few vectors", { body: { data: [] } }],
    ["another length", { body: { data: [{ index: 0, embedding: [1, 2] }] } }],
    ["no direction", { body: { data: [{ index: 0, embedding: Array(48).fill(0) }] } }],
    ["an index twice", { body: { data: [0, 0].map((index) => ({ index, embedding: Array(48).fill(1) })) } }],
  ])("takes nothing from an answer with %s, and does not repeat it", async (_, said) => {
    answer = () => said;
    const failed = (await embedder()).embedQuery("x");
    await expect(failed).rejects.toMatchObject({ code: "model_unavailable" });
    await expect(failed).rejects.not.toThrow(/secret words/);
  });

  it("is given up when it does not answer in time", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : 0;
    const options = { name: "local", secret: null, model: "m", version: "1", dimensions: 4, timeoutMs: 50 };
    const slow = await compatibleEmbedder({ ...options, baseUrl: `http://127.0.0.1:${port}/v1` }).open(null);
    await expect(slow.embedQuery("x")).rejects.toMatchObject({ code: "model_unavailable" });
    silent.closeAllConnections();
    silent.close();
    await expect(slow.embedQuery("x")).rejects.toMatchObject({ code: "model_unavailable" });
  });

  it.each([
    "http://models.example.com/v1",
    "https://10.0.0.7/v1",
    "http://127.0.0.1.evil.example/v1",
    "file:///v1",
    "http://u:p@127.0.0.1/v1",
  ])("is refused at %s, which is not inside the boundary", (outside) => {
    const options = { name: "local", secret: null, model: "m", version: "1", dimensions: 4 };
    const refusal = expect.objectContaining({ code: "definition_invalid" });
    expect(() => compatibleEmbedder({ ...options, baseUrl: outside })).toThrow(refusal);
    expect(() => httpReranker({ ...options, baseUrl: outside })).toThrow(refusal);
  });

  it("may stand at a host that the configuration names as inside", () => {
    const options = {
      name: "local",
      secret: null,
      model: "m",
      version: "1",
      dimensions: 4,
      baseUrl: "https://models.example.com/v1",
    };
    expect(() => compatibleEmbedder({ ...options, insideHosts: ["models.example.com"] })).not.toThrow();
    expect(() => compatibleEmbedder({ ...options, insideHosts: ["example.com"] })).toThrow();
  });
});

describe("a reranker behind a URL", () => {
  const reranker = () => httpReranker({ name: "local", baseUrl, secret: null, model: "m", version: "1" }).open(null);

  it("gives a score for each text, in their order", async () => {
    expect(await (await reranker()).score("lap", ["canteen", "laptop", "lap"])).toEqual([0, 1, 1]);
    expect(await (await reranker()).score("lap", [])).toEqual([]);
  });

  it.each([
    ["too few scores", { body: { results: [{ index: 0, relevance_score: 1 }] } }],
    ["another form", { body: [] }],
  ])("takes nothing from an answer with %s", async (_, said) => {
    answer = () => said;
    await expect((await reranker()).score("x", ["a", "b"])).rejects.toMatchObject({ code: "model_unavailable" });
  });
});

describe("a model in a folder", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "countersign-onnx-"));
    const letters = "abcdefghijklmnopqrstuvwxyz0123456789?.()*".split("");
    await writeFile(
      join(folder, "vocab.txt"),
      ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ...letters, ...letters.map((one) => `##${one}`)].join("\n"),
    );
    await writeFile(join(folder, "model.onnx"), "weights of no model");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Stands in for the runtime, which is the project's own package: each token has a direction of its own, and a pair one number. */
  function runtimeOf(width: number): () => Promise<OnnxRuntime> {
    class Tensor {
      readonly data: BigInt64Array;
      readonly dims: readonly number[];
      constructor(_: "int64", data: BigInt64Array, dims: readonly number[]) {
        this.data = data;
        this.dims = dims;
      }
    }
    const session = {
      inputNames: ["input_ids", "attention_mask", "token_type_ids"],
      outputNames: ["out"],
      run: async (feeds: { readonly [name: string]: Tensor }) => {
        const { data = new BigInt64Array(), dims = [0, 0] } = feeds["input_ids"] ?? {};
        const [batch = 0, length = 0] = dims;
        // The padding has a direction, too, so that a mean that counts it is another.
        const values = [...data].flatMap((id) => Array.from({ length: width }, (_, at) => Math.sin(Number(id + 1n) * (at + 1))));
        if (width > 1) return { out: { data: Float32Array.from(values), dims: [batch, length, width] } };
        return {
          out: { data: Float32Array.from({ length: batch }, (_, at) => Number(data[at * length + 1] ?? 0n)), dims: [batch, 1] },
        };
      },
    };
    return async () => ({ InferenceSession: { create: async () => session }, Tensor });
  }

  it.each(embedderRules)("embeds: $name", async ({ broken }) => {
    const options = { name: "folder", folder, pooling: "mean", runtime: runtimeOf(16), mostTokens: 64 } as const;
    expect(await broken(await onnxEmbedder(options).open(null))).toBeNull();
  });

  it("reranks by the one number of each pair", async () => {
    const reranker = await onnxReranker({ name: "folder", folder, runtime: runtimeOf(1) }).open(null);
    expect(await reranker.score("b", Array(20).fill("text"))).toEqual(Array(20).fill(5));
    const embedding = await onnxReranker({ name: "folder", folder, runtime: runtimeOf(16) }).open(null);
    await expect(embedding.score("b", ["text"])).rejects.toMatchObject({ code: "model_unavailable" });
  });

  it("is refused without a model, without its runtime, and changes its version with its files", async () => {
    const options = { name: "folder", folder, pooling: "mean", runtime: runtimeOf(16) } as const;
    const refusal = { code: "configuration_invalid" };
    await expect(onnxEmbedder({ ...options, folder: tmpdir() }).open(null)).rejects.toMatchObject(refusal);
    const missing = () => Promise.reject(new Error("Cannot find package"));
    await expect(onnxEmbedder({ ...options, runtime: missing }).open(null)).rejects.toMatchObject(refusal);
    const before = (await onnxEmbedder(options).open(null)).version;
    await writeFile(join(folder, "model.onnx"), "other weights");
    expect((await onnxEmbedder(options).open(null)).version).not.toBe(before);
  });
});
