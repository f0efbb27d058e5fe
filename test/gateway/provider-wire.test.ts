import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../src/contract/json.ts";
import { anthropic } from "../../src/gateway/providers/anthropic.ts";
import { openAi } from "../../src/gateway/providers/openai.ts";
import { type Answers, cancelSwitch, type MisbehavingModel, openMisbehavingModel } from "../../src/testing/index.ts";
import { canaryKey, daysSchema, goodText, requestFor, type Way, ways } from "./provider-ways.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

const good = { kind: "reply", text: goodText } as const;
const { cancel } = cancelSwitch();

async function serve(answers: Answers): Promise<MisbehavingModel> {
  const model = await openMisbehavingModel({ answers });
  closing.push(model.close);
  return model;
}

function providerAt(way: Way, { url }: { url: string }) {
  return way.source(`${url}/v1`).open(canaryKey);
}

/** A server that keeps what the misbehaving one leaves out, and how many connections it was reached by. */
async function plainServer(): Promise<{ url: string; headers: IncomingHttpHeaders[]; connections: () => number }> {
  const headers: IncomingHttpHeaders[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    headers.push(request.headers);
    request.resume().on("end", () => response.writeHead(400, { "content-type": "application/json" }).end('{"error":{}}'));
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, headers, connections: () => connections };
}

/** The fields of the body that hold a model to the form and to what was asked, by protocol and way. */
const forms: Readonly<Record<string, object>> = {
  "responses schema": { text: { format: { type: "json_schema", strict: true } }, max_output_tokens: 4096, store: false },
  "responses tool": { tool_choice: { type: "function", name: "reply" }, tools: [{ strict: true }], max_output_tokens: 4096 },
  "chat schema": { response_format: { type: "json_schema", json_schema: { strict: true } }, max_tokens: 4096 },
  "chat tool": { tool_choice: { type: "function", function: { name: "reply" } }, max_tokens: 4096 },
  "chat grammar": { structured_outputs: { json: { type: "object" } }, max_tokens: 4096 },
  "messages schema": { output_config: { format: { type: "json_schema" } }, max_tokens: 4096 },
  "messages tool": { tool_choice: { type: "tool", name: "reply" }, tools: [{ name: "reply", strict: true }], max_tokens: 4096 },
};

