import { CountersignError, isCountersignError } from "../../contract/errors.ts";
import type { Cancel } from "../../contract/principal.ts";
import { parseStrictJson } from "../parse.ts";
import { post } from "../providers/post.ts";

/** Most of an answer that is read, in bytes: some thousand vectors as JSON. */
const maxBytes = 64 * 1024 * 1024;

/** One question to a server that answers JSON. */
export interface JsonQuestion {
  /** Of the embedder or reranker, for errors. */
  readonly name: string;
  readonly url: string;
  readonly key: string | null;
  readonly body: object;
  readonly timeoutMs: number;
  readonly cancel: Cancel | undefined;
}

/** Posts a question and parses the answer strictly; no redirect is followed, nothing is sent again. Throws `model_unavailable`, without the server's words. */
export async function askJson({ name, url, key, body, timeoutMs, cancel }: JsonQuestion): Promise<unknown> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  cancel?.onCancel(() => stop.abort());
  try {
    const headers = new Headers({
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    });
    const answer = await post({ url, headers, body: JSON.stringify(body), signal: stop.signal });
    if (answer.status !== 200) {
      answer.body.destroy();
      throw unavailable(name, `answered with status ${answer.status}`);
    }
    const text = await readText(name, answer.body);
    const parsed = parseStrictJson(text);
    if (parsed.kind !== "parsed") throw unavailable(name, "answered with something that is no strict JSON");
    return parsed.value;
  } catch (thrown) {
    if (isCountersignError(thrown)) throw thrown;
    throw unavailable(
      name,
      stop.signal.aborted ? `did not answer within ${timeoutMs} ms, or was cancelled` : "cannot be reached",
    );
  } finally {
    clearTimeout(timer);
  }
}

async function readText(name: string, body: AsyncIterable<Buffer> & { destroy: () => void }): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes) {
      body.destroy();
      throw unavailable(name, "answered with too much");
    }
    parts.push(part);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
}

/** The error of an embedder or reranker that gave nothing usable. */
export function unavailable(name: string, what: string): CountersignError {
  return new CountersignError("model_unavailable", `\`${name}\` ${what}`);
}
