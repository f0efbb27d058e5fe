import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkHands } from "../../../src/act/check-hands.ts";
import { type Clients, openClients } from "../../../src/act/clients.ts";
import { judgeObserved } from "../../../src/act/verdict.ts";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../../../test/setup/project-database.ts";
import { type RefundParams, refundLine } from "../effects.ts";
import hands from "../hands.ts";
import project from "../project.ts";
import { installSandbox, type ShopUrls } from "./install.ts";
import { makeTrouble, seedDemo } from "./seed.ts";

const tenant = "acme";
const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
const options = { tenant, signal: new AbortController().signal, fence: 1, expectedVersion: null };
let database: MigratedDatabase;
let urls: ShopUrls;
let clients: Clients;

beforeAll(async () => {
  database = await createMigratedDatabase();
  urls = await installSandbox({ adminUrl: database.adminUrl, passwords });
  await seedDemo({ adminUrl: database.adminUrl, tenant });
  clients = openClients({ secret: (name) => urls[name as keyof ShopUrls] });
});
afterAll(async () => {
  await clients?.close();
  await database?.drop();
});

function refundOf(order: string, amountMinor: number): RefundParams {
  const payment = `pay-${order.slice(4)}`;
  return { order, line: 1, version: 1, payment, currency: "GBP", amountMinor, refundedMinor: 0, reason: "damaged" };
}

async function handOf(name: string) {
  const hand = hands.hands.find((one) => one.effect.name === name);
  if (hand === undefined) throw new Error(`no hands for ${name}`);
  return { effect: hand.effect, apply: await hand.apply.bind(clients), observe: await hand.observe.bind(clients) };
}

/** Sends once, whatever comes of it, and says what the other login sees. */
async function carryOut(name: string, params: Json, idempotencyKey = `${name}-key-of-${JSON.stringify(params)}`) {
  const { effect, apply, observe } = await handOf(name);
  const before = await observe(params, { tenant });
  const sent = await apply(params, { ...options, idempotencyKey }).catch((thrown: Error) => thrown.message);
  const observed = await observe(params, { tenant });
  const expected = effect.expect.state(params, before) as JsonObject; // an object by its type
  return { before, sent, observed, judged: judgeObserved({ before, expected, mayChange: effect.expect.mayChange, observed }) };
}

