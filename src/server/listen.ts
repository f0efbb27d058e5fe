import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { CountersignError } from "../contract/errors.ts";

/** A server that listens; `close` lets requests under way finish, for a few seconds. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  readonly close: () => Promise<void>;
}

const finishWithinMs = 5_000;

/** Listens on one address. Throws `port_taken` where another program has the port. */
export function listen({
  app,
  host,
  port,
}: {
  /** `stop` ends what would never end by itself. */
  app: Pick<Hono, "fetch"> & { readonly stop?: () => void };
  host: string;
  port: number;
}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port }, (address) => {
      resolve({ port: address.port, url: `http://${host}:${address.port}`, close: () => closed(server, app.stop) });
    });
    server.once("error", (cause: NodeJS.ErrnoException) => reject(cause.code === "EADDRINUSE" ? taken(port, cause) : cause));
  });
}

function taken(port: number, cause: Error): CountersignError {
  return new CountersignError("port_taken", `port ${port} is in use by another program; set \`PORT\` to a free one`, {
    facts: { port },
    cause,
  });
}

function closed(server: ReturnType<typeof serve>, stop: (() => void) | undefined): Promise<void> {
  return new Promise((resolve) => {
    stop?.();
    // Who sends half a request and then nothing would hold the process for minutes.
    const timer = setTimeout(() => "closeAllConnections" in server && server.closeAllConnections(), finishWithinMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  });
}
