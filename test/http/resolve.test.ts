import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// What a person says became of an operation that was left to people. That it is carried out is the acting half's part; the tests write
// in its place what it would have written.
let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse();
});
afterAll(() => house.close());

type Name = Parameters<typeof keyOf>[0];

async function call(as: Name, path: string, body?: unknown) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${keyOf(as)}` };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${house.url}${path}`, init);
  return { status: response.status, json: JSON.parse(await response.text()) };
}

const found = { effectIndex: 0, outcome: "happened", reason: "seen in the drawer", evidence: "drawer 3, 14:02 UTC" };
const resolve = (as: Name, id: string, own: object = {}) => call(as, `/v1/decisions/${id}/resolve`, { ...found, ...own });

async function signed(text: string): Promise<string> {
  const { json } = await call("ada", "/v1/ask", { text });
  const { id } = json.decision;
  expect((await call("ben", `/v1/reviews/${id}/approve`, {})).status).toBe(200);
  return id;
}

/** A decision whose first effect was left to people, with its operation. */
async function left(text: string) {
  const id = await signed(text);
  return { id, operationId: await house.acting.begin(id) };
}

const effectOf = async (id: string, as: Name = "ada") => (await call(as, `/v1/decisions/${id}`)).json.effects[0];
const story = async (id: string, as: Name = "audra") => (await call(as, `/v1/decisions/${id}/story`)).json.items;
const kinds = async (id: string) => (await story(id)).map(({ kind }: { kind: string }) => kind);
const resolutions = async (operationId: string) =>
  (await house.owner.query("select entry_id, outcome, done from countersign.resolution where operation_id = $1", [operationId]))
    .rows;

/** Lets nobody write a resolution for a while, so that two who answer at once have both begun before either ends. */
async function holdResolutions() {
  await house.owner.query("begin");
  await house.owner.query("lock table countersign.resolution in share mode");
  const waiting = async (): Promise<number> => {
    // Within one transaction the server would show the same picture again.
    await house.owner.query("select pg_stat_clear_snapshot()");
    const text =
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    return (await house.owner.query(text)).rows[0].n;
  };
  return {
    bothWait: async () => {
      const end = performance.now() + 8_000;
      while ((await waiting()) < 2) if (performance.now() > end) throw new Error("two answers never waited at once");
    },
    letGo: () => house.owner.query("commit"),
  };
}

describe("what a person found", () => {
  it("is an entry with who, what and which operation, and a row for the acting half", async () => {
    const { id, operationId } = await left("a note to find");
    expect(await effectOf(id)).toMatchObject({
      state: "escalated",
      resolution: null,
      resolvable: ["happened", "not_happened", "compensate"],
    });
    const answer = await resolve("ben", id);
    expect(answer).toMatchObject({ status: 200, json: { id, state: "escalated" } });
    const resolution = { outcome: "happened", by: "ben", isDone: false };
    expect(answer.json.effects[0]).toMatchObject({ state: "escalated", resolution, resolvable: [] });
    const entry = (await story(id)).at(-1);
    const facts = { operationId, effectIndex: 0, outcome: "happened", by: "ben", role: "approver" };
    const { evidence, reason } = found;
    expect(entry).toMatchObject({ kind: "resolved", writer: "desk", body: { ...facts, bodies: { evidence, reason } } });
    expect(answer.json.effects[0].resolution.at).toBe(entry.ts);
    expect(await resolutions(operationId)).toEqual([{ entry_id: entry.id, outcome: "happened", done: false }]);
    // What was seen and why stand in the encrypted payload, not in the entry's bytes.
    const { rows } = await house.owner.query("select body from countersign.entry where id = $1", [entry.id]);
    expect(rows[0].body).not.toMatch(/drawer/);
  });

  it("stands until it was carried out, also against others who say so at once", async () => {
    const { id, operationId } = await left("a note to find once");
    const held = await holdResolutions();
    const sent = Promise.all([resolve("ben", id), resolve("bea", id, { outcome: "not_happened" })]);
    await held.bothWait();
    await held.letGo();
    const answers = [...(await sent), await resolve("bea", id)];
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const { status, json } of answers) if (status === 409) expect(json).toMatchObject({ code: "approval_used" });
    expect(await resolutions(operationId)).toHaveLength(1);
    expect((await kinds(id)).filter((kind: string) => kind === "resolved")).toHaveLength(1);
    const refused = (await story(id)).filter(({ kind }: { kind: string }) => kind === "refused");
    expect(refused.map(({ body }: { body: object }) => body)).toEqual(
      Array(2).fill(expect.objectContaining({ answer: "resolve", code: "approval_used", rule: "resolved_before" })),
    );
  });

  it("may be said anew where carrying it out left it to people again, and not once it ended", async () => {
    const { id, operationId } = await left("a note to find twice");
    await resolve("ben", id, { outcome: "compensate" });
    await house.acting.carryOut(id, operationId, "escalated");
    expect(await effectOf(id)).toMatchObject({
      state: "escalated",
      resolution: { outcome: "compensate", isDone: true },
      resolvable: ["happened", "not_happened", "compensate"],
    });
    expect((await resolve("bea", id, { outcome: "not_happened" })).status).toBe(200);
    await house.acting.carryOut(id, operationId, "failed");
    expect(await effectOf(id)).toMatchObject({
      resolution: { outcome: "not_happened", by: "bea", isDone: true },
      resolvable: [],
    });
    expect(await resolve("ben", id)).toMatchObject({ status: 409, json: { code: "not_waiting" } });
  });
});

