import childProcess from "node:child_process";
import crypto from "node:crypto";
import dns from "node:dns";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";

/** What work brought back from a closed world, and each way out that it tried, in order. */
export interface Closed<T> {
  readonly value: T;
  readonly attempts: readonly string[];
}

/**
 * Runs work while network, file system, processes, clocks and random sources throw. An attempt is noted as well, since the work may
 * catch what was thrown. Everything is opened again afterwards, whatever happens.
 */
export async function inClosedWorld<T>(work: () => Promise<T>): Promise<Closed<T>> {
  const attempts: string[] = [];
  const restore = close((name) => {
    attempts.push(name);
    throw new Error(`\`${name}\` is closed here`);
  });
  try {
    return { value: await work(), attempts };
  } finally {
    restore();
  }
}

type Trip = (name: string) => never;
type Closable = Record<string, unknown>;

// Namespaces of Node and of the language are objects whose members can be replaced.
const doors: readonly (readonly [string, object, readonly string[] | "functions"])[] = [
  ["fs", fs, "functions"],
  ["fs.promises", fs.promises, "functions"],
  ["dns", dns, "functions"],
  ["dns.promises", dns.promises, "functions"],
  ["child_process", childProcess, "functions"],
  ["net", net, ["connect", "createConnection", "createServer"]],
  ["net.Socket", net.Socket.prototype, ["connect"]],
  ["tls", tls, ["connect"]],
  ["http", http, ["request", "get"]],
  ["https", https, ["request", "get"]],
  ["crypto", crypto, ["randomBytes", "randomInt", "randomUUID", "randomFillSync", "randomFill"]],
  // Node's own `getRandomValues` cannot be replaced; it calls this one.
  ["globalThis.crypto", globalThis.crypto, ["randomUUID", "getRandomValues"]],
  ["globalThis", globalThis, ["fetch"]],
  ["Math", Math, ["random"]],
  ["Date", Date, ["now"]],
  ["performance", performance, ["now"]],
  ["process", process, ["hrtime", "cpuUsage", "memoryUsage"]],
];

function close(trip: Trip): () => void {
  const undo = doors.flatMap(([name, owner, keys]) =>
    keysOf(owner, keys).map((key) => replace({ name: `${name}.${key}`, owner, key, trip })),
  );
  const RealDate = globalThis.Date;
  globalThis.Date = withoutNow(RealDate, trip);
  // Named imports of Node's modules follow their objects only after this.
  syncBuiltinESMExports();
  return () => {
    globalThis.Date = RealDate;
    for (const open of undo.reverse()) open();
    syncBuiltinESMExports();
  };
}

function keysOf(owner: object, keys: readonly string[] | "functions"): readonly string[] {
  if (keys !== "functions") return keys;
  // Classes stay: they begin with a capital letter, and open nothing without the functions.
  return Object.keys(owner).filter((key) => /^[a-z]/.test(key) && typeof (owner as Closable)[key] === "function");
}

function replace({ name, owner, key, trip }: { name: string; owner: object; key: string; trip: Trip }): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, {
    value: () => trip(name),
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? false,
  });
  return () => {
    if (own === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, own);
  };
}

/** A `Date` of a given time is plain calculation; a `Date` of now is a clock. */
function withoutNow(real: DateConstructor, trip: Trip): DateConstructor {
  return new Proxy(real, {
    construct: (target, args, newTarget) => (args.length === 0 ? trip("new Date()") : Reflect.construct(target, args, newTarget)),
    apply: () => trip("Date()"),
  });
}
