import { connect, createServer, type Socket } from "node:net";

/** A door to PostgreSQL that can lose the server's answers: what a network does when it fails at the worst moment. */
export interface Proxy {
  readonly url: string;
  /**
   * From now on, when the client has sent something that holds `needle`, the server still receives and executes it, its next
   * answer is swallowed, and the connection is gone. Resolves when that has happened once.
   */
  readonly loseAnswerTo: (needle: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a proxy before the server of a database URL. */
export async function openProxy(target: string): Promise<Proxy> {
  const url = new URL(target);
  const to = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let trap: { needle: string; sprung: () => void } | null = null;
  const server = createServer((client) => {
    const upstream = connect(to);
    let isTrapped = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (chunk: Buffer) => {
      isTrapped ||= trap !== null && chunk.includes(trap.needle);
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (!isTrapped) return void client.write(chunk);
      trap?.sprung();
      trap = null;
      client.destroy();
      upstream.destroy();
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  url.port = String(address.port);
  return {
    url: url.href,
    loseAnswerTo: (needle) =>
      new Promise<void>((sprung) => {
        trap = { needle, sprung };
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => void server.close(() => closed()));
    },
  };
}
