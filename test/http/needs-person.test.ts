import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { ReviewEvidence } from "../../src/contract/review-evidence.ts";
import type { DecisionView, EntryView } from "../../src/contract/views.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse();
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
  const { json } = await call<{ items: readonly DecisionView[] }>("ben", "/reviews?limit=200");
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

describe("what a reviewer is shown of it", () => {
  it("is what was looked at, step by step, without a field that is secret, and nothing of it to whoever asked", async () => {
    const { id } = await search();
    const shown = await call<ReviewEvidence>("ben", `/reviews/${id}/evidence`);
    expect(shown.json.steps).toMatchObject([
      { step: 1, tool: "read_note", arguments: { number: 1 }, outcome: "read", found: [{ kind: "record", title: "notes.all" }] },
      { step: 2, tool: "read_note", outcome: "read" },
      { step: 3, tool: "read_note", outcome: "unread", found: [] },
    ]);
    expect(shown.json.steps[0]?.found[0]).toMatchObject({ fields: [{ name: "note", value: "old", label: "own" }] });
    expect(JSON.stringify(shown.json)).not.toContain("4711");
    expect((await call<ReviewEvidence>("ada", `/reviews/${id}/evidence`)).json).toMatchObject({ items: [], steps: [] });
    expect((await call("gus", `/reviews/${id}/evidence`)).status).toBe(404);
  });

  it("says until when it waits, and in the queue what was asked", async () => {
    const { id } = await search();
    const { json } = await call<{ items: readonly DecisionView[] }>("ben", "/reviews?state=needs_person&limit=200");
    const item = json.items.find((view) => view.id === id);
    expect(item).toMatchObject({ state: "needs_person", request: "search for ever", rule: "loop_cap_hit", effects: [] });
    expect(item?.expiresAt).toBe((item?.at ?? 0) + limits.waitingMs);
    expect(json.items.every(({ state }) => state === "needs_person")).toBe(true);
  });
});
