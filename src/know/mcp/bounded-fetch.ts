import type { FetchLike } from "@modelcontextprotocol/client";

/**
 * `fetch` that follows no redirect, so that a credential goes to one address alone, and that ends an answer of more than `maxBytes`.
 * What is counted is what is kept: bytes after decompression.
 */
export function boundedFetch({ maxBytes, onTooMuch }: { maxBytes: number; onTooMuch: () => void }): FetchLike {
  return async (url, init) => {
    const answer = await fetch(url, { ...init, redirect: "error" });
    if (answer.body === null) return answer;
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(counted(maxBytes, onTooMuch)), { status, statusText, headers });
  };
}

function counted(maxBytes: number, onTooMuch: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      controller.error(new Error("the answer is too long"));
      onTooMuch();
    },
  });
}
