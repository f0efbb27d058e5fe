import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Passage } from "../../src/contract/context.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { openRecords } from "../../src/know/records/records.ts";
import { createContext } from "../../src/know/search/context.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// Law 8: permission is part of the query. What the principal may not see is not found, counted or ranked, and no limit is used up by it.
// First form: passages and records under the shipped policies; `test/http/identity-matrix.test.ts` does the same for what was decided.
const at = Date.UTC(2026, 5, 1);
const labels = ["tenant:all", "role:employee", "role:manager", "person:erin", "person:bob"] as const;
const erin: Principal = { tenant: "acme", id: "erin", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };

let made: MigratedDatabase;
let admin: pg.Client;
let database: Database;
let context: ReturnType<typeof createContext>;
const ran: string[] = [];

beforeAll(async () => {
  made = await createMigratedDatabase();
  admin = new pg.Client({ connectionString: made.adminUrl });
  await admin.connect();
  await admin.query("set search_path = countersign");
  database = openDatabase({ url: made.urls.deciding, role: "deciding" });
  // Each label has one document; those that erin may not see answer best.
  for (const tenant of ["acme", "globex"]) for (const label of labels) await addDocument({ tenant, label });
  const connector = defineConnector({ name: "r", side: "reads", secret: "R", open: async () => null, close: async () => {} });
  const queryOf = (name: string) => ({
    ...{ name, key: () => "1", labels: {} },
    run: async () => {
      ran.push(name);
      return [{ id: "1" }];
    },
  });
  const sources = [recordSource(connector, ["orders", "salaries"].map(queryOf))];
  const vault = { secret: () => "-" };
  const records = openRecords({ sources, vault, clock: systemClock, deadline: systemDeadline, permit: shippedPolicy });
  context = createContext({ database, records });
});
afterAll(async () => {
  await database?.close();
  await admin?.end();
  await made?.drop();
});

async function addDocument({ tenant, label }: { tenant: string; label: (typeof labels)[number] }): Promise<void> {
  const id = `${label.replace(":", "-")}-${tenant}`;
  const isErins = ["tenant:all", "role:employee", "person:erin"].includes(label);
  const body = isErins ? "A quarry holds stone." : "The quarry of marble holds marble stone, quarry by quarry.";
  await admin.query(
    `insert into document (tenant, id, title, version, owner, status, valid_from, scopes) values ($1, $2, $2, '1', 'it', 'current', '2020-01-01', $3)`,
    [tenant, id, [label]],
  );
  await admin.query(
    `insert into passage (tenant, document_id, version, position, section, body) values ($1, $2, '1', 1, 'One', $3)`,
    [tenant, id, body],
  );
}

function find(principal: Principal, limit = 100): Promise<readonly Passage[]> {
  const envelope = { principal, scopes: shippedPolicy.scopes(principal), environment: "test", at };
  return context.findPassages({ kind: "passages", name: "p", query: "quarry marble stone", limit, minimumScore: 0 }, envelope);
}

const documents = async (principal: Principal, limit?: number) =>
  (await find(principal, limit)).map(({ document }) => document).sort();

describe("passages", () => {
  const erins = ["person-erin-acme", "role-employee-acme", "tenant-all-acme"];

  it("are those of the tenant, of one's roles and one's own", async () => {
    expect(await documents(erin)).toEqual(erins);
  });

  it("fill a limit with what may be seen, though what may not would be ranked before it", async () => {
    const open = { ...erin, roles: ["employee", "manager"] };
    expect((await find(open, 1)).map(({ document }) => document)).toEqual(["role-manager-acme"]);
    expect(await documents(erin, 3)).toEqual(erins);
  });

  it("have the same scores whatever else is there that may not be seen", async () => {
    const before = (await find(erin)).map(({ id, score }) => [id, score]);
    await admin.query("update passage set body = repeat('quarry stone ', 500) where document_id like 'role-manager%'");
    expect((await find(erin)).map(({ id, score }) => [id, score])).toEqual(before);
  });

  it("change with the group, from the next request on", async () => {
    expect(await documents({ ...erin, roles: [] })).toEqual(["person-erin-acme", "tenant-all-acme"]);
    expect(await documents({ ...erin, roles: ["manager"] })).toContain("role-manager-acme");
  });

  it("are another tenant's own there, for the same id and roles", async () => {
    const there = await documents({ ...erin, tenant: "globex" });
    expect(there).toEqual(erins.map((id) => id.replace("acme", "globex")));
  });

  it("are cut by the account's list of documents, of which an empty one is nothing", async () => {
    const only = (list: readonly string[]) => documents({ ...erin, allow: { ...everything, documents: list } });
    expect(await only(["role-employee-acme", "role-manager-acme"])).toEqual(["role-employee-acme"]);
    expect(await only([])).toEqual([]);
  });
});

describe("records", () => {
  const read = (allow: Principal["allow"], query: string) => {
    const principal = { ...erin, allow };
    const need = { kind: "records", name: "r", query, params: {}, maxAgeMs: 60_000 } as const;
    return context.readRecords(need, { principal, scopes: [], environment: "test", at });
  };

  it("that are not on the account's list are not asked for", async () => {
    ran.length = 0;
    await read({ ...everything, records: ["orders"] }, "orders");
    await expect(read({ ...everything, records: ["orders"] }, "salaries")).rejects.toMatchObject({ code: "forbidden" });
    await expect(read({ ...everything, records: [] }, "orders")).rejects.toMatchObject({ code: "forbidden" });
    expect(ran).toEqual(["orders"]);
  });
});
