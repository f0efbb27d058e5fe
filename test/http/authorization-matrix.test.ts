import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type Identity, keyScopes } from "../../src/contract/identity.ts";
import { everything } from "../../src/contract/principal.ts";
import { openAsserting } from "../../src/identity/assertion.ts";
import type { RouteRow, Routes } from "../../src/server/routes.ts";
import { putTestPeople, type TestPerson } from "../setup/people.ts";
import { expectAsked, expectDescribed } from "./described.ts";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, openDeskHouse } from "./desk-house.ts";
import { type Sample, samplesOf } from "./matrix-samples.ts";

// Every route of both doors, made from the routers' own tables, as everybody who may come: what each gets follows from the route's rule.
const all = ["employee", "approver", "owner", "auditor"];
const someone = (id: string, roles: readonly string[], more: Partial<TestPerson> = {}): TestPerson => ({
  ...{ tenant: "acme", id, roles, key: `key-of-${id}-in-the-matrix` },
  ...more,
});
/** Callers whose credential is good, with the rules that let each through. */
const known = {
  employee: { person: someone("m-employee", ["employee"]), may: ["account"] },
  approver: { person: someone("m-approver", ["employee", "approver"]), may: ["account", "approver", "signer", "overseer"] },
  auditor: { person: someone("m-auditor", ["employee", "auditor"]), may: ["account", "auditor", "overseer"] },
  owner: { person: someone("m-owner", ["employee", "owner"]), may: ["account", "owner", "auditor", "overseer"] },
} as const;
const agent = someone("m-agent", ["employee"], { onBehalfOf: "m-employee" });
const foreign = someone("m-foreign", all, { tenant: "globex" });
const gone = {
  revoked: someone("m-revoked", all),
  expired: someone("m-expired", all),
  deactivated: someone("m-deactivated", all),
  "agent of nobody": someone("m-orphan", all, { onBehalfOf: "m-absent" }),
};
const absent = someone("m-absent", ["employee"]);
const suspended = someone("m-suspended", all, { tenant: "umbra" });
const lacking = (scope: string) => someone(`m-no-${scope}`, all, { scopes: keyScopes.filter((one) => one !== scope) });

let house: DeskHouse;
let samples: ReturnType<typeof samplesOf>;
/** Sessions that were begun while every credential was good. */
const browsers = new Map<string, { browser: PlainBrowser; token: string }>();

beforeAll(async () => {
  // Everybody comes from one address here, and many of them are wrong about who they are.
  const many = { perSecond: 1, burst: 1_000_000 };
  house = await openDeskHouse({ isDemo: false, rates: { account: many, address: many, proxies: 0 } });
  await house.owner.query("insert into countersign.tenant (id, name) values ('umbra', 'Umbra')");
  const people = [...Object.values(known).map(({ person }) => person), absent, agent, foreign, ...Object.values(gone), suspended];
  await putTestPeople(house.adminUrl, [...people, ...keyScopes.map(lacking)]);
  for (const person of [...people, ...keyScopes.map(lacking)]) await signIn(person);
  const change = (sql: string) => house.owner.query(sql);
  await change("update countersign.api_key set revoked_at = clock_timestamp() where account = 'm-revoked'");
  await change("update countersign.api_key set expires_at = clock_timestamp() where account = 'm-expired'");
  await change("update countersign.account set state = 'deactivated' where id in ('m-deactivated', 'm-absent')");
  await change("update countersign.tenant set state = 'suspended' where id = 'umbra'");
  samples = samplesOf(house, { asker: known.employee.person.key, approver: known.approver.person.key });
}, 120_000);
afterAll(() => house?.close());

const personOf = (id: string): TestPerson => {
  const found = Object.values(known).find(({ person }) => person.id === id)?.person;
  if (found === undefined) throw new Error(`${id} is nobody who is known`);
  return found;
};

