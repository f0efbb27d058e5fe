import { afterEach, describe, expect, it } from "vitest";
import { ask, bytesOf, eventsOf, stringsAt } from "../../../test/testing/plain-client.ts";
import { type Answers, type MisbehavingModel, openMisbehavingModel, plainUsage } from "../index.ts";
import type { ProtocolName } from "./protocol.ts";

const protocols: readonly ProtocolName[] = ["responses", "chat", "messages"];
const text = String.raw`{"note":"Größe \uD83D\uDE00 😀 and a \"quoted\" word that takes more than one piece","days":3}`;
const usage = { inputTokens: 5, cachedTokens: 128_955, cacheWriteTokens: 1_253, outputTokens: 40, reasoningTokens: 30 };

const opened: MisbehavingModel[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});

async function open(answers: Answers): Promise<string> {
  const model = await openMisbehavingModel({ answers });
  opened.push(model);
  return model.url;
}

async function json(url: string, protocol: ProtocolName, tool?: string): Promise<unknown> {
  const response = await ask({ url, protocol, ...(tool ? { tool } : {}) });
  expect(response.headers.get("content-type")).toBe("application/json");
  return response.json();
}

async function stream(url: string, protocol: ProtocolName, tool?: string): Promise<readonly unknown[]> {
  const response = await ask({ url, protocol, stream: true, ...(tool ? { tool } : {}) });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const { bytes } = await bytesOf(response);
  return eventsOf(bytes).map((data) => (data === "[DONE]" ? data : JSON.parse(Buffer.from(data, "latin1").toString())));
}

describe("a good reply, whole", () => {
  it("is a response with its item of text at OpenAI's Responses, behind the reasoning", async () => {
    expect(await json(await open([{ kind: "reply", text, usage }]), "responses")).toMatchObject({
      object: "response",
      status: "completed",
      model: "model-2026-01-01",
      error: null,
      incomplete_details: null,
      output: [{ type: "reasoning" }, { type: "message", role: "assistant", content: [{ type: "output_text", text }] }],
      usage: {
        input_tokens: 130_213,
        input_tokens_details: { cached_tokens: 128_955 },
        output_tokens: 70,
        output_tokens_details: { reasoning_tokens: 30 },
        total_tokens: 130_283,
      },
    });
  });

  it("is a choice at chat completions", async () => {
    expect(await json(await open([{ kind: "reply", text, usage }]), "chat")).toMatchObject({
      object: "chat.completion",
      model: "model-2026-01-01",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text, refusal: null } }],
      usage: {
        prompt_tokens: 130_213,
        prompt_tokens_details: { cached_tokens: 128_955 },
        completion_tokens: 70,
        completion_tokens_details: { reasoning_tokens: 30 },
        total_tokens: 130_283,
      },
    });
  });

  it("is a message at Anthropic, where no kind of input counts another's tokens", async () => {
    expect(await json(await open([{ kind: "reply", text, usage }]), "messages")).toMatchObject({
      type: "message",
      model: "model-2026-01-01",
      content: [{ type: "thinking" }, { type: "text", text }],
      stop_reason: "end_turn",
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 128_955,
        cache_creation_input_tokens: 1_253,
        output_tokens: 70,
        output_tokens_details: { thinking_tokens: 30 },
      },
    });
  });

  it("is the arguments of the tool that the request forces", async () => {
    const url = await open([{ kind: "reply", text }]);
    expect(await json(url, "responses", "answer")).toMatchObject({
      output: [{ type: "function_call", name: "answer", arguments: text, call_id: expect.stringMatching(/^call_/) }],
    });
    expect(await json(url, "chat", "answer")).toMatchObject({
      choices: [
        { finish_reason: "stop", message: { content: null, tool_calls: [{ function: { name: "answer", arguments: text } }] } },
      ],
    });
    expect(await json(url, "messages", "answer")).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "answer", input: JSON.parse(text) }],
    });
  });

  it("is the arguments of the first tool where any has to be called", async () => {
    const url = await open([{ kind: "reply", text }]);
    const asked = async (protocol: ProtocolName, tool_choice: unknown) =>
      (await ask({ url, protocol, tool: "answer", more: { tool_choice } })).json();
    expect(await asked("responses", "required")).toMatchObject({ output: [{ type: "function_call", name: "answer" }] });
    expect(await asked("chat", "required")).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
    expect(await asked("messages", { type: "any" })).toMatchObject({ content: [{ type: "tool_use", name: "answer" }] });
    expect(await asked("chat", "auto")).toMatchObject({ choices: [{ message: { content: text } }] });
  });
});

