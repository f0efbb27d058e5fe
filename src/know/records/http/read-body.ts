import type { Json } from "../../../contract/json.ts";
import type { HttpQuery } from "../../../contract/record-query.ts";
import { unavailable } from "../faults.ts";

/** Reads an answer that is JSON and says so, within its limit of bytes, counted after decompression. Throws `record_unavailable`. */
export async function readBody({
  query,
  response,
  secret,
}: {
  query: Pick<HttpQuery, "name" | "maxBytes">;
  response: Response;
  secret: string | null;
}): Promise<Json> {
  const { name, maxBytes } = query;
  const isJson = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i.test(response.headers.get("content-type") ?? "");
  if (response.status !== 200 || !isJson) {
    await response.body?.cancel();
    throw unavailable(name, response.status === 200 ? "content_type" : "status");
  }
  const text = await textWithin(response, maxBytes);
  if (text === null) throw unavailable(name, "bytes");
  // A service that repeats what it was sent would show a credential to whoever reads the rows.
  if (secret !== null && secret.length >= 8 && text.includes(secret)) throw unavailable(name, "credential");
  try {
    return JSON.parse(text) as Json; // what `JSON.parse` gives is JSON
  } catch (cause) {
    throw unavailable(name, "json", cause);
  }
}

async function textWithin(response: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder("utf-8");
  let bytes = 0;
  let text = "";
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the answer.
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