async function heardStatus(browser: PlainBrowser, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${house.url}/v1/events`, { headers: { cookie: browser.cookie, ...headers } });
  await response.body?.cancel();
  return response.status;
}

async function signIn({ id, key }: TestPerson): Promise<void> {
  const browser = new PlainBrowser(house.url);
  browsers.set(id, { browser, token: await browser.signIn(key) });
}

type Door = "desk" | "decider";
type Credential = { readonly person: TestPerson } | { readonly text: string } | null;

/** Sends a sample as somebody, by the way that the route wants; gives the status. */
async function sent(
  door: Door,
  row: RouteRow,
  { sample, as, headers = {} }: { sample: Sample; as: Credential; headers?: object },
) {
  if (row.by !== "session") return direct(door, row, { sample, as, headers });
  const person = as !== null && "person" in as ? browsers.get(as.person.id) : undefined;
  const browser = new PlainBrowser(house.url);
  browser.cookie = person?.browser.cookie ?? (as === null ? "" : `countersign_${new URL(house.url).port}=of-nobody`);
  if (row.method === "GET") return (await browser.get(sample.path)).status;
  // A withdrawn session has no token of its own any more, and brings the one that it had.
  const fields = Object.entries(sample.body ?? {}).map(([name, value]) => [name, String(value)]);
  const { status } = await browser.post(sample.path, { ...Object.fromEntries(fields), token: person?.token ?? "x" });
  if (status === 303 && row.path === "/sign-out" && as !== null && "person" in as) await signIn(as.person);
  return status;
}

async function direct(door: Door, row: RouteRow, { sample, as, headers }: { sample: Sample; as: Credential; headers: object }) {
  const isForm = row.by === "none" && row.method === "POST";
  const credential = await credentialOf(door, as);
  const body = isForm ? new URLSearchParams(sample.body as Record<string, string>) : JSON.stringify(sample.body);
  const response = await fetch(`${door === "desk" ? house.url : house.deciderUrl}${sample.path}`, {
    method: row.method,
    redirect: "manual",
    headers: {
      ...(isForm ? { origin: house.url } : row.method === "POST" ? { "content-type": "application/json" } : {}),
      ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
      ...headers,
    },
    ...(sample.body === undefined ? {} : { body }),
  });
  if (response.headers.get("content-type") === "text/event-stream") {
    await response.body?.cancel();
    return response.status;
  }
  const text = await response.text();
  if (door === "desk" && response.ok) {
    expectAsked(row, { body: sample.body, query: sample.path.split("?")[1] ?? "" });
    expectDescribed(row, { status: response.status, text });
  }
  return response.status;
}

/** At the desk somebody's own key; at the decider what the desk said of them while they were still known. */
async function credentialOf(door: Door, as: Credential): Promise<string | null> {
  if (as === null || "text" in as) return as?.text ?? null;
  return door === "desk" ? as.person.key : house.doors.assert(assertedOf(as.person));
}

const assertedOf = ({ tenant, id, roles, scopes, onBehalfOf }: TestPerson): Identity => ({
  principal: { tenant, id, roles, attributes: {}, onBehalfOf: onBehalfOf ?? null, allow: everything },
  name: id,
  scopes: scopes ?? (onBehalfOf === undefined ? keyScopes : ["ask", "read"]),
  keyId: null,
  rolesFrom: "account",
});

/** Nobody is known: pages lead to signing in, everything else says so. */
const unknownTo = (row: RouteRow): number => (row.by === "session" ? 303 : 401);
/** Who signed nothing has nothing to take back. */
const refusedBy = (row: { who: string }) => (row.who === "signer" ? [403, 404, 409] : [403, 404]);
const doors: readonly Door[] = ["desk", "decider"];
const routesOf = (door: Door): Routes => (door === "desk" ? house.deskDoor : house.deciderDoor);
const nameOf = (door: Door, { method, path }: { method: string; path: string }) => `${door} ${method} ${path}`;

async function expectAs(door: Door, row: RouteRow, as: Credential, expected: number | readonly number[], headers?: object) {
  const sample = await samples[nameOf(door, row)]?.();
  if (sample === undefined) throw new Error("there is no sample");
  const status = await sent(door, row, { sample, as, ...(headers === undefined ? {} : { headers }) });
  const who = as === null ? "nobody" : "text" in as ? "garbage" : as.person.id;
  expect([expected].flat(), `${nameOf(door, row)} as ${who} gave ${status}`).toContain(status);
}

const everyRow = () => doors.flatMap((door) => routesOf(door).rows.map((row) => ({ door, row })));
const guarded = () => everyRow().flatMap(({ door, row }) => (row.by === "none" || row.by === "key" ? [] : [{ door, row }]));
const either = () => house.deskDoor.rows.flatMap((row) => (row.by === "either" ? [row] : []));

/** Sends a sample as the console does, by the session that somebody began. */
async function bySession(row: RouteRow, { id }: TestPerson, token?: string, headers: Record<string, string> = {}) {
  const { browser, token: own } = browsers.get(id) ?? {};
  const sample = await samples[nameOf("desk", row)]?.();
  if (sample === undefined || browser === undefined) throw new Error("there is no sample, or no session");
  const sent = { "countersign-token": token ?? own ?? "", ...headers };
  // A stream is heard no further than to its beginning, and signing out is another test's.
  if (row.path === "/v1/events") return heardStatus(browser, sent);
  const { status } = await browser.call(sample.path, { body: sample.body, headers: sent });
  if (row.path === "/v1/session/end" && status === 200) await signIn(personOf(id));
  return status;
}

const through = async (door: Door, row: RouteRow) => (await samples[nameOf(door, row)]?.())?.through ?? 0;

test("the routers answer what stands in the tables, and nothing besides; each route has a sample", () => {
  for (const door of doors) {
    const named = (rows: readonly { method: string; path: string }[]) => rows.map((row) => nameOf(door, row)).sort();
    expect(named(routesOf(door).routed())).toEqual(named(routesOf(door).rows));
    for (const row of routesOf(door).rows) expect(samples, nameOf(door, row)).toHaveProperty([nameOf(door, row)]);
  }
});

describe("a route", { timeout: 240_000 }, () => {
  it("that is public answers everybody alike", async () => {
    for (const { door, row } of everyRow().filter(({ row: { by } }) => by === "none")) {
      const ways = [null, { text: "a-key-of-nobody" }, { person: known.owner.person }, { person: gone.revoked }];
      for (const as of ways) await expectAs(door, row, as, await through(door, row));
    }
  });

  it("lets nobody in without a credential, nor with one of nobody", async () => {
    for (const { door, row } of guarded())
      for (const as of [null, { text: "a-key-of-nobody" }]) await expectAs(door, row, as, unknownTo(row));
  });

  it.each(Object.keys(gone) as (keyof typeof gone)[])("lets nobody in who is %s, from the next request on", async (who) => {
    // What the desk says of somebody is not of their key: it asks about that itself.
    const doorsOf = who === "revoked" || who === "expired" ? ["desk"] : doors;
    for (const { door, row } of guarded().filter((one) => doorsOf.includes(one.door)))
      await expectAs(door, row, { person: gone[who] }, unknownTo(row));
  });

  it.each(Object.keys(known) as (keyof typeof known)[])(
    "lets an %s through where its rule says so, and nowhere else",
    async (who) => {
      const { person, may } = known[who];
      for (const { door, row } of guarded())
        await expectAs(door, row, { person }, may.some((one) => one === row.who) ? await through(door, row) : refusedBy(row));
    },
  );

  it("lets an agent ask and read for its person, and do nothing of a person's", async () => {
    for (const { door, row } of guarded()) {
      const isOpen = row.who === "account" && (row.scope === "ask" || row.scope === "read");
      await expectAs(door, row, { person: agent }, isOpen ? await through(door, row) : 403);
    }
  });

  it("shows somebody of another tenant nothing of this one, whatever their roles are", async () => {
    for (const { door, row } of guarded()) {
      await expectAs(
        door,
        row,
        { person: foreign },
        row.by !== "session" && row.path.includes(":id") ? 404 : await through(door, row),
      );
      if (row.by === "bearer" || row.by === "either")
        await expectAs(door, row, { person: foreign }, 403, { "countersign-tenant": "acme" });
    }
  });

  it("is closed to a tenant that is suspended", async () => {
    for (const { door, row } of guarded()) await expectAs(door, row, { person: suspended }, 403);
  });

  it("wants the use that its rule names of the key, whatever the roles are", async () => {
    for (const { door, row } of guarded()) await expectAs(door, row, { person: lacking(row.scope) }, 403);
  });

  it("of the decider takes neither a person's key nor what another key than the desk's says", async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const forge = openAsserting(privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"));
    const forged = await forge(assertedOf(known.owner.person));
    for (const { row } of guarded().filter(({ door }) => door === "decider"))
      for (const text of [known.owner.person.key, forged]) await expectAs("decider", row, { text }, 401);
  });

  it.each(Object.keys(known) as (keyof typeof known)[])(
    "of the API is open to an %s by their session as by their key",
    async (who) => {
      const { person, may } = known[who];
      for (const row of either()) {
        const expected = may.some((one) => one === row.who) ? await through("desk", row) : refusedBy(row);
        expect([expected].flat(), nameOf("desk", row)).toContain(await bySession(row, person));
      }
    },
  );

  it.each([...Object.keys(gone), "suspended"] as const)("of the API is closed to the session of who is %s", async (who) => {
    const person = who === "suspended" ? suspended : gone[who as keyof typeof gone];
    for (const row of either()) expect(await bySession(row, person), nameOf("desk", row)).toBe(who === "suspended" ? 403 : 401);
  });

  it("of the API changes nothing by a session without its token, or with another's", async () => {
    const others = browsers.get(known.owner.person.id)?.token ?? "";
    for (const row of either().filter(({ method }) => method !== "GET"))
      for (const token of ["", "x", others])
        expect(await bySession(row, known.approver.person, token), nameOf("desk", row)).toBe(403);
  });

  it("of the API never falls back to the session where a credential came that is no good", async () => {
    for (const row of either())
      expect(await bySession(row, known.owner.person, undefined, { authorization: "Bearer a-key-of-nobody" })).toBe(401);
  });

  it("beside the API takes no session", async () => {
    const sample = await samples["desk POST /mcp"]?.();
    const browser = browsers.get(known.owner.person.id)?.browser;
    expect((await browser?.call(sample?.path ?? "", { body: sample?.body }))?.status).toBe(401);
  });

  it("is never met by a fault of ours", () => {
    expect(house.faults).toEqual([]);
  });
});
