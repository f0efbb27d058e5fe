import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Cancel } from "../../src/contract/principal.ts";
import type { Recogniser } from "../../src/contract/privacy.ts";
import type { OnnxRuntime } from "../../src/gateway/inside/onnx-model.ts";
import { builtInRecogniser, checkedModel } from "../../src/gateway/recognisers/built-in.ts";
import { onnxTokenClassifier } from "../../src/gateway/recognisers/onnx.ts";
import { presidioAnalyzer } from "../../src/gateway/recognisers/presidio.ts";
import { openNameModel } from "../../src/guard/privacy/recogniser/name-model.ts";
import { recogniserRules } from "../../src/testing/recogniser-conformance.ts";

const patient: Cancel = { isCancelled: () => false, onCancel: () => {} };
const find = async (recogniser: Recogniser, text: string) =>
  ((await recogniser.find([text], patient))[0] ?? []).map((one) => ({ ...one, value: text.slice(one.start, one.end) }));

describe("the built-in recogniser", () => {
  it.each(recogniserRules)("$name", async ({ broken }) => {
    expect(await broken(builtInRecogniser())).toBeNull();
  });

  it("refuses a model that is cut or changed", async () => {
    const file = await readFile(new URL("../../src/guard/privacy/recogniser/model.bin", import.meta.url));
    const refusal = expect.objectContaining({ code: "configuration_invalid" });
    expect(() => checkedModel(file, "0".repeat(64))).toThrow(refusal);
    for (const cut of [file.subarray(0, 3), file.subarray(0, 100), file.subarray(0, -1), Buffer.concat([file, Buffer.alloc(1)])])
      expect(() => openNameModel(cut)).toThrow(refusal);
  });

  it("finds cities in prose only where it is asked to", async () => {
    const text = "We flew from Budapest to Lisbon.";
    expect(await find(builtInRecogniser(), text)).toEqual([]);
    expect((await find(builtInRecogniser({ places: true }), text)).map(({ kind }) => kind)).toEqual(["place", "place"]);
  });
});

interface Asked {
  readonly text: string;
  readonly language: string;
  readonly score_threshold: number;
}

describe("a Presidio analyzer behind a URL", () => {
  // A stand-in of ours that speaks the protocol: it knows one person, and counts characters as Python does.
  let server: Server;
  let baseUrl: string;
  let answer: ((body: Asked) => { status?: number; body: unknown }) | null = null;
  const heard: { path: string; body: Asked }[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const body: Asked = JSON.parse(Buffer.concat(parts).toString());
      heard.push({ path: `${request.method} ${request.url}`, body });
      const { status = 200, body: said } = answer?.(body) ?? { body: people(body) };
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(typeof said === "string" ? said : JSON.stringify(said));
    });
    baseUrl = await listening(server);
  });
  afterAll(() => server.close());
  afterEach(() => {
    answer = null;
    heard.length = 0;
  });

  function people({ text }: Asked): unknown {
    return [...text.matchAll(/Maria\s+Schneider/g)].map(({ 0: name, index }) => {
      const start = [...text.slice(0, index)].length;
      return { start, end: start + [...name].length, score: 0.85, entity_type: "PERSON", analysis_explanation: null };
    });
  }
  const analyzer = () => presidioAnalyzer({ name: "presidio", baseUrl });

  it.each(recogniserRules)("$name", async ({ broken }) => {
    expect(await broken(analyzer())).toBeNull();
  });

  it("is asked by `POST /analyze` with text, language and least score", async () => {
    await find(presidioAnalyzer({ name: "presidio", baseUrl: `${baseUrl}/`, language: "de", minScore: 0.6 }), "guten Tag");
    expect(heard).toEqual([{ path: "POST /analyze", body: { text: "guten Tag", language: "de", score_threshold: 0.6 } }]);
  });

  it("has its types mapped to our classes, its dates let through, and what is too unsure left out", async () => {
    const types = ["US_SSN", "UK_NHS", "PL_PESEL", "LOCATION", "DATE_TIME", "BADGE NO", "PHONE_NUMBER"];
    answer = () => ({
      body: types.map((type, at) => ({ start: at, end: at + 1, score: type === "PHONE_NUMBER" ? 0.3 : 1, entity_type: type })),
    });
    const found = (await find(analyzer(), "abcdefg")).map(({ class: one, kind, jurisdiction }) => [one, kind, jurisdiction]);
    expect(found).toEqual([
      ["national_id", "us_ssn", "us"],
      ["national_id", "gb_nhs", "gb"],
      ["national_id", "pl_pesel", "pl"],
      ["address", "place", null],
      ["term", "badge_no", null],
    ]);
  });

  const one = { start: 0, end: 4, score: 1, entity_type: "PERSON" };
  it.each([
    ["a status of failure", { status: 500, body: { error: "secret words of the server" } }],
    ["no JSON", { body: "not json" }],
    ["another form", { body: { results: [] } }],
    ["no score", { body: [{ ...one, score: undefined }] }],
    ["a range outside of the text", { body: [one, { ...one, end: 400 }] }],
    ["a range before the text", { body: [{ ...one, start: -1 }] }],
    ["a range that ends before it begins", { body: [{ ...one, start: 3, end: 2 }] }],
    ["a place between characters", { body: [{ ...one, end: 2.5 }] }],
  ])("rejects for all texts where one is answered with %s", async (_, said) => {
    answer = ({ text }) => (text === "bad text" ? said : { body: [] });
    const failed = analyzer().find(["good text", "bad text", "good text"], patient);
    await expect(failed).rejects.toMatchObject({ code: "model_unavailable" });
    await expect(failed).rejects.not.toThrow(/secret words|bad text/);
  });

  it("rejects where it hangs, and where nobody listens", async () => {
    const silent = createServer(() => {});
    const slow = presidioAnalyzer({ name: "presidio", baseUrl: await listening(silent), timeoutMs: 50 });
    await expect(slow.find(["x"], patient)).rejects.toMatchObject({ code: "model_unavailable" });
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    await expect(slow.find(["x"], patient)).rejects.toMatchObject({ code: "model_unavailable" });
  });

  it("is refused outside of the boundary, and with a score or a language that cannot be", () => {
    const refusal = expect.objectContaining({ code: "definition_invalid" });
    expect(() => presidioAnalyzer({ name: "presidio", baseUrl: "https://presidio.example.com" })).toThrow(refusal);
    expect(() => presidioAnalyzer({ name: "presidio", baseUrl, minScore: 40 })).toThrow(refusal);
    expect(() => presidioAnalyzer({ name: "presidio", baseUrl, language: "English, please" })).toThrow(refusal);
    expect(() => presidioAnalyzer({ name: "Presidio!", baseUrl })).toThrow(refusal);
    const inside = { baseUrl: "https://presidio.example.com", insideHosts: ["presidio.example.com"] };
    expect(() => presidioAnalyzer({ name: "presidio", ...inside })).not.toThrow();
  });
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

