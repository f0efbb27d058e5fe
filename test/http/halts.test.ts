import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// Emergency stops: who stops and resumes what, and who is told of it. That nothing is sent meanwhile is the acting half's part.
let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse();
});
afterAll(() => house.close());

type Name = Parameters<typeof keyOf>[0];

async function call(as: Name, path: string, { body, url = house.url }: { body?: unknown; url?: string } = {}) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${keyOf(as)}` };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, init);
  return { status: response.status, json: JSON.parse(await response.text()) };
}

const set = (as: Name, own: object) => call(as, "/v1/halts", { body: { reason: "doubles are sent", ...own } });
const mail = { scope: "effect", name: "mail_note" };
const named = ({ json }: { json: { items: { scope: string; name: string }[] } }) =>
  json.items.map(({ scope, name }) => `${scope} ${name}`);
const standing = async () => named(await call("cleo", "/v1/halts"));
const rows = async () => (await house.owner.query("select count(*)::int as n from countersign.halt")).rows[0].n;

/** What everybody is told where they signed in. */
const told = async (name: Name) => (await call(name, "/v1/session")).json.stopped;

describe("an emergency stop", () => {
  it("stands from then on with who, when and why, and is lifted by its name", async () => {
    const before = Date.now();
    const stopped = await set("cleo", { ...mail, stop: true });
    expect(stopped).toMatchObject({ status: 200, json: { items: [{ ...mail, by: "cleo", reason: "doubles are sent" }] } });
    expect(Math.abs(stopped.json.items[0].at - before)).toBeLessThan(60_000);
    expect((await call("ben", "/v1/halts")).json).toEqual(stopped.json);
    expect(named(await set("cleo", { scope: "capability", name: "keep_notes", stop: true }))).toEqual([
      "capability keep_notes",
      "effect mail_note",
    ]);
    expect(named(await set("cleo", { ...mail, stop: false }))).toEqual(["capability keep_notes"]);
    expect(named(await set("cleo", { scope: "capability", name: "keep_notes", stop: false }))).toEqual([]);
    expect(await standing()).toEqual([]);
  });

  it("of a whole tenant has no name, and is of one's own tenant alone", async () => {
    expect(named(await set("cleo", { scope: "tenant", stop: true }))).toEqual(["tenant *"]);
    expect((await call("gus", "/v1/halts")).json.items).toEqual([]);
    expect(await set("cleo", { scope: "tenant", name: "globex", stop: true })).toMatchObject({ json: { code: "bad_request" } });
    expect(named(await set("cleo", { scope: "tenant", name: "*", stop: false }))).toEqual([]);
  });

  it("that stands already stays as it is, with its first reason", async () => {
    await set("cleo", { ...mail, stop: true, reason: "the first" });
    const before = await rows();
    expect((await set("cleo", { ...mail, stop: true, reason: "the second" })).json.items).toMatchObject([
      { reason: "the first" },
    ]);
    expect(await rows()).toBe(before);
    await set("cleo", { ...mail, stop: false });
  });

  it.each([
    ["lifts nothing that is not stopped", { ...mail, stop: false }, 409, "not_stopped"],
    ["knows no such effect", { scope: "effect", name: "fly", stop: true }, 404, "effect_unknown"],
    ["knows no such capability", { scope: "capability", name: "mail_note", stop: true }, 404, "unknown_capability"],
    ["lifts no such effect", { scope: "effect", name: "fly", stop: false }, 404, "effect_unknown"],
    ["stops no effect without a name", { scope: "effect", stop: true }, 400, "bad_request"],
  ])("%s", async (_what, body, status, code) => {
    const before = await rows();
    expect(await set("cleo", body)).toMatchObject({ status, json: { code } });
    expect(await rows()).toBe(before);
  });

  it("is for an effect that only undoes another, too", async () => {
    expect(named(await set("cleo", { scope: "effect", name: "drop_note", stop: true }))).toEqual(["effect drop_note"]);
    await set("cleo", { scope: "effect", name: "drop_note", stop: false });
  });

  it("is lifted also where the project has no such effect any more", async () => {
    const text = `insert into countersign.halt (tenant, id, scope, name, is_stopped, by_principal, reason)
      values ('acme', gen_random_uuid(), 'effect', 'gone', true, 'cleo', 'long ago')`;
    await house.owner.query(text);
    expect(await standing()).toEqual(["effect gone"]);
    expect(named(await set("cleo", { scope: "effect", name: "gone", stop: false }))).toEqual([]);
  });

  it.each(["ada", "ben", "audra", "bot2"] as const)("is no matter of %s", async (as) => {
    const before = await rows();
    expect(await set(as, { ...mail, stop: true })).toMatchObject({ status: 403, json: { code: "forbidden" } });
    expect(await rows()).toBe(before);
  });

  it("of several who stop and resume at once ends as the last row says, and each row follows another", async () => {
    const turns = Array.from({ length: 16 }, (_, turn) => set("cleo", { ...mail, stop: turn % 2 === 0 }));
    await Promise.all(turns);
    const { rows: kept } = await house.owner.query(
      "select is_stopped from countersign.halt where name = 'mail_note' order by n desc",
    );
    const words = kept.map(({ is_stopped }) => is_stopped);
    // Nothing was stopped twice and nothing lifted twice.
    for (const [place, word] of words.slice(1).entries()) expect(word).not.toBe(words[place]);
    expect(await standing()).toEqual(words[0] ? ["effect mail_note"] : []);
    if (words[0]) await set("cleo", { ...mail, stop: false });
  });
});

describe("what is stopped", () => {
  it("is told to everybody of the tenant, and what and why to who may read it", async () => {
    for (const name of ["ada", "ben", "bot"] as const) expect(await told(name)).toBeNull();
    await set("cleo", { ...mail, stop: true, reason: "the printer doubles" });
    for (const name of ["ada", "ben", "bot"] as const) expect(await told(name)).toBe("some");
    expect(await told("gus")).toBeNull();
    expect((await call("ben", "/v1/halts")).json.items).toMatchObject([{ ...mail, by: "cleo", reason: "the printer doubles" }]);
    expect(JSON.stringify((await call("ada", "/v1/session")).json)).not.toMatch(/printer|mail_note/);
    await set("cleo", { scope: "tenant", stop: true, reason: "all" });
    expect(await told("ada")).toBe("everything");
    await set("cleo", { scope: "tenant", stop: false });
    await set("cleo", { ...mail, stop: false });
    expect(await told("ben")).toBeNull();
  });

  it("stands beside the effects that it stops, widest first, until they are done", async () => {
    const { json } = await call("ada", "/v1/ask", { body: { text: "a note to mail" } });
    const { id } = json.decision;
    const stops = async () =>
      (await call("ada", `/v1/decisions/${id}`)).json.effects.map(({ stopped }: { stopped: string | null }) => stopped);
    expect(await stops()).toEqual([null, null]);
    await set("cleo", { ...mail, stop: true });
    expect(await stops()).toEqual([null, "effect"]);
    await set("cleo", { scope: "capability", name: "keep_notes", stop: true });
    expect(await stops()).toEqual(["capability", "capability"]);
    await call("ben", `/v1/reviews/${id}/approve`, { body: {} });
    await house.acting.begin(id, { state: "complete" });
    expect(await stops()).toEqual([null, "capability"]);
    await set("cleo", { scope: "capability", name: "keep_notes", stop: false });
    await set("cleo", { ...mail, stop: false });
    expect(await stops()).toEqual([null, null]);
    expect(house.faults).toEqual([]);
  });
});
