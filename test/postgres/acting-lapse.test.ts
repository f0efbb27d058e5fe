import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { reviewers, writeNotices } from "../../src/ledger/notices.ts";
import { House, people } from "./acting/house.ts";
import { sampleProject } from "./acting/project.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada, abe, erin } = people;
const newer = sampleProject({ capabilityVersion: "2" });
const keeping = sampleProject({ capabilityVersion: "2", keepsWaiting: true });
const viewOf = (decisionId: string) => house.desk().decision({ principal: erin, decisionId });
const waits = async (decisionId: string) =>
  (await house.desk().reviews({ principal: ada, limit: 200 })).items.some((view) => view.id === decisionId);
const lastBody = async (decisionId: string) => (await house.entries(decisionId)).at(-1)?.body;

/** What is to be told of a decision, as kind and addressee, in no order. */
async function told(decisionId: string): Promise<string[]> {
  const text = "select kind, to_kind, to_name, state from countersign.notice where decision_id = $1";
  const { rows } = await house.admin.query(text, [decisionId]);
  expect(rows.every(({ state }) => state === "waiting")).toBe(true);
  return rows.map((row) => `${row.kind} ${row.to_kind} ${row.to_name}`).sort();
}

describe("a proposal that nobody answers", () => {
  it("expires when its time is over by the store's clock, as an entry, and who asked and the owner are told", async () => {
    const decisionId = await house.decide({ changes: [house.add("unanswered")], onBehalfOf: "amy" });
    house.aheadMs = limits.waitingMs - 60_000;
    expect(await house.worker().runOnce()).toMatchObject({ lapsed: 0 });
    expect(await waits(decisionId)).toBe(true);
    house.aheadMs = limits.waitingMs + 60_000;
    expect(await house.worker().runOnce()).toMatchObject({ lapsed: 1 });
    expect(await house.story(decisionId)).toEqual(["decided", "expired"]);
    expect(await lastBody(decisionId)).toMatchObject({ writer: "acting", approvalId: null, rule: "waiting_time" });
    expect([(await viewOf(decisionId)).state, await waits(decisionId)]).toEqual(["expired", false]);
    expect(await told(decisionId)).toEqual([
      "expired owner service-desk",
      "expired principal amy",
      "expired principal erin",
      "waiting_review role approver",
    ]);
    await expect(house.desk().approve({ principal: ada, decisionId })).rejects.toMatchObject({ code: "not_waiting" });
    expect(await house.worker().runOnce()).toMatchObject({ lapsed: 0 });
  });

  it("expires with the one signature of two that it has, which counts no more", async () => {
    const decisionId = await house.decide({ changes: [house.add("half-lapsed", "grave")] });
    house.aheadMs = limits.waitingMs - 60_000;
    await house.desk().approve({ principal: ada, decisionId });
    house.aheadMs = limits.waitingMs + 60_000;
    await house.worker().runOnce();
    await expect(house.desk().approve({ principal: abe, decisionId })).rejects.toMatchObject({ code: "not_waiting" });
    await house.worker().runOnce();
    expect(await house.tickets("half-lapsed")).toEqual([]);
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "expired", "refused approval_used"]);
  });

  it("is either answered or lapsed where both happen in the same instant", async () => {
    const worker = house.worker();
    for (let round = 0; round < 8; round += 1) {
      const name = `instant-${round}`;
      const decisionId = await house.decide({ changes: [house.add(name)] });
      house.aheadMs = limits.waitingMs + 60_000;
      const [answer] = await Promise.allSettled([house.desk().approve({ principal: ada, decisionId }), worker.runOnce()]);
      await worker.runOnce();
      const isAnswered = answer?.status === "fulfilled";
      expect(await house.tickets(name)).toHaveLength(isAnswered ? 1 : 0);
      expect((await house.story(decisionId)).includes("expired")).toBe(!isAnswered);
      house.aheadMs = 0;
    }
  });
});

describe("an approval that expires unused", () => {
  it("is told to who asked, the owner, and whoever may sign anew", async () => {
    const decisionId = await house.decide({ changes: [house.add("unused")] });
    await house.desk().approve({ principal: ada, decisionId });
    house.aheadMs = limits.approvalMs;
    await house.worker().runOnce();
    expect(await told(decisionId)).toEqual([
      "expired owner service-desk",
      "expired principal erin",
      "waiting_review role approver",
    ]);
  });
});