describe("a model that labels tokens, in a folder", () => {
  const vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "maria", "schneider", "berlin"];
  const labels = ["O", "B-PER", "I-PER", "B-LOC"];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "countersign-onnx-names-"));
    await writeFile(join(folder, "vocab.txt"), vocabulary.join("\n"));
    await writeFile(join(folder, "model.onnx"), "weights of no model");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Stands in for the runtime, which is the project's own package: it knows three words. */
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
      inputNames: ["input_ids", "attention_mask"],
      outputNames: ["logits"],
      run: async (feeds: { readonly [name: string]: Tensor }) => {
        const { data = new BigInt64Array(), dims = [0, 0] } = feeds["input_ids"] ?? {};
        const label = (id: bigint) => (id > 3n ? Number(id) - 3 : 0);
        const values = [...data].flatMap((id) => Array.from({ length: width }, (_, at) => (at === label(id) ? 1 : -1)));
        return { logits: { data: Float32Array.from(values), dims: [...dims, width] } };
      },
    };
    return async () => ({ InferenceSession: { create: async () => session }, Tensor });
  }
  const classifier = (more: { readonly mostTokens?: number; readonly width?: number } = {}) =>
    onnxTokenClassifier({ name: "folder", version: "1", folder, labels, runtime: runtimeOf(more.width ?? 4), ...more });

  it.each(recogniserRules)("$name", async ({ broken }) => {
    expect(await broken(classifier())).toBeNull();
  });

  it("reads a long text to its end, in windows of any size", { timeout: 60_000 }, async () => {
    const text = `${"word ".repeat(90)}Maria Schneider ${"word ".repeat(90)}Maria Schneider`;
    for (const mostTokens of [3, 4, 7, 64, 512]) {
      const found = await find(classifier({ mostTokens }), text);
      expect(found.map(({ value }) => value)).toEqual(["Maria Schneider", "Maria Schneider"]);
    }
  });

  it("tells a place from a person, and names that follow each other", async () => {
    const found = await find(classifier(), "Maria Schneider, Maria Schneider-Berlin");
    expect(found.map(({ class: one, value }) => `${one} ${value}`)).toEqual([
      "person Maria Schneider",
      "person Maria Schneider",
      "address Berlin",
    ]);
  });

  it("is refused with other labels than it has, without a model, and with labels that cannot be", async () => {
    await expect(classifier({ width: 9 }).find(["x"], patient)).rejects.toMatchObject({ code: "model_unavailable" });
    const options = { name: "folder", version: "1", folder, labels, runtime: runtimeOf(4) };
    const missing = onnxTokenClassifier({ ...options, folder: tmpdir() });
    await expect(missing.find(["x"], patient)).rejects.toMatchObject({ code: "configuration_invalid" });
    const refusal = expect.objectContaining({ code: "definition_invalid" });
    expect(() => onnxTokenClassifier({ ...options, labels: ["B-PER"] })).toThrow(refusal);
    expect(() => onnxTokenClassifier({ ...options, labels: ["O", "O"] })).toThrow(refusal);
    expect(() => onnxTokenClassifier({ ...options, version: "" })).toThrow(refusal);
  });
});
