import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineHttpQuery } from "../../../src/define/http-query.ts";
import { httpRecords } from "../../../src/know/records/http/http-records.ts";
import type { Records } from "../../../src/know/records/records.ts";
import { asking, opened, read, rows } from "./asking.ts";

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

const secret = "key-of-the-parcel-service";
const parcel = { id: "p-1", state: "sent" };
const typed = {
  ...{ key: "id", labels: { id: "system", state: "system" } as const, params: z.strictObject({ order: z.string() }) },
  row: z.object({ id: z.string(), state: z.string(), weight: z.int().optional() }),
} as const;
const query = defineHttpQuery({
  ...{ ...typed, name: "parcels.ofOrder", path: "/v1/:tenant/orders/:order/parcels", rows: "/items", limit: 2, timeoutMs: 1_000 },
  ...{ search: { customer: ":principal", state: "open" }, headers: { "x-roles": ":roles" }, maxBytes: 2_000, isNoneAt404: true },
});
const strict = defineHttpQuery({ ...typed, name: "parcels.strict", path: "/:tenant/:order" });

let server: Server;
let other: Server;
let records: Records;
let answering: Answering;
const asked: IncomingMessage[] = [];
const strayed: string[] = [];

beforeAll(async () => {
  server = await listen((request, response) => {
    asked.push(request);
    answering(request, response);
  });
  other = await listen((request, response) => {
    strayed.push(String(request.headers.authorization));
    json({ items: [parcel] })(request, response);
  });
  records = opened(
    secret,
    httpRecords({ name: "parcels", baseUrl: `${addressOf(server)}/api/`, secret: "P", queries: [query, strict] }),
  );
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  await records?.close();
  for (const one of [server, other]) {
    one?.closeAllConnections();
    one?.close();
  }
});

async function listen(answer: Answering): Promise<Server> {
  const made = createServer(answer);
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return made;
}

