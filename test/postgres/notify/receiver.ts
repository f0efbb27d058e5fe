import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** One request that arrived. */
export interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine. `answer` says with which status, and may hold it; `null` breaks the connection. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly got: Arrived[];
  answer: (arrived: Arrived) => number | null | Promise<number | null>;
  readonly close: () => Promise<void>;
}

/** Opens a receiver, on a port of its own or a given one. */
export async function openReceiver(port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const arrived = { headers: request.headers, body };
    receiver.got.push(arrived);
    const status = await receiver.answer(arrived);
    if (status === null) return void request.socket.destroy();
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end("words that nobody reads");
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has an address of this form.
  const bound = (server.address() as AddressInfo).port;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${bound}/notices`,
    port: bound,
    got: [],
    answer: () => 200,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
