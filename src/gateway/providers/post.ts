import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

/** What is posted, and where. */
export interface Letter {
  readonly url: string | URL;
  readonly headers: Headers;
  readonly body: string;
  /** Ends the request and its connection, wherever it has got to. */
  readonly signal: AbortSignal | null;
}

/** The head of an answer, and its body as the bytes that come: nothing is decoded, and what is left of it goes with `destroy`. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly body: IncomingMessage;
}

/**
 * Posts a text and resolves at the head of the answer; follows no redirect and sends nothing again. The runtime's `fetch` is not used:
 * it unpacks what the other side says is packed before anybody can refuse it, rejects for some of it while the connection stays, and
 * aborting it then ends the process. Throws where no answer comes.
 */
export async function post({ url, headers, body, signal }: Letter): Promise<Posted> {
  const answer = await answerTo({ url, headers, body, signal });
  const received = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) received.append(name, value);
  }
  return { status: answer.statusCode ?? 0, headers: received, body: answer };
}

function answerTo({ url, headers, body, signal }: Letter): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const send = target.protocol === "https:" ? requestHttps : requestHttp;
    const given = { ...Object.fromEntries(headers), "accept-encoding": "identity" };
    const request = send(target, { method: "POST", headers: given });
    // These stay to the end: an error that nobody listens to would end the process.
    request.on("error", reject).on("close", () => reject(new Error("no answer came")));
    request.on("response", (answer) => resolve(answer.on("error", () => {})));
    // Not handed to the request: that ends the socket with an error of its own, also after everybody has stopped listening to it.
    if (signal?.aborted === true) request.destroy();
    signal?.addEventListener("abort", () => void request.destroy(), { once: true });
    request.end(body);
  });
}
