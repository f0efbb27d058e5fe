import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AllowLists, everything } from "../../src/contract/principal.ts";
import { putTestPeople } from "../setup/people.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// An account's own lists, over HTTP: what they leave out is not used, read or proposed, and does not show. They count from the next request on.
const lim = { tenant: "acme", id: "lim", roles: ["employee"], key: "key-of-lim-in-this-test" };
let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
  await putTestPeople(house.adminUrl, [lim]);
}, 120_000);
afterAll(() => house?.close());
beforeEach(() => allow({}));

async function allow(change: Partial<Record<keyof AllowLists, unknown>>): Promise<void> {
  const lists = JSON.stringify({ ...everything, ...change });
  await house.owner.query("update countersign.account set allow = $1 where id = 'lim'", [lists]);
}

interface Answer {
  readonly status: number;
  readonly json: { readonly [member: string]: unknown };
}

async function post(path: string, body: unknown, key = lim.key): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(`${house.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, json: (await response.json()) as Answer["json"] }; // the desk's own form
}

const text = () => `a note ${randomUUID().slice(0, 8)}`;
const decide = (capability: string) => post("/v1/decisions", { capability, inputs: { text: text() } });

async function factsOf(answer: Answer, kind: string): Promise<{ readonly [member: string]: unknown }> {
  const { rows } = await house.owner.query("select body from countersign.entry where decision_id = $1 and kind = $2", [
    ...[answer.json["id"], kind],
  ]);
  return JSON.parse(rows[0].body);
}

describe("an account's allow-lists", () => {
  it("leave a capability out that is not listed, and one of which anything known is not", async () => {
    expect((await decide("keep_notes")).status).toBe(201);
    const hiding = [
      { capabilities: [] },
      { capabilities: ["say_nothing"] },
      { effects: [] },
      { effects: ["keep_note"] }, // not `mail_note`, which it may propose too
      { records: [] }, // not what reads the state before its effects
    ];
    for (const change of hiding) {
      await allow(change);
      expect(await decide("keep_notes")).toMatchObject({ status: 404, json: { code: "unknown_capability" } });
    }
    await allow({ capabilities: ["keep_notes"], effects: ["keep_note", "mail_note"], records: ["notes.all"] });
    expect((await decide("keep_notes")).status).toBe(201);
    expect((await decide("say_nothing")).status).toBe(404);
  });

  it("keep intake from picking what they leave out", async () => {
    expect((await post("/v1/ask", { text: text() })).json).toMatchObject({ decision: { capability: "keep_notes" } });
    await allow({ effects: [] });
    const asked = await post("/v1/ask", { text: text() });
    expect(asked.json["decision"]).toBeUndefined();
    expect(JSON.stringify(asked.json)).not.toContain("keep_notes");
  });

  it("keep records from being read that only a run knows of, and no model or claim sees them", async () => {
    expect((await decide("tell_after_review")).json).toMatchObject({ state: "waiting" });
    await allow({ records: ["notes.other"] });
    const stopped = await decide("tell_after_review");
    expect(stopped.json).toMatchObject({ state: "stopped", stop: { reason: "record_unavailable" } });
    expect(JSON.stringify(stopped.json)).not.toMatch(/4711|The secret note is/);
  });

  it("stand in the entry where they limit anything, and nowhere else", async () => {
    expect(await factsOf(await decide("keep_notes"), "decided")).not.toHaveProperty("allow");
    const lists = { ...everything, effects: ["keep_note", "mail_note"] };
    await allow(lists);
    expect(await factsOf(await decide("keep_notes"), "decided")).toMatchObject({ allow: lists });
  });

  it.each([
    ["is missing", { capabilities: "all", records: "all", documents: "all" }],
    ["is no list", { ...everything, effects: "some" }],
    ["is null", { ...everything, effects: null }],
  ])("are an error where one %s, never all and never nothing", async (_how, lists) => {
    await house.owner.query("update countersign.account set allow = $1 where id = 'lim'", [JSON.stringify(lists)]);
    expect((await decide("say_nothing")).status).toBe(500);
  });
});

describe("entries", () => {
  it("name the policies that let a decision be asked for, proposed and signed, with their version", async () => {
    const answer = await decide("keep_notes");
    const { version: policy } = shippedPolicy;
    expect(await factsOf(answer, "decided")).toMatchObject({
      ...{ policy, policies: { use: ["open_to_role"], propose: ["effects_of_the_capability"] } },
    });
    const id = String(answer.json["id"]);
    expect((await post(`/v1/reviews/${id}/approve`, {}, keyOf("bea"))).status).toBe(200);
    expect(await factsOf(answer, "approved")).toMatchObject({ policy, policies: ["approver_signs"] });
    const other = await decide("keep_notes");
    await post(`/v1/reviews/${String(other.json["id"])}/reject`, { reason: "no" }, keyOf("bea"));
    expect(await factsOf(other, "rejected")).toMatchObject({ policy, policies: ["approver_signs"] });
  });

  it("name the policies that refused a signature", async () => {
    const body = { capability: "keep_notes", inputs: { text: text() } };
    const own = await post("/v1/decisions", body, keyOf("ben"));
    expect((await post(`/v1/reviews/${String(own.json["id"])}/approve`, {}, keyOf("ben"))).status).toBe(403);
    expect(await factsOf(own, "refused")).toMatchObject({
      ...{ code: "approver_not_permitted", rule: "requester_never_signs" },
      ...{ policy: shippedPolicy.version, policies: ["requester_never_signs"] },
    });
  });
});
