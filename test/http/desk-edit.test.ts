import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "../../src/contract/principal.ts";
import type { DecisionView, EntryView } from "../../src/contract/views.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// A person decides in the model's place: a new decision, made by the decider over what was loaded, that supersedes the old one.
let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse();
});
afterAll(() => house.close());

type Name = Parameters<typeof keyOf>[0];
type Answer = { status: number; json: DecisionView & { code?: string; facts?: object; items?: readonly EntryView[] } };

async function call(as: Name, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${house.url}/v1${path}`, {
    headers: { authorization: `Bearer ${keyOf(as)}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Answer["json"] }; // the desk's own forms
}

async function proposed(text: string, capability = "word_note"): Promise<string> {
  return (await call("ada", "/decisions", { capability, inputs: { text } })).json.id;
}

const edit = (as: Name, id: string, note: unknown) => call(as, `/reviews/${id}/edit`, { decision: { note } });
const kinds = async (id: string) => (await call("audra", `/decisions/${id}/story`)).json.items?.map(({ kind }) => kind);

describe("a person who edits a proposal that waits", () => {
  it("makes a new decision for whoever asked, over the same context, that names the old one and says who decided", async () => {
    const id = await proposed("a note");
    const edited = await edit("ben", id, "a better note");
    expect(edited).toMatchObject({
      status: 201,
      json: {
        ...{ state: "waiting", requestedBy: "ada", editedBy: "ben", model: "person:ben", follows: id },
        effects: [{ params: { note: "a better note" }, state: "proposed" }],
        claims: [{ text: "The old note is old." }],
      },
    });
    expect(await call("ada", `/decisions/${id}`)).toMatchObject({ json: { state: "superseded", supersededBy: edited.json.id } });
    expect(await kinds(id)).toEqual(["decided", "corrected"]);
    expect((await call("ada", "/decisions")).json.items?.map((view) => view.id)).toContain(edited.json.id);
    const waiting = (await call("bea", "/reviews")).json.items?.map((view) => view.id);
    expect(waiting).toContain(edited.json.id);
    expect(waiting).not.toContain(id);
    expect((await call("audra", `/decisions/${edited.json.id}/story`)).json.items?.[0]?.body).toMatchObject({
      ...{ model: "person:ben", prompt: "edit", principal: "ada" },
    });
  });

  it("leaves nothing to sign in the old one, and may sign the new one where the risk is not high", async () => {
    for (const [text, code] of [
      ["a note", null],
      ["a heavy note", null],
      ["a grave note", "approver_not_permitted"],
    ] as const) {
      const id = await proposed("a note to edit");
      const edited = (await edit("ben", id, text)).json;
      for (const as of ["ben", "bea"] as const)
        expect(await call(as, `/reviews/${id}/approve`, {})).toMatchObject({ status: 409, json: { code: "approval_used" } });
      const own = await call("ben", `/reviews/${edited.id}/approve`, {});
      expect(own.json.code ?? null).toBe(code);
      if (code !== null) expect(own.json.facts).toMatchObject({ rule: "editor_never_signs_high" });
      else expect(own.json).toMatchObject({ state: "signed" });
      expect((await call("ada", `/reviews/${edited.id}/approve`, {})).status).toBe(403);
    }
  });

  it("takes the one signature of two with it, which counts no more", async () => {
    const id = await proposed("a grave note");
    await call("bea", `/reviews/${id}/approve`, {});
    const edited = (await edit("ben", id, "a light note")).json;
    expect((await call("bea", `/decisions/${id}`)).json.state).toBe("superseded");
    expect((await call("bea", `/decisions/${edited.id}`)).json).toMatchObject({ state: "waiting", effects: [{ signedBy: [] }] });
    expect((await call("bea", `/reviews/${id}/withdraw`, {})).status).toBe(200);
    expect((await call("bea", `/decisions/${id}`)).json.state).toBe("superseded");
  });

  it("that is sent again, since the desk had stopped in between, leads to the same decision", async () => {
    const id = await proposed("a note in two goes");
    const first = await fetch(`${house.deciderUrl}/v1/decisions/${id}/edit`, {
      method: "POST",
      headers: { authorization: `Bearer ${await house.assertionOf("ben")}`, "content-type": "application/json" },
      body: JSON.stringify({ decision: { note: "in two goes" } }),
    });
    const made = (await first.json()) as DecisionView; // the decider's own form
    expect((await call("ben", `/decisions/${id}`)).json.state).toBe("waiting");
    expect((await edit("ben", id, "in two goes")).json).toMatchObject({ id: made.id, state: "waiting" });
    expect((await call("ben", `/decisions/${id}`)).json).toMatchObject({ state: "superseded", supersededBy: made.id });
  });

  it("may edit what was edited, once more", async () => {
    const old = await proposed("a note again");
    const first = (await edit("ben", old, "once")).json;
    expect((await call("ben", `/decisions/${old}`)).json).toMatchObject({
      state: "superseded",
      supersededBy: first.id,
      expiresAt: null,
    });
    const second = (await edit("bea", first.id, "twice")).json;
    expect(second).toMatchObject({ editedBy: "bea", follows: first.id, effects: [{ params: { note: "twice" } }] });
  });
});

describe("an edit is refused", () => {
  it.each([
    ["that does not fit the schema", "ben", { note: 7 }, 422, "input_invalid"],
    ["that does not pass the checks", "ben", { note: "a rude note" }, 422, "input_invalid"],
    ["by whoever asked", "ada", { note: "mine" }, 403, "approver_not_permitted"],
    ["by somebody of another tenant", "gus", { note: "x" }, 404, "not_found"],
  ] as const)("%s, and the old proposal waits on as it was", async (_what, as, decision, status, code) => {
    const id = await proposed("a note to keep");
    // Sent again it is refused in the same way.
    for (const _time of ["once", "again"])
      expect(await call(as, `/reviews/${id}/edit`, { decision })).toMatchObject({ status, json: { code } });
    expect((await call("ben", `/decisions/${id}`)).json.state).toBe("waiting");
    expect(await call("ben", `/reviews/${id}/approve`, {})).toMatchObject({ status: 200, json: { state: "signed" } });
  });

  it("of what was answered, what somebody else has taken up, and what no inputs were kept of", async () => {
    const answered = await proposed("a note signed");
    await call("bea", `/reviews/${answered}/approve`, {});
    expect(await edit("ben", answered, "late")).toMatchObject({ status: 409, json: { code: "approval_used" } });
    const taken = await proposed("a note taken");
    await call("bea", `/reviews/${taken}/take`, {});
    expect(await edit("ben", taken, "mine")).toMatchObject({ status: 409, json: { code: "taken" } });
    const unkept = await proposed("a note", "keep_notes");
    expect(await edit("ben", unkept, "x")).toMatchObject({ status: 422, json: { code: "input_invalid" } });
  });

  it("where it is not one: the desk puts no other decision in the place of one that waits", async () => {
    const id = await proposed("a note to replace");
    const other = await proposed("a note of its own");
    const principal = { tenant: "acme", id: "ben", roles: ["approver"], attributes: {}, onBehalfOf: null, allow: everything };
    const refused = house.desk.supersede({ principal, decisionId: id, successor: other });
    await expect(refused).rejects.toMatchObject({ code: "approval_mismatch", facts: { rule: "successor" } });
    const edited = (await edit("bea", other, "of bea")).json;
    const foreign = house.desk.supersede({ principal, decisionId: id, successor: edited.id });
    await expect(foreign).rejects.toMatchObject({ code: "approval_mismatch" });
    expect((await call("ben", `/decisions/${id}`)).json.state).toBe("waiting");
  });
});
