import { request } from "node:http";

/** One request as a test sends it. */
export interface Sent {
  readonly method?: string;
  /** Whose key; `null` sends none. */
  readonly key: string | null;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

/** Sends a raw body as somebody; gives the status, the headers, the body as text and as JSON. */
export async function send(
  url: string,
  { method = "POST", key, body, headers = {}, bearer }: Sent & { bearer: (url: string, key: string) => Promise<string> },
) {
  const all = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === null ? {} : { authorization: await bearer(url, key) }),
    ...headers,
  };
  const response = await fetch(url, { method, headers: all, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text === "" ? "null" : text) };
}

/** Streams more than is allowed without saying how much, as far as the other side reads. */
export function streamed(
  url: string,
  { size, authorization }: { size: number; authorization: string },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: { authorization, "content-type": "application/json" } }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on("error", reject);
    sent.end(`{"capability":"note","inputs":{"text":"${"x".repeat(size)}"}}`);
  });
}