describe.each(ways.map((way) => [way.title, way] as const))("%s", (_, way) => {
  it("sends the pinned id, the sampling and the form that were asked for", async () => {
    const model = await serve([good]);
    await providerAt(way, model).complete(requestFor(way.model), cancel);
    const { protocol, constrain, stream } = way;
    expect(model.requests).toMatchObject([{ protocol, isStreaming: stream, hasCredential: true }]);
    expect(model.requests[0]?.body).toMatchObject({
      model: way.model.id,
      temperature: 0,
      ...forms[`${protocol} ${constrain}`],
    });
  });

  it("sends the same bytes up to the end of the system text, whatever is asked, and again with an error", async () => {
    const model = await serve([good]);
    const provider = providerAt(way, model);
    const asked = { role: "user", text: "How many days?" } as const;
    await provider.complete(requestFor(way.model), cancel);
    await provider.complete(
      requestFor(way.model, { attempt: 2, messages: [asked, { role: "user", text: "It did not fit." }] }),
      cancel,
    );
    await provider.complete(requestFor(way.model, { messages: [{ role: "user", text: "And how many nights?" }] }), cancel);
    const prefixes = model.requests.map(({ text }) => text.slice(0, text.indexOf("Copy identifiers exactly.") + 25));
    expect(prefixes[0]?.length).toBeGreaterThan(100);
    expect(new Set(prefixes).size).toBe(1);
  });

  it("sends nothing where nobody waits any more, and ends the request when nobody does", async () => {
    const model = await serve([{ kind: "stalled", atByte: way.stream ? 40 : 0, of: good }]);
    const provider = providerAt(way, model);
    const gone = cancelSwitch();
    gone.fire();
    expect(await provider.complete(requestFor(way.model), gone.cancel)).toMatchObject({ fault: "cancelled" });
    expect(model.requests).toEqual([]);
    const leaving = cancelSwitch();
    const asked = provider.complete(requestFor(way.model), leaving.cancel);
    const { ended } = await model.received(1);
    leaving.fire();
    expect(await asked).toMatchObject({ fault: "cancelled", problem: "the call was cancelled" });
    expect(await ended).toBe("cut");
  });

  it("sends its key to its own server alone", async () => {
    const elsewhere = await plainServer();
    const model = await serve([{ kind: "redirected", to: `${elsewhere.url}/v1/else`, status: 307 }]);
    const reply = await providerAt(way, model).complete(requestFor(way.model), cancel);
    expect(reply).toMatchObject({ fault: "refused_request" });
    expect(elsewhere.headers).toEqual([]);
  });

  it("reads no more than its limit", async () => {
    const model = await serve([{ kind: "endless" }]);
    const reply = await providerAt(way, model).complete(requestFor(way.model), cancel);
    expect(reply).toMatchObject({ fault: "unusable", usage: null, problem: "the provider's reply is larger than 4194304 bytes" });
    expect("receivedCharacters" in reply && reply.receivedCharacters).toBeGreaterThan(100_000);
  });

  it("says nothing to the console and shows its key to nobody", async () => {
    const told = (["log", "warn", "error", "info", "debug"] as const).map((name) => vi.spyOn(console, name));
    const model = await serve([{ kind: "error", status: 401, quotesKey: true }]);
    const source = way.source(`${model.url}/v1`);
    const provider = source.open(canaryKey);
    const reply = await provider.complete(requestFor(way.model), cancel);
    expect(reply).toMatchObject({ fault: "refused_key" });
    for (const shown of [source, provider, reply]) {
      expect(inspect(shown, { depth: null, showHidden: true }) + JSON.stringify(shown)).not.toContain("canary");
    }
    for (const spy of told) expect(spy).not.toHaveBeenCalled();
  });

  it("knows its key from the one that opened it, its address from its options, and nothing from the environment", async () => {
    for (const name of ["OPENAI", "ANTHROPIC"]) {
      vi.stubEnv(`${name}_API_KEY`, "sk-of-the-environment");
      vi.stubEnv(`${name}_AUTH_TOKEN`, "sk-of-the-environment");
      vi.stubEnv(`${name}_BASE_URL`, "http://127.0.0.1:9");
    }
    const server = await plainServer();
    await providerAt(way, server).complete(requestFor(way.model), cancel);
    const sent = JSON.stringify(server.headers);
    expect(server.headers.length).toBe(1);
    expect(sent).toContain(canaryKey);
    expect(sent).not.toContain("environment");
  });

  it("keeps its connection", async () => {
    const server = await plainServer();
    const provider = providerAt(way, server);
    for (let call = 0; call < 20; call += 1) await provider.complete(requestFor(way.model), cancel);
    expect(server.headers.length).toBe(20);
    // A second one is opened while the first is being freed.
    expect(server.connections()).toBeLessThan(4);
  });
});

