import { createServer } from "node:net";
import { CountersignError } from "../contract/errors.ts";

/** Reads a port's number from text; 0 stands for any that is free. Throws `configuration_invalid`. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CountersignError("configuration_invalid", `\`${text.slice(0, 40)}\` is not a port; give a number from 0 to 65535`);
}

/** Throws `port_taken` before anything is started where another program has the port. */
export async function refuseTakenPort(port: number): Promise<void> {
  if (port !== 0) await listenOnce(port);
}

/** A port that is free right now, on the loopback address. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = `port ${port} is in use by another program; set \`PORT\` to a free one, or 0 for any`;
      reject(cause.code === "EADDRINUSE" ? new CountersignError("port_taken", taken, { facts: { port }, cause }) : cause);
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}
