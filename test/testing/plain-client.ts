import type { ProtocolName } from "../../src/testing/misbehaving/protocol.ts";

/** How one protocol is spoken: written for the tests alone, so that the server is not measured by its own words. */
interface Way {
  readonly path: string;
  readonly credential: (key: string) => Record<string, string>;
  readonly body: (text: string) => object;
  readonly tool: (name: string) => object;
}

const schema = { type: "object" };

const speech: Record<ProtocolName, Way> = {
  responses: {
    path: "/v1/responses",
    credential: (key) => ({ authorization: `Bearer ${key}` }),
    body: (text) => ({ input: [{ role: "user", content: text }] }),
    tool: (name) => ({ tools: [{ type: "function", name, parameters: schema }], tool_choice: { type: "function", name } }),
  },
  chat: {
    path: "/v1/chat/completions",
    credential: (key) => ({ authorization: `Bearer ${key}` }),
    body: (text) => ({ messages: [{ role: "user", content: text }], stream_options: { include_usage: true } }),
    tool: (name) => ({
      tools: [{ type: "function", function: { name, parameters: schema } }],
      tool_choice: { type: "function", function: { name } },
    }),
  },
  messages: {
    path: "/v1/messages",
    credential: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
    body: (text) => ({ max_tokens: 100, messages: [{ role: "user", content: text }] }),
    tool: (name) => ({ tools: [{ name, input_schema: schema }], tool_choice: { type: "tool", name } }),
  },
};

export interface Asking {
  readonly url: string;
  readonly protocol: ProtocolName;
  readonly stream?: boolean;
  readonly tool?: string;
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly more?: object;
}

export function ask({ url, protocol, stream = false, tool, key = "sk-test", signal, more = {} }: Asking): Promise<Response> {
  const way = speech[protocol];
  const body = { model: "model-2026-01-01", stream, ...way.body("How many days?"), ...(tool ? way.tool(tool) : {}), ...more };
  return fetch(url + way.path, {
    method: "POST",
    headers: { "content-type": "application/json", ...way.credential(key) },
    body: JSON.stringify(body),
    redirect: "manual",
    ...(signal ? { signal } : {}),
  });
}

/** All bytes of a body, and whether it was cut off instead of ending. */
export async function bytesOf(response: Response): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  } catch {
    return { bytes: Buffer.concat(chunks), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

/** The data of a stream's events. The bytes are read as Latin-1, so that those of half a character stay. */
export function eventsOf(bytes: Buffer): readonly string[] {
  return bytes
    .toString("latin1")
    .split("\n\n")
    .flatMap((event) => event.split("\n").filter((line) => line.startsWith("data: ")))
    .map((line) => line.slice("data: ".length));
}

/** Every string under the given key, anywhere in the value, in order. */
export function stringsAt(value: unknown, key: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === key && typeof member === "string" ? [member] : stringsAt(member, key),
  );
}

/** The protocols, each whole and streamed. */
export const ways = (["responses", "chat", "messages"] as const).flatMap((protocol) =>
  [false, true].map((stream) => ({ protocol, stream, way: stream ? "streamed" : "whole" })),
);

/** What came over the wire. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly body: string;
  readonly isCut: boolean;
}

/** Asks, and reads whatever comes to its end. */
export async function see(asking: Asking): Promise<Seen> {
  const response = await ask(asking);
  const { bytes, isCut } = await bytesOf(response);
  return { status: response.status, headers: response.headers, bytes, body: bytes.toString(), isCut };
}

/** The values of a body: its own, or those of its events. Read as Latin-1, the bytes of half a character stay. */
export function valuesOf(bytes: Buffer, isStreamed: boolean, encoding: "latin1" | "utf8" = "latin1"): readonly unknown[] {
  const texts = isStreamed ? eventsOf(bytes).filter((data) => data !== "[DONE]") : [bytes.toString("latin1")];
  return texts.map((one) => JSON.parse(Buffer.from(one, "latin1").toString(encoding)));
}

/** What the model is told to have said. */
export function saidIn(values: readonly unknown[], { protocol, stream }: Pick<Asking, "protocol" | "stream">): string {
  const inner = values.map((value) => (stream && protocol === "messages" ? Object(value).delta : value));
  const told = stream && protocol === "responses" ? inner.filter((value) => /text.delta$/.test(Object(value).type)) : inner;
  const key = protocol === "chat" ? "content" : stream && protocol === "responses" ? "delta" : "text";
  return told.flatMap((value) => stringsAt(value, key)).join("");
}

export function isJson(data: string): boolean {
  try {
    JSON.parse(data);
    return true;
  } catch {
    return data === "[DONE]";
  }
}
