import type { Json } from "../../../contract/json.ts";
import type { HttpQuery } from "../../../contract/record-query.ts";
import { unavailable } from "../faults.ts";
import { holdsText, readJson } from "../read-json.ts";

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
  const body = jsonOf(name, text);
  // A service that repeats what it was sent would show a credential to whoever reads the rows.
  const isRepeated = secret !== null && secret.length >= 8 && (text.includes(secret) || holdsText(body, secret));
  if (isRepeated) throw unavailable(name, "credential");
  return body;
}

function jsonOf(name: string, text: string): Json {
  try {
    return readJson(text);
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
