import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { House, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada, abe, erin, gus, oda } = people;
const eve = { ...ada, id: "eve", roles: ["employee"] };
const fourHours = 4 * 60 * 60 * 1000;
const waits = async (decisionId: string) =>
  (await house.desk().reviews({ principal: ada, limit: 200 })).items.some((view) => view.id === decisionId);
const stateOf = async (decisionId: string) => (await house.desk().decision({ principal: ada, decisionId })).state;

describe("an answer that is refused", () => {
  it("is on record, with who tried what and the rule, and the proposal waits on", async () => {
    const decisionId = await house.decide({ changes: [house.add("tried")] });
    await expect(house.desk().approve({ principal: erin, decisionId })).rejects.toMatchObject({ code: "approver_not_permitted" });
    const body = {
      code: "approver_not_permitted",
      rule: "requester_never_signs",
      by: "erin",
      answer: "approve",
      approvalId: null,
    };
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({ kind: "refused", body });
    expect(await stateOf(decisionId)).toBe("waiting");
    expect(await waits(decisionId)).toBe(true);
    await house.desk().approve({ principal: ada, decisionId });
    await house.worker().runOnce();
    expect(await stateOf(decisionId)).toBe("done");
  });

  it("tells whoever may not see the decision nothing of it, whatever became of it, and leaves no entry", async () => {
    const [open, answered, auto] = [
      await house.decide({ changes: [house.add("unseen")] }),
      await house.decide({ changes: [house.add("unseen-answered")] }),
      await house.decide({ changes: [house.add("unseen-auto")], route: "auto" }),
    ];
    await house.desk().approve({ principal: ada, decisionId: answered });
    for (const decisionId of [open, answered, auto, house.ids.next()]) {
      const before = await house.story(decisionId);
      for (const principal of [eve, gus]) {
        const notFound = { code: "not_found", facts: { decisionId } };
        await expect(house.desk().approve({ principal, decisionId })).rejects.toMatchObject(notFound);
        await expect(house.desk().reject({ principal, decisionId, reason: "no" })).rejects.toMatchObject(notFound);
      }
      expect(await house.story(decisionId)).toEqual(before);
    }
  });

  it("says that one may not before it says that it was answered", async () => {
    const decisionId = await house.decide({ changes: [house.add("answered")] });
    await house.desk().approve({ principal: ada, decisionId });
    await expect(house.desk().approve({ principal: erin, decisionId })).rejects.toMatchObject({ code: "approver_not_permitted" });
    await expect(house.desk().approve({ principal: abe, decisionId })).rejects.toMatchObject({ code: "approval_used" });
    expect((await house.story(decisionId)).slice(2)).toEqual(["refused approver_not_permitted", "refused approval_used"]);
  });
});

describe("an approval that expired unused", () => {
  it("lets the proposal be signed again, and what is signed then is carried out", async () => {
    const decisionId = await house.decide({ changes: [house.add("late"), house.closing("late")] });
    const { approvalIds } = await house.desk().approve({ principal: ada, decisionId });
    house.aheadMs = fourHours;
    await house.worker().runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "approved", "expired", "expired"]);
    const { rows } = await house.admin.query("select state from countersign.approval where id = any ($1)", [approvalIds]);
    expect(rows).toEqual([{ state: "expired" }, { state: "expired" }]);
    expect([await stateOf(decisionId), await waits(decisionId)]).toEqual(["waiting", true]);
    await house.desk().approve({ principal: abe, decisionId });
    expect([await stateOf(decisionId), await waits(decisionId)]).toEqual(["signed", false]);
    await house.worker().runOnce();
    expect(await stateOf(decisionId)).toBe("done");
    expect(await house.tickets("late")).toMatchObject([{ status: "closed" }]);
    await expect(house.desk().approve({ principal: ada, decisionId })).rejects.toMatchObject({ code: "approval_used" });
  });

  it("lets it be rejected instead, once and for all", async () => {
    const decisionId = await house.decide({ changes: [house.add("late-no")] });
    await house.desk().approve({ principal: ada, decisionId });
    house.aheadMs = fourHours;
    await house.worker().runOnce();
    await house.desk().reject({ principal: abe, decisionId, reason: "no longer needed" });
    expect([await stateOf(decisionId), await waits(decisionId)]).toEqual(["rejected_by_person", false]);
    await expect(house.desk().approve({ principal: ada, decisionId })).rejects.toMatchObject({ code: "approval_used" });
  });

  it("lets a person sign what policy had signed", async () => {
    await house.desk().openSlice({ principal: oda, capability: "tickets", slice: "all", thresholdPpm: 0 });
    await house.worker().runOnce();
    const decisionId = await house.decide({ changes: [house.add("auto-late"), house.closing("auto-late")], route: "auto" });
    // A worker that signs and cannot send: the first effect is under way until a person is called, the second waits.
    let isSent = false;
    await house
      .worker({
        at: async (point) => {
          if (point === "before") isSent = true;
          if (point === "observing") throw new Error("down");
        },
      })
      .runOnce();
    expect(isSent).toBe(true);
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "approved", "applying", "applied", "observed unknown"]);
    house.aheadMs = fourHours;
    await house.worker().runOnce();
    expect((await house.story(decisionId)).slice(-2)).toEqual(["observed complete", "expired"]);
    await expect(house.desk().reject({ principal: ada, decisionId, reason: "no" })).rejects.toMatchObject({
      code: "approval_used",
    });
    expect(await waits(decisionId)).toBe(true);
    const { approvalIds } = await house.desk().approve({ principal: ada, decisionId });
    expect(approvalIds).toHaveLength(1);
    await house.worker().runOnce();
    expect(await house.tickets("auto-late")).toMatchObject([{ status: "closed" }]);
    expect(await stateOf(decisionId)).toBe("done");
  });
});
