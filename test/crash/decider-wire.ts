/** A wire between a decider and PostgreSQL that can be cut inside a call, or lose the answer to one. */
import { connect, createServer, type Socket } from "node:net";

/** The call to wait for: the name of its prepared statement, a text among its values, and what happens to it. */
export interface Tap {
  readonly call: string;
  readonly text: string;
  /** From 0 to 1: how much of the call's values goes through; `null` for all of it, and no answer. */
  readonly tornAt: number | null;
}

/** One decider's wire; `url` is the database as seen through it. */
export interface Wire {
  readonly url: string;
  /** Resolves when the call came by. From then on its connection is silent both ways. */
  readonly tapped: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a wire to a database. */
export async function openWire({ target, tap }: { target: string; tap: Tap }): Promise<Wire> {
  const url = new URL(target);
  const to = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const tapped = Promise.withResolvers<void>();
  const server = createServer((client) => {
    const upstream = connect(to);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    let sent = Buffer.alloc(0);
    let isTapped = false;
    client.on("data", (chunk: Buffer) => {
      if (isTapped && tap.tornAt !== null) return;
      const before = sent.length;
      sent = Buffer.concat([sent, chunk]);
      const call = isTapped ? null : findCall(sent, tap);
      if (call === null) return void upstream.write(chunk);
      isTapped = true;
      upstream.write(tap.tornAt === null ? chunk : sent.subarray(before, Math.max(before, cutOf(call, tap.tornAt))));
      tapped.resolve();
    });
    upstream.on("data", (chunk: Buffer) => void (isTapped || client.write(chunk)));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the wire has no port");
  url.port = String(address.port);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((closed) => void server.close(() => closed()));
  };
  return { url: url.href, tapped: tapped.promise, close };
}

interface Call {
  readonly start: number;
  readonly length: number;
}

/** Finds the `Bind` message (`B`, length, portal, statement, values) that holds the text; the statement's name stands once in it. */
function findCall(sent: Buffer, { call, text }: Tap): Call | null {
  const textAt = sent.indexOf(text);
  const nameAt = textAt === -1 ? -1 : sent.lastIndexOf(`${call}\0`, textAt);
  if (nameAt === -1) return null;
  const start = nameAt - 6;
  if (sent[start] !== "B".charCodeAt(0)) throw new Error(`what names \`${call}\` is no call of it`);
  return { start, length: 1 + sent.readInt32BE(start + 1) };
}

/** Where the call ends early: always inside its values, at least one byte before their end. */
function cutOf({ start, length }: Call, share: number): number {
  return start + 1 + Math.floor(share * (length - 1));
}
