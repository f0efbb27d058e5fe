import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DecisionView } from "../../src/contract/views.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// What people do with a proposal beside one signature: two of them, taking one back, having it to oneself.
let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse();
});
afterAll(() => house.close());

type Name = Parameters<typeof keyOf>[0];

async function call(
  as: Name,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: DecisionView & { code?: string; items?: readonly DecisionView[] } }> {
  const answer = await fetch(`${house.url}/v1${path}`, {
    headers: { authorization: `Bearer ${keyOf(as)}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    json: (await answer.json()) as DecisionView & { code?: string; items?: readonly DecisionView[] },
  }; // the desk's own forms
}

async function proposed(text: string): Promise<string> {
  return (await call("ada", "/decisions?wait=10", { capability: "keep_notes", inputs: { text } })).json.id;
}

describe("two people sign high risk", () => {
  it("over HTTP: half signed after the first, not again by the same, signed after the second", async () => {
    const id = await proposed("a grave note");
    const first = await call("ben", `/reviews/${id}/approve`, {});
    expect(first.json).toMatchObject({ state: "waiting", effects: [{ state: "half_signed", signedBy: ["ben"] }] });
    expect(await call("ben", `/reviews/${id}/approve`, {})).toMatchObject({
      status: 403,
      json: { code: "approver_not_permitted" },
    });
    const second = await call("bea", `/reviews/${id}/approve`, {});
    expect(second.json).toMatchObject({ state: "signed", effects: [{ state: "signed", signedBy: ["ben", "bea"] }] });
  });
});

describe("a signature", () => {
  it("is withdrawn over HTTP by whoever gave it, and by nobody else", async () => {
    const id = await proposed("a note to take back");
    await call("ben", `/reviews/${id}/approve`, {});
    expect(await call("bea", `/reviews/${id}/withdraw`, {})).toMatchObject({ status: 409, json: { code: "approval_used" } });
    expect(await call("ben", `/reviews/${id}/withdraw`, {})).toMatchObject({ status: 200, json: { state: "waiting" } });
    expect(await call("gus", `/reviews/${id}/withdraw`, {})).toMatchObject({ status: 404 });
  });
});

describe("a decision that somebody has taken up", () => {
  it("is answered by nobody else over HTTP, until it is released", async () => {
    const id = await proposed("a note to have");
    const taken = await call("ben", `/reviews/${id}/take`, {});
    expect(taken).toMatchObject({ status: 200, json: { taken: { by: "ben", until: expect.any(Number) } } });
    expect(await call("bea", `/reviews/${id}/approve`, {})).toMatchObject({
      status: 409,
      json: { code: "taken", facts: { by: "ben" } },
    });
    expect((await call("ada", `/decisions/${id}`)).json.taken).toBeNull();
    expect(await call("ben", `/reviews/${id}/release`, {})).toMatchObject({ status: 200, json: { taken: null } });
    expect(await call("bea", `/reviews/${id}/approve`, {})).toMatchObject({ status: 200 });
  });

  it("is extended by whoever has it, and stands in the queue with who and until when", async () => {
    const id = await proposed("a note to open");
    await call("ben", `/reviews/${id}/take`, {});
    const item = async (as: Name) => (await call(as, "/reviews?limit=200")).json.items?.find((view) => view.id === id)?.taken;
    const first = await item("bea");
    expect(first).toMatchObject({ by: "ben" });
    await call("ben", `/reviews/${id}/take`, {});
    expect((await item("bea"))?.until).toBeGreaterThanOrEqual(first?.until ?? Number.POSITIVE_INFINITY);
    expect(await call("bea", `/reviews/${id}/take`, {})).toMatchObject({ status: 409, json: { code: "taken" } });
    expect(await call("bea", `/reviews/${id}/reject`, { reason: "no" })).toMatchObject({ status: 409, json: { code: "taken" } });
  });
});
