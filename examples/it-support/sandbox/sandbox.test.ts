import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase, type MigratedDatabase } from "../../../test/setup/project-database.ts";
import { observer, writer } from "../connectors.ts";
import { orderRef, ticketRef } from "../effects.ts";
import { readOrder, readTicket } from "../records.ts";
import { insertOrder, insertTicket } from "../write-helpdesk.ts";
import { type HelpdeskUrls, installSandbox } from "./install.ts";
import { seedDemo } from "./seed.ts";

const tenant = "acme";
const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
const { signal } = new AbortController();
let database: MigratedDatabase;
let urls: HelpdeskUrls;

beforeAll(async () => {
  database = await createMigratedDatabase();
  urls = await installSandbox({ adminUrl: database.adminUrl, passwords });
  await seedDemo({ adminUrl: database.adminUrl, tenant });
});
afterAll(async () => database?.drop());

async function as<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function counts(): Promise<unknown> {
  const tables = ["employee", "device", "warranty", "ticket", "replacement_order", "diagnostics", "device_event", "fault"].map(
    (name) => `helpdesk.${name}`,
  );
  const sql = tables.map((name) => `select '${name}' as name, count(*)::int from ${name}`);
  return (await as(database.adminUrl, (client) => client.query(sql.join(" union all ")))).rows;
}

const mouse = { device: "dev-2052", replacements: 0 };
const mouseTicket = { requester: "emp-105", kind: "replacement", reason: "defective", note: "The wheel is broken", ...mouse };

describe("the help desk's logins", () => {
  const statements = {
    "read people": "select * from helpdesk.employee",
    "read devices": "select * from helpdesk.device",
    "read tickets": "select * from helpdesk.ticket",
    "read orders": "select * from helpdesk.replacement_order",
    "read measurements": "select * from helpdesk.diagnostics",
    "read what was done to devices": "select * from helpdesk.device_event",
    "read faults": "select * from helpdesk.fault",
    "insert a ticket":
      "insert into helpdesk.ticket (tenant, requester, kind, status, note) values ('acme', 'emp-104', 'request', 'open', 'n')",
    "choose a ticket's number":
      "insert into helpdesk.ticket (tenant, id, requester, kind, status, note) values ('acme', 'tkt-1', 'emp-104', 'request', 'open', 'n')",
    "change a ticket": "update helpdesk.ticket set status = 'done'",
    "remove a ticket": "delete from helpdesk.ticket",
    "change a device's state": "update helpdesk.device set state = 'in_repair' where tenant = 'acme' and id = 'dev-2071'",
    "change a device's holder": "update helpdesk.device set holder = 'emp-104'",
    "make a fault": "insert into helpdesk.fault values ('city', 1)",
    "lose a reply": "select helpdesk.reply('x')",
    "see the ledger": "select * from countersign.entry",
    "make a table": "create table helpdesk.mine (id text)",
  } as const;
  const may = {
    HELPDESK_READ_URL: [
      ...["read people", "read devices", "read tickets", "read orders"],
      ...["read measurements", "read what was done to devices"],
    ],
    HELPDESK_WRITE_URL: ["insert a ticket", "change a device's state", "lose a reply"],
    HELPDESK_OBSERVE_URL: ["read devices", "read tickets", "read orders"],
  } as const;
  const cases = Object.entries(may).flatMap(([login, allowed]) =>
    Object.keys(statements).map(
      (what) => [login, what, (allowed as readonly string[]).includes(what) ? "may" : "must not"] as const,
    ),
  );

  it.each(cases)("with %s: %s? It %s", async (login, what, verdict) => {
    const outcome = await as(urls[login as keyof HelpdeskUrls], async (client) => {
      await client.query("begin");
      const code = await client.query(statements[what as keyof typeof statements]).then(
        () => "done",
        (error: pg.DatabaseError) => error.code,
      );
      await client.query("rollback");
      return code;
    });
    expect(outcome).toBe(verdict === "may" ? "done" : "42501");
  });
});

describe("the sandbox", () => {
  it("is installed and seeded again without a change, and two at once take turns", async () => {
    const before = await counts();
    await Promise.all([1, 2].map(() => installSandbox({ adminUrl: database.adminUrl, passwords })));
    await seedDemo({ adminUrl: database.adminUrl, tenant });
    expect(await counts()).toEqual(before);
    expect(before).toContainEqual({ name: "helpdesk.device", count: 15 });
  });

  it("writes one ticket and one order for each key, and the observing login sees them", async () => {
    const [writes, observes] = [await writer.open(urls.HELPDESK_WRITE_URL), await observer.open(urls.HELPDESK_OBSERVE_URL)];
    try {
      const ticket = { tenant, params: mouseTicket, ref: ticketRef(mouse), idempotencyKey: "key-1", signal };
      const id = await insertTicket(writes, ticket);
      expect(await insertTicket(writes, ticket)).toBe(id);
      expect(await readTicket(observes, { tenant, ref: ticketRef(mouse) })).toMatchObject([
        { device: "dev-2052", status: "open" },
      ]);

      const order = {
        tenant,
        params: { ...mouse, ticket: ticketRef(mouse), model: "Pinto M2" },
        ref: orderRef(mouse),
        idempotencyKey: "key-2",
        signal,
      };
      const [first, second] = await Promise.all([insertOrder(writes, order), insertOrder(writes, order)]);
      expect(second).toBe(first);
      expect(await readOrder(observes, { tenant, device: mouse.device, ref: orderRef(mouse) })).toMatchObject([
        { ordered: true, device_state: "replacement_ordered", replacements: 1, status: "ordered" },
      ]);
      await expect(insertOrder(writes, { ...order, ref: "order:other", idempotencyKey: "key-3" })).rejects.toThrow(
        "not as it was",
      );
    } finally {
      await Promise.all([writer.close(writes), observer.close(observes)]);
    }
  });

  it("loses the next reply of a depot: the write is there, once, and the caller has an error", async () => {
    const phone = { device: "dev-2071", replacements: 0 };
    const params = { requester: "emp-107", kind: "replacement", reason: "worn_out", note: "Old", ...phone };
    const ticket = { tenant, params, ref: ticketRef(phone), idempotencyKey: "key-4", signal };
    const writes = await writer.open(urls.HELPDESK_WRITE_URL);
    try {
      const error = await insertTicket(writes, ticket).catch((thrown: pg.DatabaseError) => thrown);
      // The server said why it ended the session: an administrator's command.
      expect(error).toMatchObject({ code: "57P01" });
      const rows = await as(urls.HELPDESK_OBSERVE_URL, (client) =>
        client.query("select id from helpdesk.ticket where ref = $1", [ticket.ref]),
      );
      expect(rows.rowCount).toBe(1);
      // The fault is used up: the same send again finds the ticket and answers.
      expect(await insertTicket(writes, ticket)).toBe(rows.rows[0].id);
      expect((await as(database.adminUrl, (client) => client.query("select remaining from helpdesk.fault"))).rows).toEqual([
        { remaining: 0 },
      ]);
    } finally {
      await writer.close(writes);
    }
  });

  it("sends nothing once the time limit is over", async () => {
    const writes = await writer.open(urls.HELPDESK_WRITE_URL);
    try {
      const late = { tenant, params: mouseTicket, ref: "ticket:late", idempotencyKey: "key-5", signal: AbortSignal.abort() };
      await expect(insertTicket(writes, late)).rejects.toThrow();
      expect(
        (await as(database.adminUrl, (client) => client.query("select from helpdesk.ticket where ref = 'ticket:late'"))).rowCount,
      ).toBe(0);
    } finally {
      await writer.close(writes);
    }
  });
});
