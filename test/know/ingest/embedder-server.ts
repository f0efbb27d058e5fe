import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { hashedEmbedder } from "../../../src/testing/hashed-embedder.ts";

/** A server that speaks OpenAI's embeddings, with no model behind it. */
export interface EmbedderServer {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  /** Every text that it was asked for, in their order. */
  readonly asked: readonly string[];
  /** The key of the last request; `null` where it had none. */
  readonly key: () => string | null;
  /** From then on it answers, or says that it is overloaded. */
  readonly answer: (answers: boolean) => void;
  readonly close: () => Promise<void>;
}

/** Starts it on a free port of this machine. */
export async function startEmbedderServer({ dimensions }: { dimensions: number }): Promise<EmbedderServer> {
  const embedder = hashedEmbedder({ dimensions });
  const asked: string[] = [];
  let key: string | null = null;
  let answers = true;
  const server: Server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: string[] };
    key = request.headers.authorization ?? null;
    if (request.url !== "/v1/embeddings" || !answers) {
      response.writeHead(answers ? 404 : 503).end();
      return;
    }
    asked.push(...input);
    const vectors = await embedder.embedDocuments(input);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    key: () => key,
    answer: (next) => {
      answers = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
