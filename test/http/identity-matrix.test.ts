import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keyScopes } from "../../src/contract/identity.ts";
import { usualRates } from "../../src/server/rates.ts";
import type { RouteRow } from "../../src/server/routes.ts";
import { putTestPeople, type TestPerson } from "../setup/people.ts";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, openDeskHouse } from "./desk-house.ts";

// Every way to read a decision, taken from the routers' own tables, by somebody whose account changes while the processes run. Each
// decision holds a word of its own: what an answer shows is which of these words stand in it.
const everyRole = ["employee", "approver", "auditor", "owner"];
const people = {
  max: { tenant: "acme", id: "max", roles: ["employee"], key: "key-of-max-in-this-test" },
  carl: { tenant: "acme", id: "carl", roles: ["employee"], key: "key-of-carl-in-this-test" },
  gil: { tenant: "globex", id: "gil", roles: everyRole, key: "key-of-gil-in-this-test" },
  agent: {
    tenant: "acme",
    id: "agent",
    roles: everyRole,
    key: "key-of-agent-in-this-test",
    onBehalfOf: "max",
    scopes: keyScopes,
  },
} satisfies Record<string, TestPerson>;
type Name = keyof typeof people;

/** What is asked, by whom; the word stands in the text of the note. A long note of somebody waits, an answer is given at once. */
const asked = {
  mine: { by: "max", text: "a note of quartzite" },
  theirs: { by: "carl", text: "a note of obsidian" },
  foreign: { by: "gil", text: "a note of feldspar" },
} as const satisfies Record<string, { by: Name; text: string }>;
type Which = keyof typeof asked;
const wordOf = (which: Which) => asked[which].text.split(" ").at(-1) ?? "";
const all = Object.keys(asked) as Which[]; // the keys of a closed object

let house: DeskHouse;
const ids = new Map<Which, string>();
beforeAll(async () => {
  // More credentials of nobody are sent than one address may usually send.
  const rates = { ...usualRates, address: { perSecond: 1, burst: 10_000 } };
  house = await openDeskHouse({ isDemo: false, rates });
  await putTestPeople(house.adminUrl, Object.values(people));
  for (const which of all) {
    const { by, text } = asked[which];
    const body = JSON.stringify({ capability: "keep_notes", inputs: { text } });
    const headers = { authorization: `Bearer ${people[by].key}`, "content-type": "application/json" };
    const response = await fetch(`${house.url}/v1/decisions`, { method: "POST", headers, body });
    const { id, state } = (await response.json()) as { id: string; state: string }; // the desk's own form
    expect(state).toBe("waiting");
    ids.set(which, id);
  }
}, 120_000);
afterAll(() => house?.close(), 180_000);
beforeEach(() => change({ roles: ["employee"], state: "active", isRevoked: false }));

/** Changes the account of `max`, as the operator's commands do. */
async function change({
  roles,
  state,
  isRevoked,
}: {
  roles: readonly string[];
  state: string;
  isRevoked: boolean;
}): Promise<void> {
  await house.owner.query("update countersign.account set roles = $1, state = $2 where id = 'max'", [roles, state]);
  const revoked = isRevoked ? "clock_timestamp()" : "null";
  await house.owner.query(`update countersign.api_key set revoked_at = ${revoked} where account = 'max'`);
}

type ReadPath = RouteRow & { readonly door: "desk" | "decider"; readonly way: "credential" | "session" };

/** Every route that reads and is not open to everybody, by each way that opens it. What a stream tells is no decision's, and never ends. */
function readPaths(): readonly ReadPath[] {
  const doors = [["desk", house.deskDoor] as const, ["decider", house.deciderDoor] as const];
  return doors.flatMap(([door, { rows }]) =>
    rows
      .filter(({ method, by, path }) => method === "GET" && by !== "none" && path !== "/v1/events")
      .flatMap((row) => {
        const ways =
          row.by === "either"
            ? (["credential", "session"] as const)
            : ([row.by === "session" ? "session" : "credential"] as const);
        return ways.map((way) => ({ ...row, door, way }));
      }),
  );
}

interface Reader {
  readonly name: Name;
  /** What signing in gave before anything was changed. */
  readonly browser: PlainBrowser;
  readonly assertion: string;
}

async function readerOf(name: Name): Promise<Reader> {
  const browser = new PlainBrowser(house.url);
  await browser.signIn(people[name].key);
  return { name, browser, assertion: await house.doors.assertionOf(people[name].key) };
}

/** What each read path answers, as far as it is about one decision: its status, and the words of which decisions stand in it. */
async function look(path: ReadPath, which: Which, reader: Reader | null): Promise<{ status: number; shows: readonly Which[] }> {
  const id = ids.get(which) ?? "";
  const place = path.path.replace(":id", id);
  const { status, text } = path.way === "session" ? await bySession(place, reader) : await api(path, place, reader);
  return { status, shows: all.filter((one) => text.includes(wordOf(one)) || text.includes(ids.get(one) ?? "-")) };
}