describe("the hands of the shop", () => {
  it("fit the project", () => {
    expect(() => checkHands({ project, hands })).not.toThrow();
  });

  it("refund a line, and call the refund back, each complete only with all three systems", async () => {
    const params = refundOf("ord-1002", 4_500);
    const refunded = await carryOut("refund_line", params);
    expect(refunded).toMatchObject({ sent: { targetId: expect.stringMatching(/^rfd-/) }, judged: { verdict: "complete" } });
    const undoing = refundLine.compensate?.params({ params, before: refunded.before, observed: refunded.observed }) ?? null;
    expect(await carryOut("reverse_refund", undoing)).toMatchObject({ judged: { verdict: "complete" } });
    // Sent once more, the same reversal changes nothing.
    expect((await carryOut("reverse_refund", undoing)).observed).toMatchObject({ version: 3, refunded_minor: 0, bookings: 2 });
  });

  it("leave a refund that the books refuse as what it is, and a reversal makes it good", async () => {
    await makeTrouble(database.adminUrl, { name: "books_refuse", order: "ord-1011", remaining: 1 });
    const params = refundOf("ord-1011", 6_000);
    const half = await carryOut("refund_line", params);
    expect(half).toMatchObject({ sent: "the books are closed", judged: { verdict: "incomplete" } });
    expect(refundLine.recovery?.partial.find(({ holds }) => holds(half.observed, params))?.name).toBe("refund_not_booked");
    await makeTrouble(database.adminUrl, { name: "books_refuse", order: "ord-1011", remaining: 0 });
    const undoing = refundLine.compensate?.params({ params, before: half.before, observed: half.observed }) ?? null;
    expect(await carryOut("reverse_refund", undoing)).toMatchObject({
      observed: { refund_state: "reversed", booked_minor: 0, bookings: 0 },
      judged: { verdict: "complete" },
    });
  });

  it("leave a refund whose status was refused or forgotten incomplete, and finish it when it is sent again", async () => {
    for (const [name, order, amount, sent] of [
      ["status_refuses", "ord-1012", 7_000, "the status system is out of order"],
      ["status_drops", "ord-1013", 3_500, { targetId: expect.any(String) }],
    ] as const) {
      await makeTrouble(database.adminUrl, { name, order, remaining: 1 });
      const params = refundOf(order, amount);
      const half = await carryOut("refund_line", params);
      expect(half).toMatchObject({ sent, judged: { verdict: "incomplete", differs: ["shown_status", "shown_ref"] } });
      expect(refundLine.recovery?.partial.find(({ holds }) => holds(half.observed, params))?.name).toBe("status_missing");
      await makeTrouble(database.adminUrl, { name, order, remaining: 0 });
      expect((await carryOut("refund_line", params)).observed).toMatchObject({
        version: 2,
        bookings: 1,
        shown_ref: expect.any(String),
      });
    }
  });

  it.each([
    ["another version", { version: 2 }],
    ["another payment", { payment: "pay-9999" }],
    ["another currency", { currency: "EUR" }],
    ["more than was paid", { amountMinor: 14_001 }],
  ] as const)("refund nothing for %s", async (_what, wrong) => {
    const { sent, judged } = await carryOut("refund_line", { ...refundOf("ord-1014", 14_000), ...wrong });
    expect(sent).toMatch("not as it was");
    expect(judged.isAsBefore).toBe(true);
  });

  it("refund once, though two sends of one operation arrive at the same time", async () => {
    const params = refundOf("ord-1017", 5_500);
    const both = await Promise.all([1, 2].map(() => carryOut("refund_line", params, "one-key")));
    expect(both[0]?.sent).toEqual(both[1]?.sent);
    const { observe } = await handOf("refund_line");
    expect(await observe(params, { tenant })).toMatchObject({ refunded_minor: 5_500, bookings: 1, version: 2 });
  });
});

describe("the shop's logins", () => {
  const statements = {
    "read customers": "select * from shop.customer",
    "read notes": "select * from shop.purchase_note",
    "read refunds": "select * from shop.refund",
    "read books": "select * from shop.booking",
    "change a price": "update shop.purchase_line set total_minor = 1",
    "change where it was paid from": "update shop.purchase set payment = 'pay-0000'",
    "change a booking": "update shop.booking set amount_minor = 0",
    "remove a booking": "delete from shop.booking",
    "change what a refund paid": "update shop.refund set amount_minor = 1",
    "make trouble": "insert into shop.trouble values ('reply_lost', 'ord-1001', 1)",
    "see the ledger": "select * from countersign.entry",
  } as const;
  const may: Readonly<Record<keyof ShopUrls, readonly string[]>> = {
    SHOP_READ_URL: ["read customers", "read notes", "read refunds", "read books"],
    SHOP_WRITE_URL: [],
    SHOP_OBSERVE_URL: ["read refunds", "read books"],
  };

  it.each(Object.keys(may))("may no more than their side: %s", async (login) => {
    const client = new pg.Client({ connectionString: urls[login as keyof ShopUrls] });
    await client.connect();
    const allowed: string[] = [];
    for (const [what, sql] of Object.entries(statements)) {
      await client.query("begin");
      const code = await client.query(sql).then(
        () => "done",
        (error: pg.DatabaseError) => error.code,
      );
      if (code === "done") allowed.push(what);
      else expect(code, what).toBe("42501");
      await client.query("rollback");
    }
    await client.end();
    expect(allowed).toEqual(may[login as keyof ShopUrls]);
  });
});