describe("who may say it", () => {
  it("is whoever may sign, one alone also of high risk, and never who asked", async () => {
    const { id } = await left("a grave note");
    for (const as of ["ada", "cleo", "audra"] as const)
      expect(await resolve(as, id)).toMatchObject({ status: 403, json: { code: "approver_not_permitted" } });
    expect(await resolve("gus", id)).toMatchObject({ status: 404, json: { code: "not_found" } });
    const refused = (await story(id)).filter(({ kind }: { kind: string }) => kind === "refused");
    expect(refused.map(({ body }: { body: { by: string; rule: string } }) => [body.by, body.rule])).toEqual([
      // Who asked is told so, whatever roles they lack besides.
      ["ada", "requester_never_signs"],
      ["cleo", "approver_signs"],
      ["audra", "approver_signs"],
    ]);
    expect((await resolve("ben", id)).status).toBe(200);
  });

  it("is no approver who asked for it", async () => {
    const { json } = await call("ben", "/v1/ask", { text: "a note of ben" });
    const { id } = json.decision;
    await call("bea", `/v1/reviews/${id}/approve`, {});
    await house.acting.begin(id);
    expect(await resolve("ben", id)).toMatchObject({ status: 403, json: { facts: { rule: "requester_never_signs" } } });
    expect((await resolve("bea", id)).status).toBe(200);
  });
});

describe("what cannot be said", () => {
  it.each(["unknown", "incomplete", "complete", "failed", "applying"] as const)("is a word on what is %s", async (state) => {
    const id = await signed(`a note, ${state}`);
    await house.acting.begin(id, { state });
    expect(await resolve("ben", id)).toMatchObject({ status: 409, json: { code: "not_waiting", facts: { state } } });
    expect(await kinds(id)).not.toContain("resolved");
  });

  it("is a word on an effect that is not there, or of which nothing was begun", async () => {
    const { id } = await left("a note to mail, too");
    expect(await resolve("ben", id, { effectIndex: 2 })).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect(await resolve("ben", id, { effectIndex: 1 })).toMatchObject({ status: 409, json: { code: "not_waiting" } });
  });

  it("is that something is undone for which nothing is declared", async () => {
    const id = await signed("a note to mail, for good");
    await house.acting.begin(id, { effectIndex: 1, effect: "mail_note" });
    const compensate = await resolve("ben", id, { effectIndex: 1, outcome: "compensate" });
    expect(compensate).toMatchObject({ status: 409, json: { code: "precondition_failed" } });
    expect(await kinds(id)).not.toContain("resolved");
    expect((await resolve("ben", id, { effectIndex: 1, outcome: "not_happened" })).status).toBe(200);
  });
});

describe("what is told of it", () => {
  it("is what was said to everybody, what was seen to those who review, and nothing is kept of what was refused", async () => {
    const { id } = await left("a note to <find> here");
    const finding = { outcome: "not_happened", reason: "no such note", evidence: "an <empty> drawer" };
    expect((await resolve("ben", id, { ...finding, reason: " " })).status).toBe(400);
    expect(await kinds(id)).not.toContain("resolved");
    const browser = new PlainBrowser(house.url);
    await browser.signIn(keyOf("ben"));
    const body = { ...found, ...finding };
    const path = `/v1/decisions/${id}/resolve`;
    expect((await browser.call(path, { body, headers: { "countersign-token": "x" } })).status).toBe(403);
    expect((await browser.call(path, { body })).json.effects[0]).toMatchObject({
      ...{ state: "escalated", resolvable: [], resolution: { outcome: "not_happened", by: "ben", isDone: false } },
    });
    const told = async (as: Name) => (await story(id, as)).at(-1).body.bodies;
    expect(await told("ben")).toEqual({ reason: finding.reason, evidence: finding.evidence });
    expect(await told("ada")).toEqual({ reason: finding.reason });
  });

  it("offers no undoing where none is declared", async () => {
    const id = await signed("a note to mail, and look");
    await house.acting.begin(id, { effectIndex: 1, effect: "mail_note" });
    const { json } = await call("ben", `/v1/decisions/${id}`);
    expect(json.effects[1].resolvable).toEqual(["happened", "not_happened"]);
    expect(json.effects.map(({ undoneBy }: { undoneBy: string | null }) => undoneBy)).toEqual(["drop_note", null]);
    expect(house.faults).toEqual([]);
  });
});
