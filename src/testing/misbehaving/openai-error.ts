import type { Wire } from "./wire.ts";

/** An error's body as OpenAI's protocols and the servers that speak them send it. */
export function openAiError({ status, message }: { readonly status: number; readonly message: string }): Wire {
  const [type, code] = kinds.get(status) ?? ["server_error", null];
  return { error: { message, type, param: null, code } };
}

const kinds: ReadonlyMap<number, readonly [type: string, code: string | null]> = new Map([
  [400, ["invalid_request_error", null]],
  [401, ["invalid_request_error", "invalid_api_key"]],
  [404, ["invalid_request_error", "unknown_url"]],
  [429, ["requests", "rate_limit_exceeded"]],
]);
