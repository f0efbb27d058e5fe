import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { makeTracker, type TrackerState } from "./tracker.ts";

/** The tracker behind streamable HTTP, on a free port of this machine. */
export interface TrackerHttp {
  readonly url: string;
  /** The `authorization` of every request so far. */
  readonly credentials: readonly (string | null)[];
  /** Forgets every session, as a server does that was started anew. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** Opens the tracker; `redirectTo` makes it send every request elsewhere. */
export async function openTrackerHttp({
  state,
  credential,
  redirectTo,
}: {
  state: () => TrackerState;
  credential: string;
  redirectTo?: string;
}): Promise<TrackerHttp> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const credentials: (string | null)[] = [];
  const answer = async (request: Request): Promise<Response> => {
    credentials.push(request.headers.get("authorization"));
    if (redirectTo !== undefined) return Response.redirect(redirectTo, 307);
    if (request.headers.get("authorization") !== `Bearer ${credential}`)
      return new Response(`not ${credential}`, { status: 401 });
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null) return new Response("no such session", { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await makeTracker({ state, credential, end: () => {} }).connect(transport);
    return transport.handleRequest(request);
  };
  const server = await new Promise<ServerType>((resolve) => {
    const listening = serve({ fetch: answer, hostname: "127.0.0.1", port: 0 }, () => resolve(listening));
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    credentials,
    forget: () => sessions.clear(),
    close: async () => {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
