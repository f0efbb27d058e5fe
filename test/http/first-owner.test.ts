import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { inviteFirstOwner, openFirstOwner } from "../../src/identity/invitation.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { type Listening, listen } from "../../src/server/listen.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { fieldOf, PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, openDeskHouse } from "./desk-house.ts";

// The first owner of an installation without accounts, by a link that works once.
let house: DeskHouse;
let database: Database;
let server: Listening;
let browser: PlainBrowser;
beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
  database = openDatabase({ url: house.urls.desk, role: "desk" });
  const many = { perSecond: 1, burst: 1_000 };
  const app = deskRoutes({
    ...{ desk: house.desk, ...house.doors, deciderUrl: house.deciderUrl, demoPeople: null, log: () => {} },
    ...{ firstOwner: openFirstOwner(database), rates: { account: many, address: many, proxies: 0 } },
  });
  server = await listen({ app, host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await house?.close();
});
beforeEach(async () => {
  await house.owner.query("delete from countersign.api_key; delete from countersign.account");
  browser = new PlainBrowser(server.url);
});

const invited = async () => (await inviteFirstOwner(house.adminUrl)) ?? "";
const fields = (word: string, more: object = {}) => ({
  word,
  tenant: "acme",
  tenantName: "Acme",
  id: "olga",
  name: "Olga Ström",
  ...more,
});
const accept = (word: string, more?: object) => browser.post("/first-owner", fields(word, more));
const accounts = async () => (await house.owner.query("select tenant, id, roles from countersign.account")).rows;

it("is made by the link, once, with a key that is shown once and opens the desk", async () => {
  const word = await invited();
  // Looking at it, as a preview of the link does, uses nothing up.
  for (const _ of [1, 2]) expect(fieldOf((await browser.get(`/first-owner?word=${word}`)).html, "word")).toBe(word);
  const made = await accept(word, { tenant: "nova", tenantName: "Nova" });
  expect(made.status).toBe(200);
  expect(made.headers.get("cache-control")).toBe("no-store");
  const key = /csk_[\w-]{32}/.exec(made.html)?.[0] ?? "";
  const halts = await fetch(`${server.url}/v1/halts`, { headers: { authorization: `Bearer ${key}` } });
  expect(halts.status).toBe(200);
  expect(await accounts()).toEqual([{ tenant: "nova", id: "olga", roles: ["owner"] }]);
  expect((await accept(word, { id: "eve" })).status).toBe(403);
  expect(await accounts()).toHaveLength(1);
  expect(await inviteFirstOwner(house.adminUrl)).toBeNull();
});

it("is one, however many use the link in the same instant", async () => {
  const word = await invited();
  const all = await Promise.all(Array.from({ length: 8 }, (_, n) => accept(word, { id: `owner-${n}` })));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(all.filter(({ status }) => status === 403)).toHaveLength(7);
  expect(await accounts()).toHaveLength(1);
});

it.each([
  ["is another", async () => `${await invited()}x`],
  [
    "is of a start before",
    async () => {
      const word = await invited();
      await invited();
      return word;
    },
  ],
  [
    "is older than 15 minutes",
    async () => {
      const word = await invited();
      const { rows } = await house.owner.query(
        "update countersign.invitation set expires_at = expires_at - interval '15 minutes' returning 1",
      );
      expect(rows).toHaveLength(1);
      return word;
    },
  ],
  [
    "comes after somebody was added on the command line",
    async () => {
      const word = await invited();
      await house.owner.query(
        "insert into countersign.account (tenant, id, kind, name, roles) values ('acme', 'ann', 'person', 'Ann', '{}')",
      );
      return word;
    },
  ],
])("is not made by a word that %s", async (_what, word) => {
  const before = await word();
  const known = (await accounts()).length;
  expect((await accept(before)).status).toBe(403);
  expect(await accounts()).toHaveLength(known);
});

it("is not made by a form from elsewhere, nor with an id that is none, and the link stays good", async () => {
  const word = await invited();
  expect((await browser.post("/first-owner", fields(word), { origin: "https://evil.example" })).status).toBe(403);
  expect((await accept(word, { id: "Not An Id" })).status).toBe(400);
  expect((await accept(word)).status).toBe(200);
});

it("is invited by a word of which only a hash is kept", async () => {
  const word = await invited();
  const kept = JSON.stringify((await house.owner.query("select * from countersign.invitation")).rows);
  expect(kept).not.toContain(word);
  expect(
    (await house.owner.query("select hash = sha256($1::bytea) as same from countersign.invitation", [Buffer.from(word)])).rows,
  ).toEqual([{ same: true }]);
});
