import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// Who reads what of a decision: at the API, by key and by session.
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
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
}

async function asked(text: string, as: Name = "ada") {
  const { json } = await call(as, "/v1/ask", { body: { text } });
  return json.decision;
}

async function browserOf(name: Name, url = house.url): Promise<PlainBrowser> {
  const browser = new PlainBrowser(url);
  await browser.signIn(keyOf(name));
  return browser;
}

const bodiesOf = async (as: Name, id: string) => {
  const { json } = await call(as, `/v1/decisions/${id}/story`);
  return Object.keys(json.items[0].body.bodies ?? {}).sort();
};

describe("an answer that a person reads first", () => {
  it("is told to who asked only once it was released, and to the reviewer before", async () => {
    const view = await asked("tell me");
    const { id } = view;
    expect(view).toMatchObject({ state: "waiting", claims: [], droppedClaims: [], refusal: null, summary: null });
    const ada = await browserOf("ada");
    const told = async () => [
      (await call("ada", `/v1/decisions/${id}`)).text,
      (await call("ada", `/v1/decisions/${id}/story`)).text,
      (await call("ada", "/v1/reviews")).text,
      (await call("ada", "/v1/decisions")).text,
      (await call("ada", `/v1/decisions/${id}/explanation`)).text,
      (await call("ada", `/v1/reviews/${id}/evidence`)).text,
      (await ada.call(`/v1/decisions/${id}`)).text,
      (await ada.call("/v1/decisions")).text,
    ];
    for (const text of await told()) expect(text).not.toContain("secret note");
    const { json } = await call("ben", "/v1/reviews");
    expect(json.items.find((item: { id: string }) => item.id === id)).toMatchObject({
      claims: [{ text: "The secret note is old." }],
      summary: "What the secret note says",
    });
    const ben = await browserOf("ben");
    expect((await ben.call("/v1/reviews")).text).toContain("The secret note is old.");
    expect((await ben.call(`/v1/reviews/${id}/evidence`)).json.items).toMatchObject([
      { number: 1, kind: "record", id: "notes.all:one", claims: [0], query: "notes.all" },
    ]);
    await call("ben", `/v1/reviews/${id}/approve`, { body: {} });
    expect((await call("ada", `/v1/decisions/${id}`)).json).toMatchObject({
      state: "answered",
      claims: [{ text: "The secret note is old." }],
    });
  });

  it("stays untold where it was rejected", async () => {
    const { id } = await asked("tell me again");
    await call("ben", `/v1/reviews/${id}/reject`, { body: { reason: "not for the floor" } });
    const { text, json } = await call("ada", `/v1/decisions/${id}`);
    expect(json).toMatchObject({ state: "rejected_by_person", claims: [] });
    expect(text).not.toContain("secret note");
    expect((await call("ada", `/v1/decisions/${id}/story`)).json.items[1].body.bodies).toEqual({ reason: "not for the floor" });
  });
});

describe("what is stopped", () => {
  it.each([
    ["ada", 403],
    ["bot", 403],
    ["gus", 200],
    ["ben", 200],
    ["audra", 200],
    ["cleo", 200],
  ] as const)("is read by %s with %i: by who signs, audits or owns, of their own tenant", async (as, status) => {
    const stop = { scope: "effect", name: "mail_note", reason: "it doubles" };
    await call("cleo", "/v1/halts", { body: { ...stop, stop: true } });
    const { json, ...read } = await call(as, "/v1/halts");
    expect(read.status).toBe(status);
    if (status === 200) expect(json.items).toMatchObject(as === "gus" ? [] : [stop]);
    else expect(json.code).toBe("forbidden");
    await call("cleo", "/v1/halts", { body: { ...stop, stop: false } });
  });
});

describe("what a person found of what was left to people", () => {
  it("is told with its reason to who asked, with what was seen to who reviews and audits, and to nobody else", async () => {
    const { id } = await asked("a note that was left");
    await call("ben", `/v1/reviews/${id}/approve`, { body: {} });
    await house.acting.begin(id);
    const finding = { effectIndex: 0, outcome: "happened", reason: "it is there", evidence: "the drawer of bob" };
    await call("ben", `/v1/decisions/${id}/resolve`, { body: finding });
    const told = async (as: Name) => (await call(as, `/v1/decisions/${id}/story`)).json.items.at(-1).body.bodies;
    const { reason, evidence } = finding;
    expect(await told("ada")).toEqual({ reason });
    expect(await told("bot")).toEqual({ reason });
    for (const as of ["ben", "bea", "audra", "cleo"] as const) expect(await told(as)).toEqual({ reason, evidence });
    for (const as of ["bot2", "gus"] as const) {
      expect((await call(as, `/v1/decisions/${id}/story`)).status).toBe(404);
      expect((await call(as, `/v1/decisions/${id}/resolve`, { body: finding })).json.code).toBe("not_found");
    }
    const ada = await browserOf("ada");
    expect((await ada.call(`/v1/decisions/${id}/story`)).text).not.toContain("drawer");
  });
});

