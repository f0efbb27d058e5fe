import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { defineAggregateView, defineSqlQuery } from "../../../src/define/sql-query.ts";
import { postgresRecords } from "../../../src/know/records/postgres/postgres-records.ts";
import type { Records } from "../../../src/know/records/records.ts";
import { createTestDatabase, type TestDatabase } from "../../setup/database.ts";
import { opened, rows } from "./asking.ts";

const one = {
  key: "id",
  labels: {},
  params: z.strictObject({}),
  row: z.strictObject({ id: z.string() }),
  timeoutMs: 300,
} as const;
const plain = defineSqlQuery({ ...one, name: "c.plain", sql: "select :tenant as id" });
const view = defineAggregateView({ ...one, name: "c.view", view: "public.totals", tenantColumn: "id" });

let database: TestDatabase;
let between: Server;
let records: Records;
const sockets: Socket[] = [];
/** Bytes that the client may send yet before the way to the server is silently gone. */
let left = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresAdminUrl"));
  const { port, hostname } = new URL(database.url);
  between = createServer((client) => {
    const server = connect(Number(port || 5432), hostname);
    sockets.push(client, server);
    for (const socket of [client, server]) socket.on("error", () => {});
    client.on("data", (chunk) => {
      left -= chunk.length;
      if (left > 0) server.write(chunk);
    });
    server.on("data", (chunk) => left > 0 && client.write(chunk));
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const target = new URL(database.url);
  target.hostname = "127.0.0.1";
  target.port = String((between.address() as AddressInfo).port); // it listens on a port
  records = opened(target.href, postgresRecords({ name: "far", secret: "R", queries: [plain, view], connections: 1 }));
  await rows(records, "c.plain");
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await records?.close();
  between?.close();
  await database?.drop();
});

/** As much as `begin` takes, so that what follows it is lost. */
const opening = 200;

describe("a connection that died unheard", () => {
  it.each([
    ["before the query", "c.plain", 0],
    ["while the catalogue is asked", "c.view", opening],
  ])("%s ends in its time, and the next one serves", async (_, query, bytes) => {
    expect(await rows(records, "c.plain")).toEqual([{ id: "acme" }]);
    left = bytes;
    const startedAt = performance.now();
    await expect(rows(records, query)).rejects.toMatchObject({ code: "record_unavailable", facts: { query, trouble: "time" } });
    // Before the reading of records gives up at ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    left = Number.POSITIVE_INFINITY;
    expect(await rows(records, "c.plain")).toEqual([{ id: "acme" }]);
  });
});