describe("what cannot be said to a provider", () => {
  const off = { secret: "MODEL_KEY", boundary: "off" } as const;
  const gpt = { provider: "openai", id: "gpt-4.1-2025-04-14", effort: "none", temperature: 0 } as const;
  const claude = { provider: "anthropic", id: "claude-sonnet-4-5-20250929", effort: "none", temperature: 0 } as const;
  const optional: JsonObject = { ...daysSchema, required: ["days"] };
  const open: JsonObject = { type: "object", additionalProperties: { type: "string" } };

  it("goes to OpenAI whole and unenforced where a key may be left out", async () => {
    const model = await serve([good]);
    const provider = openAi({ name: "openai", ...off, api: "responses", constrain: "schema", baseUrl: `${model.url}/v1` });
    await provider.open(canaryKey).complete(requestFor(gpt, { jsonSchema: optional }), cancel);
    expect(model.requests[0]?.body).toMatchObject({ text: { format: { strict: false, schema: optional } } });
  });

  it("goes to Anthropic as the input of a tool where an object is open", async () => {
    const model = await serve([good]);
    const provider = anthropic({ name: "anthropic", ...off, constrain: "schema", baseUrl: `${model.url}/v1` });
    await provider.open(canaryKey).complete(requestFor(claude, { jsonSchema: open }), cancel);
    expect(model.requests[0]?.body).toMatchObject({ tool_choice: { type: "tool" }, tools: [{ input_schema: open }] });
  });

  it("is refused before it is sent where there is no way", async () => {
    const model = await serve([good]);
    const source = anthropic({ name: "anthropic", ...off, constrain: "schema", baseUrl: `${model.url}/v1` });
    const provider = source.open(canaryKey);
    const thinking = { provider: "anthropic", id: "claude-opus-5-5", effort: "low", temperature: null } as const;
    expect(await provider.complete(requestFor(thinking, { jsonSchema: open }), cancel)).toMatchObject({
      fault: "refused_request",
      problem: expect.stringContaining("an object that is open to further keys"),
    });
    const union = { anyOf: [daysSchema, optional] };
    expect(await provider.complete(requestFor(claude, { jsonSchema: union }), cancel)).toMatchObject({
      fault: "refused_request",
      problem: "the provider takes a decision schema whose root is one object",
    });
    expect(model.requests).toEqual([]);
  });

  it("is refused before it is sent where the SDK would drop what was asked for", async () => {
    const model = await serve([good]);
    const source = openAi({ name: "openai", ...off, api: "responses", constrain: "schema", baseUrl: `${model.url}/v1` });
    // A family that is not known here, and that the SDK takes for one without sampling.
    const choice = { provider: "openai", id: "gpt-10-2030-01-01", effort: "low", temperature: 0 } as const;
    expect(source.refusalOf?.(choice)).toBeNull();
    expect(await source.open(canaryKey).complete(requestFor(choice), cancel)).toMatchObject({
      fault: "refused_request",
      problem: "the request would not be sent with the temperature that was asked for",
    });
    expect(model.requests).toEqual([]);
  });

  it("is sent to a model that reasons with its effort and no sampling", async () => {
    const model = await serve([good]);
    const baseUrl = `${model.url}/v1`;
    const thinking = { id: "claude-opus-4-6", provider: "anthropic", effort: "medium", temperature: null } as const;
    const reasoning = { id: "o3-2025-04-16", provider: "openai", effort: "high", temperature: null } as const;
    const claudes = anthropic({ name: "anthropic", ...off, constrain: "schema", baseUrl }).open(canaryKey);
    const gpts = (api: "responses" | "chat") =>
      openAi({ name: "openai", ...off, api, constrain: "schema", baseUrl }).open(canaryKey);
    await claudes.complete(requestFor(thinking), cancel);
    await gpts("responses").complete(requestFor(reasoning), cancel);
    await gpts("chat").complete(requestFor(reasoning), cancel);
    expect(model.requests.map(({ body }) => body)).toMatchObject([
      { thinking: { type: "adaptive" }, output_config: { effort: "medium" } },
      { reasoning: { effort: "high" }, max_output_tokens: 4096 },
      { reasoning_effort: "high", max_completion_tokens: 4096 },
    ]);
    for (const { text } of model.requests) expect(text).not.toContain("temperature");
  });

  it("marks the system text for Anthropic's cache", async () => {
    const model = await serve([good]);
    const source = anthropic({ name: "anthropic", ...off, constrain: "schema", baseUrl: `${model.url}/v1` });
    await source.open(canaryKey).complete(requestFor(claude), cancel);
    expect(model.requests[0]?.body).toMatchObject({
      system: [{ type: "text", text: requestFor(claude).system, cache_control: { type: "ephemeral" } }],
    });
  });
});