describe("a new version of a capability", () => {
  it("makes void what waits for the old one, as an entry and a state of its own, and tells of it", async () => {
    const decisionId = await house.decide({ changes: [house.add("outdated")] });
    await house.worker({ sample: newer }).runOnce();
    expect(await lastBody(decisionId)).toMatchObject({ kind: "expired", approvalId: null, rule: "capability_version" });
    expect([(await viewOf(decisionId)).state, await waits(decisionId)]).toEqual(["void", false]);
    expect(await told(decisionId)).toContain("expired principal erin");
    await expect(house.desk().approve({ principal: ada, decisionId })).rejects.toMatchObject({
      code: "not_waiting",
      facts: { state: "void" },
    });
  });

  it("keeps what waits where it says so, and what is signed then is carried out", async () => {
    const decisionId = await house.decide({ changes: [house.add("kept")] });
    expect(await house.worker({ sample: keeping }).runOnce()).toMatchObject({ lapsed: 0 });
    const desk = house.desk({ project: keeping.project });
    expect((await desk.decision({ principal: ada, decisionId })).obstacle).toBeNull();
    await desk.approve({ principal: ada, decisionId });
    await house.worker({ sample: keeping }).runOnce();
    expect(await house.tickets("kept")).toHaveLength(1);
  });

  it("leaves what was answered before as it was answered", async () => {
    const decisionId = await house.decide({ changes: [house.add("answered-before")] });
    await house.desk().reject({ principal: ada, decisionId, reason: "no" });
    await house.worker({ sample: newer }).runOnce();
    expect((await viewOf(decisionId)).state).toBe("rejected_by_person");
  });
});

describe("people are told, in the same commit,", () => {
  it("of each decision that waits, once, however often it is looked at and by however many workers", async () => {
    const decisionId = await house.decide({ changes: [house.add("news")] });
    await Promise.all([house.worker().runOnce(), house.worker().runOnce()]);
    await house.worker().runOnce();
    const text = "select entry_id from countersign.notice where decision_id = $1";
    const { rows } = await house.admin.query<{ entry_id: string }>(text, [decisionId]);
    const again = {
      tenant: "acme",
      kind: "waiting_review",
      decisionId,
      entryId: rows[0]?.entry_id ?? "",
      to: reviewers,
    } as const;
    // As a worker does that found it in the same instant.
    await house.acting.inTenant("acme", (tx) => writeNotices({ tx, notices: [again] }));
    expect(await told(decisionId)).toEqual(["waiting_review role approver"]);
  });

  it("of a first signature that waits for a second, and of one that was withdrawn", async () => {
    const decisionId = await house.decide({ changes: [house.add("news-two", "grave")] });
    await house.desk().approve({ principal: ada, decisionId });
    expect(await told(decisionId)).toEqual(["waiting_review role approver"]);
    await house.desk().withdraw({ principal: ada, decisionId });
    expect(await told(decisionId)).toEqual(Array(2).fill("waiting_review role approver"));
  });

  it.each([
    ["done", "n", ["outcome principal erin"]],
    ["rejected", "n", ["outcome principal erin"]],
    ["refused", "n", ["outcome principal erin"]],
    ["escalated", "n", ["escalated owner service-desk", "outcome principal erin"]],
  ])("of the outcome, here that it was %s", async (what, note, expected) => {
    const name = what === "refused" ? "forbidden" : `outcome-${what}`;
    const decisionId = await house.decide({ changes: [house.add(name, note)] });
    if (what === "rejected") await house.desk().reject({ principal: ada, decisionId, reason: "no" });
    else await house.desk().approve({ principal: ada, decisionId });
    const at = async (point: string) => {
      if (what === "escalated" && point === "observing") throw new Error("down");
    };
    await house.worker({ at }).runOnce();
    house.aheadMs = 120_000;
    await house.worker({ at }).runOnce();
    expect(await told(decisionId)).toEqual(expect.arrayContaining(expected));
    expect((await told(decisionId)).filter((line) => line.startsWith("outcome"))).toHaveLength(1);
  });

  it("and the deciding half writes none of it, nor does the desk change what was sent", async () => {
    const row = { tenant: "acme", id: house.ids.next(), kind: "outcome", decision_id: house.ids.next() } as const;
    const notice = { ...row, entry_id: house.ids.next(), to_kind: "role", to_name: "approver" } as const;
    const put = house.deciding.inTenant("acme", (tx) => tx.insertInto("notice").values(notice).execute());
    await expect(put).rejects.toThrow(/permission denied/);
    const mark = house.deskStore.inTenant("acme", (tx) => tx.updateTable("notice").set({ state: "sent" }).execute());
    await expect(mark).rejects.toThrow(/permission denied/);
  });
});
