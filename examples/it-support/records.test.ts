import { everything } from "countersign";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase, type MigratedDatabase } from "../../test/setup/project-database.ts";
import { type Helpdesk, observer, reader } from "./connectors.ts";
import { findHidden, records } from "./records.ts";
import { installSandbox } from "./sandbox/install.ts";
import { seedDemo } from "./sandbox/seed.ts";

let database: MigratedDatabase;
let clients: { reading: Helpdesk; observing: Helpdesk };

beforeAll(async () => {
  database = await createMigratedDatabase();
  const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
  const urls = await installSandbox({ adminUrl: database.adminUrl, passwords });
  await seedDemo({ adminUrl: database.adminUrl, tenant: "acme" });
  clients = { reading: await reader.open(urls.HELPDESK_READ_URL), observing: await observer.open(urls.HELPDESK_OBSERVE_URL) };
});
afterAll(async () => {
  await Promise.all([reader.close(clients.reading), observer.close(clients.observing)]);
  await database.drop();
});

function asked(id: string, { tenant = "acme", roles = ["employee"] }: { tenant?: string; roles?: readonly string[] } = {}) {
  return {
    principal: { tenant, id, roles, attributes: {}, onBehalfOf: null, allow: everything },
    scopes: [],
    environment: "demo",
    at: 0,
  };
}
const lead = asked("emp-201", { roles: ["employee", "it-lead"] });
const stranger = asked("emp-104", { tenant: "globex", roles: ["employee", "it-lead"] });

const params = {
  "devices.ofPerson": { person: "emp-104" },
  "warranties.ofPerson": { person: "emp-104" },
  "tickets.ofPerson": { person: "emp-104" },
  "tickets.byId": { id: "tkt-1001" },
  "orders.forDevice": { device: "dev-2001", ref: "order:replacement:dev-2001:0" },
} as const;

function run(name: string, values: Record<string, string>, envelope: ReturnType<typeof asked>, client = clients.reading) {
  const query = records.find((one) => one.name === name);
  if (query === undefined) throw new Error(`no query is named ${name}`);
  return query.run(client, values, envelope);
}

describe.each(Object.entries(params))("%s", (name, values) => {
  it("shows a person's own rows to them and to an IT lead, and to nobody else", async () => {
    const own = await run(name, values, asked("emp-104"));
    expect(own.length).toBeGreaterThan(0);
    expect(await run(name, values, lead)).toEqual(own);
    expect(await run(name, values, asked("emp-105"))).toEqual([]);
    expect(await run(name, values, stranger)).toEqual([]);
  });

  it("shows the same to the observing login, labels each field, and names each row apart", async () => {
    const query = records.find((one) => one.name === name);
    const own = await run(name, values, asked("emp-104"));
    expect(await run(name, values, asked("emp-104"), clients.observing)).toEqual(own);
    expect(Object.keys(query?.labels ?? {}).sort()).toEqual(Object.keys(own[0] ?? {}).sort());
    expect(new Set(own.map((row) => query?.key(row))).size).toBe(own.length);
    for (const value of own.flatMap((row) => Object.values(row)))
      expect([null, "string", "number", "boolean"]).toContain(value === null ? null : typeof value);
  });
});

describe("records", () => {
  it("show nothing without a person or a number", async () => {
    expect(await run("devices.ofPerson", {}, lead)).toEqual([]);
    expect(await run("tickets.byId", {}, lead)).toEqual([]);
  });

  it("take text for text, whatever it holds", async () => {
    expect(await run("tickets.byId", { id: "tkt-1001' or 'a' = 'a" }, lead)).toEqual([]);
  });

  it("put the latest ticket first", async () => {
    const ids = (await run("tickets.ofPerson", { person: "emp-104" }, asked("emp-104"))).map((row) => row["id"]);
    expect(ids).toEqual(["tkt-1003", "tkt-1001", "tkt-1002"]);
  });
});

describe("hidden values", () => {
  const find = (texts: readonly string[], envelope: ReturnType<typeof asked>) => findHidden(clients.reading, { texts, envelope });
  const others = ["teo.lindqvist@acme.example", "+00 20 5550 105", "LT-2051"];

  it("are what others can be reached by and what an output says, for all but an IT lead", async () => {
    const said = ["write to teo.lindqvist@acme.example.", "or call +00 20 5550 105", "about (lt-2051)"];
    expect(await find(said, asked("emp-104"))).toEqual(others);
    expect(await find(said, lead)).toEqual([]);
    expect(await find(said, asked("emp-104", { tenant: "globex" }))).toEqual([]);
  });

  it("are never the requester's own, and nothing that the output does not say", async () => {
    expect(await find(["mira.okafor@acme.example has ms-1042"], asked("emp-104"))).toEqual([]);
    expect(await find(["the device is out of warranty since 2026"], asked("emp-104"))).toEqual([]);
  });

  it.each([
    ["a word before", "assetlt-2051"],
    ["digits after", "lt-20511"],
    ["digits before", "1+00 20 5550 1055"],
  ])("are found with %s", async (_, text) => {
    expect(await find([text], asked("emp-104"))).toHaveLength(1);
  });
});
