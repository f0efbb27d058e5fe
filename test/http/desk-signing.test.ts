import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DecisionView } from "../../src/contract/views.ts";
import { fieldOf, PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// What people do with a proposal beside one signature: two of them, taking one back, having it to oneself. By HTTP and by page.
let house: DeskHouse;
let ben: PlainBrowser;
let bea: PlainBrowser;
let ada: PlainBrowser;
beforeAll(async () => {
  house = await openDeskHouse();
  [ben, bea, ada] = [new PlainBrowser(house.url), new PlainBrowser(house.url), new PlainBrowser(house.url)];
  await ben.signIn(keyOf("ben"));
  await bea.signIn(keyOf("bea"));
  await ada.signIn(keyOf("ada"));
});
afterAll(() => house.close());

type Name = Parameters<typeof keyOf>[0];

async function call(as: Name, path: string, body?: unknown): Promise<{ status: number; json: DecisionView & { code?: string } }> {
  const answer = await fetch(`${house.url}/v1${path}`, {
    headers: { authorization: `Bearer ${keyOf(as)}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as DecisionView & { code?: string } }; // the desk's own forms
}

async function proposed(text: string): Promise<string> {
  return (await call("ada", "/decisions?wait=10", { capability: "keep_notes", inputs: { text } })).json.id;
}

/** Posts a verb of the page with the token that the page of the item holds. */
async function post(browser: PlainBrowser, id: string, verb: string) {
  const { html } = await browser.get(`/review/${id}`);
  return browser.post(`/review/${id}/${verb}`, { token: fieldOf(html, "token") });
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

  it("on the page: both are told that it takes two, the first that the second is another's, the queue that one has signed", async () => {
    const id = await proposed("a grave page");
    expect((await ben.get(`/review/${id}`)).html).toContain("Two people have to sign.");
    expect(await post(ben, id, "approve")).toMatchObject({ status: 303 });
    const { html } = await ben.get(`/review/${id}`);
    expect(html).toContain("You have signed it. The second signature is another person’s.");
    expect(html).not.toContain(`action="/review/${id}/approve"`);
    const other = (await bea.get(`/review/${id}`)).html;
    expect(other).toContain("You sign as the second of two.");
    expect(other).toContain("one of two has signed");
    expect((await call("ada", `/decisions/${id}`)).json.effects[0]).toMatchObject({ state: "half_signed", signaturesNeeded: 2 });
    await post(bea, id, "approve");
    expect((await ada.get("/")).html).toContain("by Ben Okoro and Bea Holm");
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

  it("is withdrawn on the page, where the way to do so stands for whoever signed alone", async () => {
    const id = await proposed("a note on a page");
    await post(ben, id, "approve");
    expect((await bea.get(`/review/${id}`)).html).not.toContain("Withdraw your signature");
    expect((await ben.get(`/review/${id}`)).html).toContain("Withdraw your signature");
    expect(await post(ben, id, "withdraw")).toMatchObject({ status: 303, location: `/review/${id}` });
    const { html } = await ben.get(`/review/${id}`);
    expect(html).toContain(`action="/review/${id}/approve"`);
    expect(html).not.toContain("Withdraw your signature");
    expect((await ben.get(`/decisions/${id}`)).html).toContain("<strong>withdrawn</strong> effect 1, by Ben Okoro");
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

  it("says on the page who has it, closes the answers to others, and is extended and released by whoever has it", async () => {
    const id = await proposed("a note to open");
    expect(await post(ben, id, "take")).toMatchObject({ status: 303 });
    const own = (await ben.get(`/review/${id}`)).html;
    for (const words of ["You have taken it up", "Extend", "Release", `action="/review/${id}/approve"`])
      expect(own).toContain(words);
    const others = (await bea.get(`/review/${id}`)).html;
    expect(others).toContain("Ben Okoro has taken it up, so nobody else answers it now.");
    expect(others).toContain("taken up by Ben Okoro");
    expect(others).not.toContain(`action="/review/${id}/approve"`);
    const refused = await bea.post(`/review/${id}/approve`, { token: fieldOf(others, "token") });
    expect(refused).toMatchObject({ status: 409, html: expect.stringContaining("Somebody else has taken it up.") });
    expect(await post(ben, id, "release")).toMatchObject({ status: 303 });
    expect((await bea.get(`/review/${id}`)).html).toContain(`action="/review/${id}/approve"`);
  });
});