function addressOf(of: Server): string {
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}`; // it listens on a port
}

function json(body: unknown, headers: Record<string, string> = {}, status = 200): Answering {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

const ask = (params = { order: "o-1" }) => read(records, query.name, { params, envelope: asking({ roles: ["a", "b"] }) });
const troubleOf = (name: string, params = { order: "o-1" }) =>
  read(records, name, { params, envelope: asking({ roles: ["a"] }) }).then(
    () => "none",
    (thrown: { code: string; facts: { trouble?: string; column?: string } }) =>
      thrown.facts.trouble ?? `${thrown.code} ${thrown.facts.column}`,
  );

describe("a query over HTTP", () => {
  it("asks by GET, with each value in its place and the credential, and gives what the schema knows", async () => {
    answering = json({ items: [{ ...parcel, weight: 5, size: 1 }], next: null });
    expect(await ask({ order: "o 1/../../x?y#z&é" })).toMatchObject([
      { id: "parcels.ofOrder:p-1", row: { ...parcel, weight: 5 } },
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: "GET",
      url: "/api/v1/acme/orders/o%201%2F..%2F..%2Fx%3Fy%23z%26%C3%A9/parcels?customer=emp-1&state=open",
      headers: { authorization: `Bearer ${secret}`, "x-roles": "a,b", accept: "application/json" },
    });
  });

  it.each([".", "..", ""])("asks nothing with `%s` as a part of its path", async (order) => {
    await expect(ask({ order })).rejects.toMatchObject({ code: "definition_invalid" });
    expect(asked).toHaveLength(0);
  });

  it("takes a `404` for no rows where it is told to, and for a fault elsewhere", async () => {
    answering = json({ items: [parcel] }, {}, 404);
    expect(await ask()).toEqual([]);
    expect(await troubleOf("parcels.strict")).toBe("status");
  });

  it("takes one row where the pointer leads to one", async () => {
    answering = json(parcel);
    expect(await rows(records, "parcels.strict", { params: { order: "o" } })).toEqual([parcel]);
  });
});

const body = JSON.stringify({ items: [parcel] });
const answers: readonly (readonly [what: string, trouble: string, answer: Answering])[] = [
  ["never comes", "time", () => {}],
  [
    "begins and never ends",
    "time",
    (_, response) => void response.writeHead(200, { "content-type": "application/json" }).write("{"),
  ],
  [
    "is cut off",
    "connection",
    (_, response) =>
      void response
        .writeHead(200, { "content-length": "99", "content-type": "application/json" })
        .write("{", () => response.destroy()),
  ],
  ["is longer than its limit", "bytes", json({ items: [], more: "x".repeat(3_000) })],
  ["unpacks to more than its limit", "bytes", json("", {}, 200)],
  ["has more rows than its limit", "rows", json({ items: [parcel, parcel, parcel] })],
  ["does not say that it is JSON", "content_type", json(body, { "content-type": "text/html" })],
  ["says so and is none", "json", json("<html>")],
  ["has a fault of the server's", "status", json(body, {}, 500)],
  ["says that nothing is permitted", "status", json(body, {}, 401)],
  ["holds a text in the rows' place", "answer", json({ items: "none" })],
  ["repeats the credential", "credential", json({ items: [], echo: secret })],
  ["repeats the credential in other letters", "credential", json(`{"items":[],"echo":"\\u006b${secret.slice(1)}"}`)],
  ["repeats the credential as a key", "credential", json(`{"items":[],"\\u006b${secret.slice(1)}":1}`)],
  [
    "has a number that JSON would change",
    "record_changed weight",
    json(`{"items":[{"id":"p","state":"x","weight":9007199254740993}]}`),
  ],
  ["has no rows' place", "record_changed /items", json({ data: [] })],
  ["has a row without a field", "record_changed state", json({ items: [{ id: "p" }] })],
  ["has a field of another type", "record_changed id", json({ items: [{ id: 5, state: "x" }] })],
  ["has a row that is none", "record_changed (the row)", json({ items: ["p"] })],
];

describe("an answer over HTTP", () => {
  it.each(answers)("that %s is told as `%s`", async (what, trouble, answer) => {
    answering = answer;
    if (what.startsWith("unpacks")) {
      const packed = gzipSync(JSON.stringify({ items: [], more: "x".repeat(500_000) }));
      expect(packed.byteLength).toBeLessThan(2_000);
      answering = (_, response) =>
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);
    }
    expect(await troubleOf(query.name)).toBe(trouble);
  });

  it("is looked for at another path of the service, never at another service", async () => {
    answering = (request, response) =>
      request.url === "/moved"
        ? json({ items: [parcel] })(request, response)
        : response.writeHead(302, { location: "/moved" }).end();
    expect(await ask()).toHaveLength(1);
    answering = (_, response) => response.writeHead(307, { location: `${addressOf(other)}/v1` }).end();
    expect(await troubleOf(query.name)).toBe("redirect");
    answering = (_, response) => response.writeHead(301, { location: "/again" }).end();
    expect(await troubleOf(query.name)).toBe("redirect");
    expect(strayed).toEqual([]);
  });

  it("of nobody is told as `connection`", async () => {
    const nowhere = opened(
      secret,
      httpRecords({ name: "nowhere", baseUrl: "http://127.0.0.1:1", secret: "P", queries: [query] }),
    );
    await expect(read(nowhere, query.name, { params: { order: "o" }, envelope: asking({ roles: ["a"] }) })).rejects.toMatchObject(
      {
        facts: { trouble: "connection" },
      },
    );
    await nowhere.close();
  });
});

describe("the age of an answer over HTTP", () => {
  const aged = (headers: Record<string, string>, maxAgeMs: number) => {
    answering = json({ items: [] }, headers);
    return read(records, query.name, { params: { order: "o" }, envelope: asking({ roles: ["a"] }), maxAgeMs }).then(
      () => "young",
      (thrown: { code: string }) => thrown.code,
    );
  };
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toUTCString();

  it("is that of its `Date` and of its `Age`, also where there is no row", async () => {
    expect(await aged({}, 0)).toBe("young");
    expect(await aged({ age: "90" }, 60_000)).toBe("record_unavailable");
    expect(await aged({ age: "90" }, 120_000)).toBe("young");
    expect(await aged({ date: minutesAgo(10) }, 60_000)).toBe("record_unavailable");
    expect(await aged({ date: minutesAgo(10) }, 660_000)).toBe("young");
  });

  it("is unknown, and so too great, where a header is no time", async () => {
    expect(await aged({ date: "yesterday" }, 3_600_000)).toBe("record_unavailable");
    expect(await aged({ age: "-1" }, 3_600_000)).toBe("record_unavailable");
  });
});