/** The console's own way: by the session that was begun before anything was changed. */
async function bySession(place: string, reader: Reader | null): Promise<{ status: number; text: string }> {
  const headers = reader === null ? {} : { cookie: reader.browser.cookie };
  const response = await fetch(`${house.url}${place}`, { headers, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, text: response.status === 404 ? "" : text };
}

async function api({ door }: ReadPath, place: string, reader: Reader | null): Promise<{ status: number; text: string }> {
  const credential = door === "desk" ? reader && people[reader.name].key : reader?.assertion;
  const headers: Record<string, string> = credential == null ? {} : { authorization: `Bearer ${credential}` };
  const response = await fetch(`${door === "desk" ? house.url : house.deciderUrl}${place}`, { headers });
  const text = await response.text();
  return { status: response.status, text: response.status === 404 ? "" : text };
}

/** All that somebody finds on any read path, and the paths on which each decision was found. */
async function found(
  reader: Reader | null,
): Promise<{ shows: ReadonlySet<Which>; paths: ReadonlyMap<Which, readonly string[]> }> {
  const paths = new Map<Which, string[]>();
  for (const path of readPaths())
    for (const which of path.path.includes(":id") ? all : all.slice(0, 1)) {
      const { shows } = await look(path, which, reader);
      for (const one of shows) paths.set(one, [...(paths.get(one) ?? []), `${path.door} ${path.path} by ${path.way}`]);
    }
  return { shows: new Set(paths.keys()), paths };
}

/** Nothing at all, not even that there is something: every path refuses. */
async function expectNobody(reader: Reader | null): Promise<void> {
  for (const path of readPaths())
    for (const which of all) {
      const { status, shows } = await look(path, which, reader);
      expect({ path: path.path, status: [303, 401].includes(status), shows }).toEqual({
        path: path.path,
        status: true,
        shows: [],
      });
    }
}

const deskPaths = ["/v1/decisions", "/v1/decisions/:id", "/v1/decisions/:id/story", "/v1/decisions/:id/explanation"];
const ownPaths = [
  ...deskPaths.flatMap((path) => [`desk ${path} by credential`, `desk ${path} by session`]),
  ...["decider /v1/decisions/:id by credential", "decider /v1/decisions/:id/story by credential"],
];

describe("on every read path", { timeout: 120_000 }, () => {
  it("a guest reads nothing", () => expectNobody(null));

  it("who asked reads their own, and of nobody else", async () => {
    const { shows, paths } = await found(await readerOf("max"));
    expect([...shows]).toEqual(["mine"]);
    // The oracle looks where it should: each of these paths shows somebody something.
    expect(paths.get("mine")).toEqual(expect.arrayContaining(ownPaths));
  });

  it("somebody of another tenant reads nothing of this one, whatever the roles", async () => {
    expect([...(await found(await readerOf("gil"))).shows]).toEqual(["foreign"]);
  });

  it("an agent reads with its person's eyes, whatever roles its account has", async () => {
    const { shows, paths } = await found(await readerOf("agent"));
    // It reviews what waits in the tenant, as an approver does, and audits nothing.
    expect(shows.has("foreign")).toBe(false);
    expect(paths.get("mine")).toContain("desk /v1/decisions/:id by credential");
  });

  it("a role that was given counts from the next request on, and one that was taken away too", async () => {
    const reader = await readerOf("max");
    expect([...(await found(reader)).shows]).toEqual(["mine"]);
    await change({ roles: ["employee", "approver"], state: "active", isRevoked: false });
    const raised = await found(reader);
    expect([...raised.shows].sort()).toEqual(["mine", "theirs"]);
    expect(raised.paths.get("theirs")).toEqual(
      expect.arrayContaining(["desk /v1/reviews by credential", "desk /v1/reviews by session"]),
    );
    await change({ roles: ["employee"], state: "active", isRevoked: false });
    expect([...(await found(reader)).shows]).toEqual(["mine"]);
  });

  it("another group reads other things: an auditor what was decided", async () => {
    const reader = await readerOf("max");
    await change({ roles: ["auditor"], state: "active", isRevoked: false });
    const { shows, paths } = await found(reader);
    expect([...shows].sort()).toEqual(["mine", "theirs"]);
    for (const way of ["credential", "session"])
      expect(paths.get("theirs")).toContain(`desk /v1/decisions/:id/explanation by ${way}`);
    await change({ roles: [], state: "active", isRevoked: false });
    expect([...(await found(reader)).shows]).toEqual(["mine"]);
  });

  it("a key that was revoked reads nothing from the next request on, by the desk or by what it asserted before", async () => {
    const reader = await readerOf("max");
    expect([...(await found(reader)).shows]).toEqual(["mine"]);
    await change({ roles: everyRole, state: "active", isRevoked: true });
    for (const path of readPaths().filter(({ door }) => door === "desk"))
      for (const which of all) expect(await look(path, which, reader)).toMatchObject({ shows: [] });
  });

  it("an account that was deactivated reads nothing from the next request on, at either door", async () => {
    const reader = await readerOf("max");
    await change({ roles: everyRole, state: "deactivated", isRevoked: false });
    await expectNobody(reader);
  });
});
