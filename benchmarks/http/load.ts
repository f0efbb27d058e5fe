/** Clients that each ask, wait for the answer and ask again, over connections that stay open. */
import { Agent, request } from "node:http";
import { quantile } from "../overhead/statistics.ts";

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** One call; it throws where there is no answer. */
export type Call = () => Promise<Answer>;

/** What a stretch of calls came to; times in milliseconds, from the request to the last byte of the answer. */
export interface LoadResult {
  readonly clients: number;
  readonly calls: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Lets `clients` call for so many seconds and hands each answer to `see` with how long it took, in milliseconds. */
export async function runLoad({
  clients,
  seconds,
  call,
  see,
}: {
  clients: number;
  seconds: number;
  call: Call;
  see: (answer: Answer, ms: number) => void;
}): Promise<LoadResult> {
  const times: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const asked = performance.now();
      const answer = await call();
      const ms = performance.now() - asked;
      times.push(ms);
      see(answer, ms);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - begin) / 1000;
  times.sort((a, b) => a - b);
  return {
    clients,
    calls: times.length,
    perSecond: times.length / took,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** A caller of one address under one key. */
export function createCaller(baseUrl: string, apiKey: string | null) {
  const agent = new Agent({ keepAlive: true });
  const headers = { "content-type": "application/json", ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) };
  const send = (method: "GET" | "POST", path: string, body: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, baseUrl), { agent, method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const retryAfter = response.headers["retry-after"] ?? null;
          resolve({ status: response.statusCode ?? 0, retryAfter, text: Buffer.concat(parts).toString("utf8") });
        });
      });
      sent.on("error", reject);
      sent.end(body === "" ? undefined : body);
    });
  return { send, close: () => agent.destroy() };
}
