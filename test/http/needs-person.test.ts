import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DecisionView, EntryView } from "../../src/contract/views.ts";
import { fieldOf, PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
let ben: PlainBrowser;
beforeAll(async () => {
  house = await openDeskHouse();
  ben = new PlainBrowser(house.url);
  await ben.signIn(keyOf("ben"));
});
afterAll(() => house.close());

type Name = Parameters<typeof keyOf>[0];

async function call<T>(name: Name, path: string, body?: unknown): Promise<{ status: number; json: T }> {
  const answer = await fetch(`${house.url}/v1${path}`, {
    headers: { authorization: `Bearer ${keyOf(name)}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as T }; // the desk's own forms
}

async function search(text = "search for ever"): Promise<DecisionView> {
  return (await call<DecisionView>("ada", "/decisions?wait=10", { capability: "look_around", inputs: { text } })).json;
}

async function waits(id: string): Promise<boolean> {
  const { json } = await call<{ items: readonly DecisionView[] }>("ben", "/reviews");
  return json.items.some((view) => view.id === id);
}

const outcomeOf = async (name: Name, id: string) =>
  (await call<{ items: readonly EntryView[] }>(name, `/decisions/${id}/story`)).json.items[0]?.body as { bodies?: object };

describe("a decision that was left to a person", () => {
  it("says so, waits for an approver, and proposes nothing", async () => {
    const view = await search();
    expect(view).toMatchObject({
      ...{ state: "needs_person", route: "hitl_required", rule: "loop_cap_hit", summary: null, effects: [], obstacle: null },
      stop: { reason: "loop_unfinished", node: "llm_decision", detail: "its 3 steps were used up" },
    });
    expect(await waits(view.id)).toBe(true);
  });

  it("shows its trace to reviewers and auditors, and not to whoever asked", async () => {
    const { id } = await search();
    const trace = [
      { step: 1, tool: "read_note", arguments: { number: 1 }, outcome: "read", found: [{ need: "read_note_1" }] },
      { step: 2, tool: "read_note", arguments: { number: 2 }, outcome: "read", found: [{ id: "notes.all:one@2" }] },
      { step: 3, tool: "read_note", arguments: { number: 3 }, outcome: "unread", found: [] },
    ];
    expect((await outcomeOf("ben", id)).bodies).toMatchObject({ loop: trace });
    expect((await outcomeOf("audra", id)).bodies).toMatchObject({ loop: trace });
    expect((await outcomeOf("ada", id)).bodies ?? {}).not.toHaveProperty("loop");
    expect(await outcomeOf("ada", id)).toMatchObject({ loop: { steps: 3, digest: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });

  it("cannot be approved: the refusal says in words that there is nothing to sign", async () => {
    const { id } = await search();
    expect(await call("ben", `/reviews/${id}/approve`, {})).toMatchObject({
      status: 409,
      json: { code: "nothing_to_sign", detail: expect.stringContaining("decide it elsewhere, then reject it") },
    });
    expect(await waits(id)).toBe(true);
    expect(await call("ada", `/reviews/${id}/approve`, {})).toMatchObject({ json: { code: "approver_not_permitted" } });
  });

  it("is ended by a rejection with a reason, once, which whoever asked reads", async () => {
    const { id } = await search();
    expect(await call("ben", `/reviews/${id}/reject`, { reason: "" })).toMatchObject({ status: 400 });
    const ended = await call<DecisionView>("ben", `/reviews/${id}/reject`, { reason: "told by phone" });
    expect(ended).toMatchObject({ status: 200, json: { state: "rejected_by_person" } });
    expect(await waits(id)).toBe(false);
    expect(await call("ben", `/reviews/${id}/reject`, { reason: "again" })).toMatchObject({ json: { code: "approval_used" } });
    const { json } = await call<{ items: readonly EntryView[] }>("ada", `/decisions/${id}/story`);
    expect(json.items.find((entry) => entry.kind === "rejected")).toMatchObject({
      body: { bodies: { reason: "told by phone" } },
    });
  });

  it("can be ended also where what was looked at cannot be read any more", async () => {
    const { id } = await search();
    await house.spoil(id);
    expect(await call("ben", `/reviews/${id}/approve`, {})).toMatchObject({ json: { code: "payload_unreadable" } });
    expect(await call("ben", `/reviews/${id}/reject`, { reason: "told by phone" })).toMatchObject({ status: 200 });
  });

  it("is decided like any other where the loop finishes", async () => {
    expect(await search("search and find")).toMatchObject({ state: "answered", route: "auto", rule: "no_effects" });
  });
});

describe("its pages", () => {
  it("show in the queue and on the item what was looked at, and offer no approval", async () => {
    const { id } = await search();
    const { html } = await ben.get(`/review/${id}`);
    expect(html).toContain("A person has to decide.");
    expect(html).toMatch(/<h1 id="sentence">search for ever<\/h1>/);
    expect(html).toContain("Steps, time or cost were used up before there was an answer.");
    expect(html).toContain("What was looked at");
    expect(html).toMatch(/1\. Read note<\/strong> number 1/);
    expect(html).toContain("note old");
    expect(html).not.toContain("4711");
    expect(html).toContain("there is nothing to sign");
    expect(html).not.toContain(`action="/review/${id}/approve"`);
    expect(html).toContain("Reject…");
  });

  it("end it with a reason, and say so", async () => {
    const { id } = await search();
    const { html } = await ben.get(`/review/${id}?step=reject`);
    const answer = await ben.post(`/review/${id}/reject`, { token: fieldOf(html, "token"), reason: "told <b>by phone</b>" });
    expect(answer.status).toBe(303);
    expect((await ben.get(`/review/${id}`)).html).toContain("Ended by a person");
    expect((await ben.get(`/decisions/${id}`)).html).toContain("by Ben Okoro, “told &lt;b&gt;by phone&lt;/b&gt;”");
  });

  it("answer an approval that was sent all the same with a refusal in words", async () => {
    const { id } = await search();
    const { html } = await ben.get(`/review/${id}?step=reject`);
    const answer = await ben.post(`/review/${id}/approve`, { token: fieldOf(html, "token") });
    expect([answer.status, answer.html]).toEqual([409, expect.stringContaining("There is nothing to sign.")]);
  });
});
