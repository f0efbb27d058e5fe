import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { anthropicMessages } from "./anthropic-messages.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import type { Protocol, ProtocolName } from "./protocol.ts";

/** A request as the misbehaving server received it. The credential is in none of the fields. */
export interface ReceivedRequest {
  /** `null` where no protocol of the server has such a path. */
  readonly protocol: ProtocolName | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The parsed body; `null` where it is no JSON. */
  readonly body: unknown;
  /** The body as it came. */
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly hasCredential: boolean;
  readonly isStreaming: boolean;
  /** Resolves when the exchange is over: the answer went out whole, or the connection ended before. */
  readonly ended: Promise<"answered" | "cut">;
}

/** A request with what is kept for answering it, and nowhere else. */
export interface Received {
  readonly request: ReceivedRequest;
  readonly protocol: Protocol | null;
  readonly key: string;
}

/** Reads a request. Rejects when the client leaves before it has sent the whole. */
export async function receive(message: IncomingMessage, response: ServerResponse): Promise<Received> {
  const ended = new Promise<"answered" | "cut">((resolve) => {
    response.once("close", () => resolve(response.writableFinished ? "answered" : "cut"));
  });
  const sent = await text(message);
  const body = parsed(sent);
  const path = (message.url ?? "/").split("?", 1)[0] ?? "/";
  const protocol = protocols.find((one) => one.path === path && message.method === "POST") ?? null;
  const key = keyOf(message.headers);
  const request: ReceivedRequest = {
    protocol: protocol?.name ?? null,
    method: message.method ?? "",
    path,
    body,
    text: sent,
    headers: withoutCredential(message.headers),
    hasCredential: key !== "",
    isStreaming: Object(body).stream === true,
    ended,
  };
  return { request, protocol, key };
}

const protocols: readonly Protocol[] = [openAiResponses, openAiChat, anthropicMessages];
const credentialHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api-key",
  "cookie",
  "proxy-authorization",
]);

function keyOf(headers: IncomingHttpHeaders): string {
  const given = [...credentialHeaders].map((name) => headers[name]).find((value) => value !== undefined);
  return String(given ?? "").replace(/^Bearer /i, "");
}

function withoutCredential(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !credentialHeaders.has(name)));
}

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return null;
  }
}
