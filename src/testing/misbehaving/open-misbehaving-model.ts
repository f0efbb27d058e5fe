import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { CountersignError } from "../../contract/errors.ts";
import type { Answer } from "./answers.ts";
import { deliver } from "./deliver.ts";
import { openAiError } from "./openai-error.ts";
import { type ReceivedRequest, receive } from "./receive.ts";
import { openRequestLog, type RequestLog } from "./request-log.ts";
import { type WireObject, writeJson } from "./wire.ts";

/**
 * What the misbehaving server answers: one answer a request, the last one repeating; or as a function says, which is told the
 * request's place, from 0. Requests that no protocol understands are kept, have no place, and get a 404 or 400 instead of an answer.
 */
export type Answers = readonly Answer[] | ((request: ReceivedRequest, place: number) => Answer);

/** A running model server that misbehaves as it is told. It is no model. */
export interface MisbehavingModel {
  /** `http://127.0.0.1:` and a port of its own; the protocols' paths begin with `/v1`. */
  readonly url: string;
  /** What came, in the order in which it had come whole. */
  readonly requests: readonly ReceivedRequest[];
  /** Resolves with the request of that number, counted from 1, as soon as it has come; rejects when the server closes before. */
  readonly received: (number: number) => Promise<ReceivedRequest>;
  /** Ends every connection at once, stalled and dripping ones too. Rejects with what an `answers` function threw. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a model server on this machine that speaks OpenAI's Responses and chat completions and Anthropic's Messages over real HTTP,
 * streamed where the request wants it, and misbehaves as it is told: for testing what calls a model. Refuses an empty list of answers
 * with `definition_invalid`.
 * @example
 * const model = await openMisbehavingModel({ answers: [{ kind: "error", status: 503 }, { kind: "reply", text: '{"days":3}' }] });
 */
export async function openMisbehavingModel({ answers }: { readonly answers: Answers }): Promise<MisbehavingModel> {
  const answerTo = answersInTurn(answers);
  const log = openRequestLog();
  const thrown: unknown[] = [];
  let places = 0;
  const nextPlace = () => {
    places += 1;
    return places - 1;
  };
  const server = createServer((message, response) => {
    serve({ message, response, answerTo, log, nextPlace }).catch((error: unknown) => {
      thrown.push(error);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const end = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    log.end();
    await closed;
    if (thrown.length > 0) throw thrown[0];
  };
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ending ??= end();
    return ending;
  };

  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests: log.requests, received: log.received, close };
}

type AnswerTo = (request: ReceivedRequest, place: number) => Answer;

function answersInTurn(answers: Answers): AnswerTo {
  if (typeof answers === "function") return answers;
  const last = answers.at(-1);
  if (last === undefined)
    throw new CountersignError("definition_invalid", "the misbehaving model has no answers; give it one at least");
  return (_request, place) => answers[place] ?? last;
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly answerTo: AnswerTo;
  readonly log: RequestLog;
  /** The place of a request among those that get an answer, from 0. */
  readonly nextPlace: () => number;
}

async function serve({ message, response, answerTo, log, nextPlace }: Exchange): Promise<void> {
  const received = await receive(message, response).catch(() => null);
  // The client left before it had sent its request.
  if (received === null) return;
  const { request, protocol, key } = received;
  log.add(request);
  if (protocol === null) return refuse(response, 404);
  if (!isObject(request.body)) return refuse(response, 400);
  const place = nextPlace();
  const asked = { protocol, body: request.body, isStreaming: request.isStreaming, place, key };
  await deliver({ asked, answer: answerTo(request, place), response });
}

function refuse(response: ServerResponse, status: 400 | 404): void {
  const message = status === 404 ? "There is no such path here." : "The body is no JSON object.";
  response.writeHead(status, { "content-type": "application/json" });
  response.end(writeJson(openAiError({ status, message })));
}

function isObject(body: unknown): body is WireObject {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}