describe("a good reply, streamed", () => {
  it("is told event by event at OpenAI's Responses, numbered", async () => {
    const events = await stream(await open([{ kind: "reply", text, usage }]), "responses");
    const types = events.flatMap((event) => stringsAt(event, "type").slice(0, 1));
    expect(types.filter((type, at) => type !== types[at - 1])).toEqual([
      ...["response.created", "response.in_progress", "response.output_item.added", "response.output_item.done"],
      ...["response.output_item.added", "response.content_part.added", "response.output_text.delta", "response.output_text.done"],
      ...["response.content_part.done", "response.output_item.done", "response.completed"],
    ]);
    expect(events.map((event) => Object(event).sequence_number)).toEqual(events.map((_event, at) => at));
    expect(events.flatMap((event) => stringsAt(event, "delta")).join("")).toBe(text);
    expect(events.at(-1)).toMatchObject({ response: { status: "completed", usage: { input_tokens: 130_213 } } });
  });

  it("is told in chunks at chat completions, and usage last where it is asked for", async () => {
    const url = await open([{ kind: "reply", text, usage }]);
    const events = await stream(url, "chat");
    expect(events.flatMap((event) => stringsAt(event, "content")).join("")).toBe(text);
    expect(events.slice(-3)).toMatchObject([
      { choices: [{ finish_reason: "stop" }] },
      { choices: [], usage: { completion_tokens: 70 } },
      "[DONE]",
    ]);
    const silent = await bytesOf(await ask({ url, protocol: "chat", stream: true, more: { stream_options: undefined } }));
    expect(silent.bytes.includes("usage")).toBe(false);
  });

  it("is told block by block at Anthropic", async () => {
    const events = await stream(await open([{ kind: "reply", text, usage }]), "messages");
    expect(events.flatMap((event) => stringsAt(Object(event).delta, "text")).join("")).toBe(text);
    expect(events.filter((event) => !/content_block/.test(Object(event).type))).toMatchObject([
      { type: "message_start", message: { content: [], stop_reason: null, usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: "ping" },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 70 } },
      { type: "message_stop" },
    ]);
  });

  it("is the arguments of the tool that the request forces", async () => {
    const url = await open([{ kind: "reply", text }]);
    const keys = { responses: "delta", chat: "arguments", messages: "partial_json" } as const;
    for (const protocol of protocols) {
      const events = await stream(url, protocol, "answer");
      expect(events.flatMap((event) => stringsAt(event, "name")).slice(0, 1)).toEqual(["answer"]);
      const told = events.filter((event) => protocol !== "responses" || /delta$/.test(Object(event).type));
      expect(told.flatMap((event) => stringsAt(event, keys[protocol])).join("")).toBe(text);
    }
  });
});

describe("a reply of any kind", () => {
  it("has the same bytes for the same request", async () => {
    for (const protocol of protocols) {
      const bytes = async () =>
        (await bytesOf(await ask({ url: await open([{ kind: "reply", text }]), protocol, stream: true }))).bytes.toString();
      expect(await bytes()).toBe(await bytes());
    }
  });

  it("has a usage unless told otherwise, and no reasoning", async () => {
    const url = await open([{ kind: "reply", text }]);
    expect(await json(url, "responses")).toMatchObject({ output: [{}], usage: { input_tokens: plainUsage.inputTokens } });
    expect(await json(url, "messages")).toMatchObject({ content: [{}], usage: { output_tokens: plainUsage.outputTokens } });
  });
});
