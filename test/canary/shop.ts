import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** A system of record over HTTP with three credentials; it quotes the credential of whoever it has trouble with, as some do. */
export interface Shop {
  /** The address with a user and a password in it, as a vault holds it. */
  readonly urlFor: (user: "read" | "write" | "observe", password: string) => string;
  /** What came: user, password, method and name. */
  readonly seen: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens it. `echo` cannot be written, `unread` not be read, and `blind` not be observed once it is there. */
export async function openShop(): Promise<Shop> {
  const tickets = new Map<string, { note: string }>();
  const seen: string[] = [];
  const server = createServer((request, response) => void answer({ request, response, tickets, seen }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    urlFor: (user, password) => `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    seen,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tickets: Map<string, { note: string }>;
  readonly seen: string[];
}

async function answer({ request, response, tickets, seen }: Exchange): Promise<void> {
  const body = await text(request);
  const sent = (request.headers.authorization ?? "").replace("Basic ", "");
  const credential = Buffer.from(sent, "base64").toString();
  const user = credential.slice(0, credential.indexOf(":"));
  const name = (request.url ?? "/").slice(1);
  seen.push(`${credential} ${request.method} ${name}`);
  const isTrouble =
    (name === "echo" && request.method === "PUT") ||
    (name === "unread" && user === "read") ||
    (name === "blind" && user === "observe" && tickets.has(name));
  if (isTrouble) {
    response.writeHead(500, { "content-type": "application/json", "x-echo": request.headers.authorization ?? "" });
    return void response.end(JSON.stringify({ error: `login ${credential} failed`, header: request.headers.authorization }));
  }
  if (request.method === "PUT") tickets.set(name, JSON.parse(body));
  const ticket = tickets.get(name);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(ticket === undefined ? [] : [{ name, note: ticket.note }]));
}
