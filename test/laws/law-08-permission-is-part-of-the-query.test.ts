import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context, Need, Passage } from "../../src/contract/context.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { openRecords } from "../../src/know/records/records.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { fileDocument, removeDocument } from "../../src/know/search/write.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { filedVersion, type SampleVersion } from "../setup/filed-version.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// Law 8: permission is part of the query. What the principal may not see is not found, counted or ranked, and no limit is used up by it.
// First form: passages and records under the shipped policies; `test/http/identity-matrix.test.ts` does the same for what was decided.
const at = Date.UTC(2026, 5, 1);
const labels = ["tenant:all", "role:employee", "role:manager", "person:erin", "person:bob"] as const;
const erin: Principal = { tenant: "acme", id: "erin", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };

let made: MigratedDatabase;
let filing: Database;
let database: Database;
let context: Pick<Context, "findPassages" | "readRecords">;
const ran: string[] = [];

beforeAll(async () => {
  made = await createMigratedDatabase();
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 2 });
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
  context = { ...openSearch({ database, clock: systemClock }), readRecords: records.readRecords };
});
afterAll(async () => {
  await database?.close();
  await filing?.close();
  await made?.drop();
});

async function addDocument({ tenant, label }: { tenant: string; label: (typeof labels)[number] }): Promise<void> {
  const id = `${label.replace(":", "-")}-${tenant}`;
  const isErins = ["tenant:all", "role:employee", "person:erin"].includes(label);
  const body = isErins ? "A quarry holds stone." : "The quarry of marble holds marble stone, quarry by quarry.";
  await file({
    tenant,
    id,
    scopes: [label],
    passages: [{ section: "One", body }],
    metadata: { kind: isErins ? "stone" : "marble" },
  });
}

function file({ tenant, ...sample }: SampleVersion & { tenant: string }) {
  return filing.inTenant(tenant, (tx) => fileDocument(tx, { tenant, ...filedVersion(sample) }));
}

/** All that a search says, but for the instants of its own running. */
async function everythingSaid(principal: Principal, more: Partial<Need & { kind: "passages" }> = {}): Promise<unknown> {
  const envelope = { principal, scopes: shippedPolicy.scopes(principal), environment: "test", at };
  const need = { kind: "passages", name: "p", query: "quarry marble stone", limit: 10, minimumScore: 0, ...more } as const;
  const { content, references, activity } = await context.findPassages(need, envelope);
  return { content, references: references.map((one) => ({ ...one, accessCheckedAt: 0 })), activity: { ...activity, ms: 0 } };
}

async function find(principal: Principal, limit = 100): Promise<readonly Passage[]> {
  const envelope = { principal, scopes: shippedPolicy.scopes(principal), environment: "test", at };
  const need = { kind: "passages", name: "p", query: "quarry marble stone", limit, minimumScore: 0 } as const;
  return (await context.findPassages(need, envelope)).content;
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

  it("are found, ranked, scored and counted the same whatever else is there that may not be seen", async () => {
    const filters = [
      {},
      { metadata: { kind: "stone" } },
      { metadata: { kind: "marble" } },
      { collection: "documents" },
      { includeNotCurrent: true },
    ];
    const before = await Promise.all(filters.map((filter) => everythingSaid(erin, filter)));
    const hidden = "quarry quarry stone stone marble";
    for (let at = 0; at < 30; at += 1)
      await file({
        tenant: "acme",
        id: `hidden-${at}`,
        scopes: at % 2 === 0 ? ["role:manager"] : [],
        passages: Array(9).fill(hidden),
      });
    await file({ tenant: "acme", id: "role-manager-acme", scopes: ["role:manager"], passages: ["stone ".repeat(500)] });
    expect(await Promise.all(filters.map((filter) => everythingSaid(erin, filter)))).toEqual(before);
    expect(JSON.stringify(before)).not.toMatch(/manager|bob|hidden|globex/);
    expect(before[2]).toMatchObject({ content: [], references: [], activity: { legs: [{ ranks: [] }], dropped: [] } });
    expect((await find({ ...erin, roles: ["manager"] })).map(({ document }) => document)).toContain("hidden-0");
    await filing.inTenant("acme", async (tx) => {
      for (let at = 0; at < 30; at += 1) await removeDocument(tx, { tenant: "acme", id: `hidden-${at}` });
    });
  });

  it("count for an account with a list what is on the list, and nothing else", async () => {
    const listed = { ...erin, allow: { ...everything, documents: ["person-erin-acme", "tenant-all-acme"] } };
    const before = await everythingSaid(listed);
    await file({ tenant: "acme", id: "unlisted", scopes: ["tenant:all"], passages: Array(50).fill("quarry stone") });
    expect(await everythingSaid(listed)).toEqual(before);
    expect(await documents(erin)).toContain("unlisted");
    await filing.inTenant("acme", (tx) => removeDocument(tx, { tenant: "acme", id: "unlisted" }));
    expect(await documents(erin)).toEqual(erins);
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