describe("the bodies of a story", () => {
  it("are the checks for who asked, the evidence beside them for the reviewer, all of them for the auditor", async () => {
    const { id } = await asked("a note with bodies");
    expect(await bodiesOf("ada", id)).toEqual(["checks"]);
    expect(await bodiesOf("ben", id)).toEqual(["checks", "context"]);
    expect(await bodiesOf("audra", id)).toEqual([
      ...["activity", "before", "checks", "context", "decision", "judged", "notes", "proposal", "replies", "trace"],
    ]);
  });

  it("stay closed to an owner for what the owner asked for", async () => {
    const own = await asked("a note of the owner", "cleo");
    expect(await bodiesOf("cleo", own.id)).toEqual(["checks"]);
  });
});

describe("an approver", () => {
  it("sees what was routed to a person, and neither answers of others nor what they typed to intake", async () => {
    const proposal = await asked("a note to be seen");
    const answer = await asked("what is it?");
    expect(answer.state).toBe("not_in_sources");
    for (const path of ["", "/story", "/explanation"]) {
      expect((await call("ben", `/v1/decisions/${proposal.id}${path}`)).status).toBe(200);
      expect((await call("ben", `/v1/decisions/${answer.id}${path}`)).status).toBe(404);
      expect((await call("ben", `/v1/decisions/${answer.follows}${path}`)).status).toBe(404);
      expect((await call("audra", `/v1/decisions/${answer.id}${path}`)).status).toBe(200);
    }
  });
});

describe("an agent", () => {
  it("sees what the person sees for whom it asks, and not what it asked for another", async () => {
    const ofAda = await asked("a note by ada");
    expect((await call("bot", `/v1/decisions/${ofAda.id}`)).status).toBe(200);
    expect((await call("bot2", `/v1/decisions/${ofAda.id}`)).status).toBe(404);
    const byBot = await asked("a note by bot", "bot");
    expect((await call("ada", `/v1/decisions/${byBot.id}`)).status).toBe(200);
    expect((await call("cleo", `/v1/decisions/${byBot.id}`)).status).toBe(200);
    expect((await call("bot2", `/v1/decisions/${byBot.id}`)).status).toBe(404);
  });
});

describe("a proposal that nobody can approve", () => {
  it("stands in the list as one that cannot be read, and the others beside it", async () => {
    const [spoiled, whole] = [await asked("a note to spoil"), await asked("a note that stays whole")];
    await house.spoil(spoiled.id);
    const { status, json } = await call("ben", "/v1/reviews");
    expect(status).toBe(200);
    const items = new Map<string, object>(json.items.map((item: { id: string }) => [item.id, item]));
    expect(items.get(spoiled.id)).toMatchObject({ obstacle: "payload_unreadable", state: "waiting", summary: null, effects: [] });
    expect(items.get(whole.id)).toMatchObject({ obstacle: null, summary: "Keep a note that stays whole" });
    expect((await call("ben", `/v1/reviews/${spoiled.id}/evidence`)).json).toMatchObject({ items: [], checks: [] });
    // Who asked still finds the other requests.
    expect((await call("ada", "/v1/decisions")).text).toContain("Keep a note that stays whole");
    expect((await call("ben", `/v1/reviews/${spoiled.id}/approve`, { body: {} })).json.code).toBe("payload_unreadable");
    expect((await call("ben", `/v1/reviews/${spoiled.id}/reject`, { body: { reason: "ask anew" } })).json.state).toBe(
      "rejected_by_person",
    );
  });

  it("is void where its capability has another version by now: shown so, not approvable, and still to be rejected", async () => {
    const { id } = await asked("a note of the old version");
    const url = await house.openNewerDesk();
    const item = async () => (await call("ben", "/v1/reviews", { url })).json.items.find((one: { id: string }) => one.id === id);
    expect(await item()).toMatchObject({ obstacle: "capability_changed", state: "waiting" });
    expect((await call("ben", `/v1/reviews/${id}/approve`, { body: {}, url })).json.code).toBe("approval_mismatch");
    const ben = await browserOf("ben", url);
    expect((await ben.call(`/v1/reviews/${id}/reject`, { body: { reason: "ask anew" } })).status).toBe(200);
    expect(await item()).toBeUndefined();
  });
});
