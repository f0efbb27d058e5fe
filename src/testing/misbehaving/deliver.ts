import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate, setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { assertNever } from "../../contract/errors.ts";
import type { Answer, RetryAfter } from "./answers.ts";
import { idAt } from "./protocol.ts";
import { type Asked, speak, speakBroken } from "./speak.ts";
import { writeJson } from "./wire.ts";

/** Gives an answer over the wire. Resolves when it is given, or when the client has left. */
export async function deliver({ asked, answer, response }: { asked: Asked; answer: Answer; response: ServerResponse }) {
  // Who left before the answer began would leave what drips without an end.
  if (response.destroyed) return;
  const sending: Sending = { asked, response, contentType: contentTypeOf(answer) };
  switch (answer.kind) {
    case "reply":
    case "refusal":
    case "nothing":
      return send(sending, speak(asked, answer));
    case "broken":
      return send(sending, speakBroken(asked, answer));
    case "error":
      return sendError(sending, answer);
    case "stalled":
    case "dropped":
      return sendPart(sending, answer);
    case "dripped":
      return drip(sending, answer);
    case "endless":
      return pour(response, endless(sending));
    case "encoded":
      return sendEncoded(sending, answer);
    case "raw":
      response.writeHead(answer.status ?? 200, { "content-type": answer.contentType });
      return pour(response, [Buffer.from(answer.body)]);
    case "redirected":
      response.writeHead(answer.status, { location: answer.to });
      return pour(response, []);
    default:
      return assertNever(answer);
  }
}

interface Sending {
  readonly asked: Asked;
  readonly response: ServerResponse;
  /** In the place of the right one. */
  readonly contentType: string | undefined;
}

function contentTypeOf(answer: Answer): string | undefined {
  const said = "of" in answer ? answer.of : answer;
  return said.kind === "reply" ? said.contentType : undefined;
}

/** A client that leaves ends the pouring, which is no fault of the server. */
async function pour(response: ServerResponse, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(chunks), response).catch((error: unknown) => {
    if (!partings.has(Object(error).code)) throw error;
  });
}

const partings: ReadonlySet<unknown> = new Set([
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_UNABLE_TO_PIPE",
  "ECONNRESET",
  "EPIPE",
  "ABORT_ERR",
]);

async function send(sending: Sending, frames: readonly Buffer[]): Promise<void> {
  begin(sending, frames);
  await pour(sending.response, frames);
}

/** A whole body tells its length; a stream, and what never ends, does not know it. */
function begin({ asked, response, contentType }: Sending, frames: readonly Buffer[]): void {
  const headers = headersOf(asked, frames);
  response.writeHead(200, contentType === undefined ? headers : { ...headers, "content-type": contentType });
}

function headersOf({ protocol, isStreaming, place }: Asked, frames: readonly Buffer[] | null): Record<string, string | number> {
  const id = { [protocol.name === "messages" ? "request-id" : "x-request-id"]: `req_${idAt(place)}` };
  if (isStreaming) return { ...id, "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  const length = frames === null ? {} : { "content-length": Buffer.concat(frames).length };
  return { ...id, "content-type": "application/json", ...length };
}

async function sendEncoded({ asked, response }: Sending, { times, of }: Extract<Answer, { kind: "encoded" }>): Promise<void> {
  const headers = headersOf(asked, null);
  const encoding = Array.from({ length: times }, () => "gzip").join(",");
  response.writeHead(200, { ...headers, "content-encoding": encoding, connection: "close" });
  await pour(response, [gzipSync(Buffer.concat(speak(asked, of)))]);
}

async function sendError({ asked, response }: Sending, answer: Extract<Answer, { kind: "error" }>): Promise<void> {
  const { status, retryAfter, quotesKey = false } = answer;
  const message = quotesKey ? `Incorrect API key provided: ${asked.key}.` : "The server did not take the request.";
  const body = writeJson(asked.protocol.error({ status, message, id: idAt(asked.place) }));
  response.writeHead(status, { "content-type": "application/json", ...(retryAfter ? retryHeader(retryAfter) : {}) });
  await pour(response, [body]);
}

function retryHeader({ unit, value }: RetryAfter): Record<string, string> {
  if (unit === "ms") return { "retry-after-ms": String(value) };
  return { "retry-after": unit === "seconds" ? String(value) : new Date(value).toUTCString() };
}

async function sendPart(sending: Sending, { kind, atByte, of }: Extract<Answer, { kind: "stalled" | "dropped" }>): Promise<void> {
  const { response } = sending;
  if (atByte !== null) {
    const frames = speak(sending.asked, of);
    begin(sending, frames);
    response.flushHeaders();
    const bytes = Buffer.concat(frames);
    await written(response, bytes.subarray(0, Math.min(atByte, bytes.length - 1)));
  }
  if (kind === "dropped") response.destroy();
}

function written(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.write(bytes, () => resolve());
  });
}

async function drip(sending: Sending, { everyMs, of }: Extract<Answer, { kind: "dripped" }>): Promise<void> {
  const frames = speak(sending.asked, of);
  begin(sending, frames);
  sending.response.flushHeaders();
  // The wait ends with the connection, so that a client that leaves and a server that closes leave no timer behind.
  const gone = new AbortController();
  sending.response.once("close", () => gone.abort());
  await pour(sending.response, drops({ bytes: Buffer.concat(frames), everyMs, signal: gone.signal }));
}

async function* drops({ bytes, everyMs, signal }: { bytes: Buffer; everyMs: number; signal: AbortSignal }) {
  for (let at = 0; at < bytes.length; at += 1) {
    await (everyMs === 0 ? setImmediate() : setTimeout(everyMs, undefined, { signal }));
    yield bytes.subarray(at, at + 1);
  }
}

/** A reply up to the middle of its text, and then more of the text for ever. */
function* endless({ asked, response }: Sending): Generator<Buffer> {
  const filler = Buffer.alloc(64 * 1024, "a");
  const frames = speak(asked, { kind: "reply", text: `{"a":"${filler}"}` });
  response.writeHead(200, headersOf(asked, null));
  const place = frames.findIndex((frame) => frame.includes(filler.subarray(0, 1000)));
  yield* frames.slice(0, place);
  const frame = frames[place] ?? filler;
  if (!asked.isStreaming) yield frame.subarray(0, frame.indexOf(filler));
  for (;;) yield asked.isStreaming ? frame : filler;
}
