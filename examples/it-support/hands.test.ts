import { everything } from "countersign";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkHands } from "../../src/act/check-hands.ts";
import { type Clients, openClients } from "../../src/act/clients.ts";
import { judgeObserved } from "../../src/act/verdict.ts";
import type { Json, JsonObject } from "../../src/contract/json.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../../test/setup/project-database.ts";
import hands from "./hands.ts";
import project from "./project.ts";
import { type HelpdeskUrls, installSandbox } from "./sandbox/install.ts";
import { seedDemo } from "./sandbox/seed.ts";

let database: MigratedDatabase;
let urls: HelpdeskUrls;
let clients: Clients;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
  urls = await installSandbox({ adminUrl: database.adminUrl, passwords });
  await seedDemo({ adminUrl: database.adminUrl, tenant: "acme" });
  clients = openClients({ secret: (name) => urls[name as keyof typeof urls] });
});
afterAll(async () => {
  await clients?.close();
  await database?.drop();
});

const options = { signal: new AbortController().signal, fence: 1, expectedVersion: null };
const mouse = { device: "dev-2001", category: "mouse", replacements: 0 };
const ticket = { ...mouse, requester: "emp-104", kind: "replacement", reason: "defective", note: "My mouse is broken" };
const order = { ...mouse, ticket: "ticket:replacement:dev-2001:0", model: "Pinto M2" };

async function handOf(name: string) {
  const hand = hands.hands.find((one) => one.effect.name === name);
  if (hand === undefined) throw new Error(`no hands for ${name}`);
  return { effect: hand.effect, apply: await hand.apply.bind(clients), observe: await hand.observe.bind(clients) };
}

async function carryOut(name: string, params: Json) {
  const { effect, apply, observe } = await handOf(name);
  const before = await observe(params, { tenant: "acme" });
  const { targetId } = await apply(params, { ...options, tenant: "acme", idempotencyKey: `key-of-${name}` });
  const observed = await observe(params, { tenant: "acme" });
  // What the effect expects is an object by its type.
  const expected = effect.expect.state(params, before) as JsonObject;
  return { before, targetId, judged: judgeObserved({ before, expected, mayChange: effect.expect.mayChange, observed }) };
}

describe("the hands of the demo", () => {
  it("fit the project: each effect has hands, on connectors and credentials of their own", () => {
    expect(() => checkHands({ project, hands })).not.toThrow();
  });

  it("open a ticket and order a replacement, and the other login sees exactly what was expected", async () => {
    const opened = await carryOut("create_ticket", ticket);
    expect(opened).toMatchObject({ before: null, targetId: expect.stringMatching(/^tkt-\d+$/), judged: { verdict: "complete" } });
    const ordered = await carryOut("order_replacement", order);
    expect(ordered).toMatchObject({
      before: { device_state: "in_use", replacements: 0, ordered: false },
      targetId: expect.stringMatching(/^ord-\d+$/),
      judged: { verdict: "complete" },
    });
  });

  it("observe as the state before what the record query of the effect reads", async () => {
    for (const [name, params] of [
      ["create_ticket", { ...ticket, device: "dev-2003" }],
      ["order_replacement", { ...order, device: "dev-2003" }],
    ] as const) {
      const { effect, observe } = await handOf(name);
      const [source] = hands.records;
      const open = await source?.open(urls.HELPDESK_OBSERVE_URL);
      const principal = { tenant: "acme", id: "emp-104", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
      const rows = await open?.run(effect.before.query, effect.before.params(params), {
        principal,
        scopes: [],
        environment: "demo",
        at: 0,
      });
      expect(effect.before.project(rows ?? [])).toEqual(await observe(params, { tenant: "acme" }));
      await open?.close();
    }
  });

  it("order nothing for a device that is no longer in use", async () => {
    const { apply } = await handOf("order_replacement");
    await expect(
      apply({ ...order, replacements: 1 }, { ...options, tenant: "acme", idempotencyKey: "key-late" }),
    ).rejects.toThrow("not as it was");
  });
});
