import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkHands } from "../../../src/act/check-hands.ts";
import { type Clients, openClients } from "../../../src/act/clients.ts";
import { judgeObserved } from "../../../src/act/verdict.ts";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../../../test/setup/project-database.ts";
import type { AdjustmentParams, MatchParams } from "../effects.ts";
import hands from "../hands.ts";
import project from "../project.ts";
import { type BooksUrls, installSandbox } from "./install.ts";
import { seedDemo } from "./seed.ts";

const tenant = "acme";
const options = { tenant, signal: new AbortController().signal, fence: 1, expectedVersion: null };
let database: MigratedDatabase;
let urls: BooksUrls;
let clients: Clients;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
  urls = await installSandbox({ adminUrl: database.adminUrl, passwords });
  await seedDemo({ adminUrl: database.adminUrl, tenant });
  clients = openClients({ secret: (name) => urls[name as keyof BooksUrls] });
});
afterAll(async () => {
  await clients?.close();
  await database?.drop();
});

const row = { custodian: "norda", file: "norda-2026-11-27.csv", currency: "EUR" } as const;
const versions = { mappingVersion: "norda-3", rulesVersion: "rules-2" };
const match: MatchParams = {
  ...{ ...row, ...versions, reference: "NB-10001", line: 2, movement: "mov-2001", version: 1 },
  ...{ amountMinor: -1_550_000, rule: "exact_reference" },
};
const fee: AdjustmentParams = {
  ...{ ...row, ...versions, reference: "NB-10011", line: 14, kind: "missing_in_books", bookedOn: "2026-11-27" },
  ...{ movement: null, version: null, differenceMinor: -1_200 },
};
const difference: AdjustmentParams = {
  ...{ ...row, ...versions, reference: "NB-10004", line: 5, kind: "difference", bookedOn: "2026-11-27" },
  ...{ movement: "mov-2004", version: 1, differenceMinor: -5 },
};

async function carryOut(name: string, params: Json, idempotencyKey: string) {
  const hand = hands.hands.find((one) => one.effect.name === name);
  if (hand === undefined) throw new Error(`no hands for ${name}`);
  const [apply, observe] = [await hand.apply.bind(clients), await hand.observe.bind(clients)];
  const before = await observe(params, { tenant });
  const sent = await apply(params, { ...options, idempotencyKey }).catch((thrown: Error) => thrown.message);
  const observed = await observe(params, { tenant });
  const expected = hand.effect.expect.state(params, before) as JsonObject; // an object by its type
  const { mayChange } = hand.effect.expect;
  return { sent, observed, judged: judgeObserved({ before, expected, mayChange, observed }) };
}

describe("the hands of the books", () => {
  it("fit the project", () => {
    expect(() => checkHands({ project, hands })).not.toThrow();
  });

  it.each([
    ["post_match", match],
    ["post_adjustment", difference],
    ["post_adjustment", fee],
  ] as const)(
    "do %s, and the other login sees exactly what was expected; once, however often it is sent",
    async (name, params) => {
      const sends = await Promise.all([1, 2].map(() => carryOut(name, params, `key of ${params.reference}`)));
      expect(sends[0]?.sent).toMatchObject({ targetId: expect.stringMatching(/^pst-/) });
      expect(sends[1]?.sent).toEqual(sends[0]?.sent);
      expect(sends.map(({ observed }) => observed)).toContainEqual(
        expect.objectContaining({ mapping_version: "norda-3", rules_version: "rules-2" }),
      );
      const client = new pg.Client({ connectionString: urls.BOOKS_READ_URL });
      await client.connect();
      const { rows } = await client.query("select movement from books.posting where reference = $1", [params.reference]);
      const movements = await client.query("select from books.movement where id = $1", [rows[0]?.movement]);
      await client.end();
      expect([rows.length, movements.rowCount]).toEqual([1, 1]);
    },
  );

  it("see a posting as complete", async () => {
    const reference = "NB-10002";
    const params = { ...match, reference, line: 3, movement: "mov-2002", amountMinor: 125_050 };
    expect(await carryOut("post_match", params, "key of the second")).toMatchObject({ judged: { verdict: "complete" } });
    const missing = { ...fee, reference: "NB-10020" };
    expect(await carryOut("post_adjustment", missing, "key of a fee")).toMatchObject({ judged: { verdict: "complete" } });
  });

  it.each([
    ["another version", { movement: "mov-2005", version: 2, amountMinor: 200_000 }],
    ["another amount", { movement: "mov-2005", amountMinor: -200_000 }],
    ["another currency", { movement: "mov-2005", amountMinor: 200_000, currency: "GBP" }],
    ["the movement of another custodian", { movement: "mov-3010" }],
    ["a movement that is matched", {}],
  ] as const)("post nothing for %s", async (what, wrong) => {
    const posted = await carryOut("post_match", { ...match, reference: "NB-10005", ...wrong }, `key for ${what}`);
    expect(posted.sent).toMatch("not as they were");
    expect(posted.judged.isAsBefore).toBe(true);
  });
});

describe("the books' logins", () => {
  const statements = {
    "read movements": "select * from books.movement",
    "read postings": "select * from books.posting",
    "change an amount": "update books.movement set amount_minor = 1",
    "change a reference": "update books.movement set reference = 'NB-1'",
    "remove a movement": "delete from books.movement",
    "change a posting": "update books.posting set difference_minor = 0",
    "remove a posting": "delete from books.posting",
    "see the ledger": "select * from countersign.entry",
  } as const;
  const may: Readonly<Record<keyof BooksUrls, readonly string[]>> = {
    BOOKS_READ_URL: ["read movements", "read postings"],
    BOOKS_WRITE_URL: [],
    BOOKS_OBSERVE_URL: ["read movements", "read postings"],
  };

  it.each(Object.keys(may))("may no more than their side: %s", async (login) => {
    const client = new pg.Client({ connectionString: urls[login as keyof BooksUrls] });
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
    expect(allowed).toEqual(may[login as keyof BooksUrls]);
  });
});
