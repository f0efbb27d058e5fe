import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Grant } from "../../src/contract/approval.ts";
import { forgeApproval } from "./acting/forge.ts";
import { House, newKey, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada, abe, amy, erin } = people;
const fourHours = 4 * 60 * 60 * 1000;
const grave = (name: string) => house.decide({ changes: [house.add(name, "grave")] });
const viewOf = (decisionId: string) => house.desk().decision({ principal: ada, decisionId });
const waits = async (decisionId: string) =>
  (await house.desk().reviews({ principal: ada, limit: 200 })).items.some((view) => view.id === decisionId);
const approvalStates = async (decisionId: string) => {
  const text = "select state from countersign.approval where decision_id = $1 order by created_at, id";
  return (await house.admin.query<{ state: string }>(text, [decisionId])).rows.map(({ state }) => state);
};

describe("high risk", () => {
  it("is applied once two people have signed, who are both named, and both approvals are consumed", async () => {
    const decisionId = await grave("two");
    await house.desk().approve({ principal: ada, decisionId });
    await house.desk().approve({ principal: abe, decisionId });
    expect(await viewOf(decisionId)).toMatchObject({ state: "signed", effects: [{ signedBy: ["ada", "abe"] }] });
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 1, refused: 0 });
    expect(await house.tickets("two")).toHaveLength(1);
    expect(await approvalStates(decisionId)).toEqual(["consumed", "consumed"]);
    const applying = (await house.entries(decisionId)).find(({ kind }) => kind === "applying");
    const { rows } = await house.admin.query("select id from countersign.approval where decision_id = $1", [decisionId]);
    const named = [applying?.body["approvalId"], applying?.body["secondApprovalId"]];
    expect(new Set(named)).toEqual(new Set(rows.map(({ id }) => id)));
    expect((await viewOf(decisionId)).state).toBe("done");
  });

  it("is told as one of two signed, waits on for the second, and nothing starts", async () => {
    const decisionId = await grave("half");
    await house.desk().approve({ principal: ada, decisionId });
    const half = { state: "waiting", effects: [{ state: "half_signed", signedBy: ["ada"], signaturesNeeded: 2 }] };
    expect(await viewOf(decisionId)).toMatchObject(half);
    expect(await house.desk().decision({ principal: erin, decisionId })).toMatchObject(half);
    expect(await waits(decisionId)).toBe(true);
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 0, refused: 0 });
    expect(await house.tickets("half")).toEqual([]);
    expect(await approvalStates(decisionId)).toEqual(["granted"]);
    await house.desk().approve({ principal: abe, decisionId });
    expect(await waits(decisionId)).toBe(false);
  });

  it("is not signed by one person twice, nor as the second by who asked or was asked for", async () => {
    const decisionId = await house.decide({ changes: [house.add("not-twice", "grave")], onBehalfOf: "amy" });
    await house.desk().approve({ principal: ada, decisionId });
    const refused = (rule: string) => ({ code: "approver_not_permitted", facts: { rule } });
    await expect(house.desk().approve({ principal: ada, decisionId })).rejects.toMatchObject(refused("two_people"));
    for (const principal of [erin, amy])
      await expect(house.desk().approve({ principal, decisionId })).rejects.toMatchObject(refused("requester_never_signs"));
    expect((await house.story(decisionId)).slice(2)).toEqual(Array(3).fill("refused approver_not_permitted"));
    await house.worker().runOnce();
    expect(await house.tickets("not-twice")).toEqual([]);
  });

  const of = (id: string) => ({
    grant: (good: Grant) => ({ ...good, approver: { ...good.approver, id } }),
    row: { approver: id },
  });
  it.each([
    ["the same person again", () => ({})],
    ["who asked", () => of("erin")],
    ["somebody with a foreign key", () => ({ ...of("abe"), secret: newKey().secret })],
    [
      "somebody who saw another state before",
      () => ({
        row: { approver: "abe" },
        grant: (good: Grant) => ({
          ...good,
          approver: { ...good.approver, id: "abe" },
          subject: { ...good.subject, beforeDigest: "f".repeat(64) },
        }),
      }),
    ],
    ["somebody whose signature the ledger never saw", () => ({ ...of("abe"), hasEntry: false })],
    [
      "somebody whose signature has expired",
      () => ({
        row: { approver: "abe" },
        grant: (good: Grant) => ({ ...good, approver: { ...good.approver, id: "abe" }, expiresAt: good.grantedAt - 1 }),
      }),
    ],
  ])("is not applied where the second signature is that of %s", async (who, forgery) => {
    const decisionId = await grave(who);
    await house.desk().approve({ principal: ada, decisionId });
    await forgeApproval(house, { decisionId, ...forgery() });
    const worker = house.worker();
    await worker.runOnce();
    await worker.runOnce();
    expect(await house.tickets(who)).toEqual([]);
    expect(await house.states(decisionId)).toEqual([]);
  });

  it("is applied where the second signature is good in that very form, so that the refusals mean something", async () => {
    const decisionId = await grave("control");
    await house.desk().approve({ principal: ada, decisionId });
    await forgeApproval(house, { decisionId, ...of("abe") });
    await house.worker().runOnce();
    expect(await house.tickets("control")).toHaveLength(1);
  });

  it("is signed by no policy, however open the slice is, and two people sign one that the desk took for less", async () => {
    await house.desk().openSlice({ principal: people.oda, capability: "tickets", slice: "all", thresholdPpm: 0 });
    await house.worker().runOnce();
    const decisionId = await house.decide({ changes: [house.add("by-policy", "grave")], route: "auto" });
    await house.worker().runOnce();
    expect((await house.entries(decisionId)).at(-1)?.body).toMatchObject({ code: "policy_refuses", rule: "risk_not_low" });
    const hinted = await grave("hinted");
    await forgeApproval(house, { decisionId: hinted, row: { needs: 1 } });
    await house.worker().runOnce();
    expect(await house.tickets("hinted")).toEqual([]);
  });

  it("of one effect holds up the others of its proposal, which start in order once it is signed by two", async () => {
    const decisionId = await house.decide({ changes: [house.add("first"), house.add("first-2", "grave")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.worker().runOnce();
    expect(await house.tickets("first")).toEqual([]);
    const { approvalIds } = await house.desk().approve({ principal: abe, decisionId });
    expect(approvalIds).toHaveLength(1);
    await house.worker().runOnce();
    expect([...(await house.tickets("first")), ...(await house.tickets("first-2"))]).toHaveLength(2);
  });

  it("is refused with both signatures where its business key is taken, and leaves nothing waiting", async () => {
    const first = await house.decide({ changes: [house.add("keyed", "82000")] });
    await house.desk().approve({ principal: ada, decisionId: first });
    await house.worker().runOnce();
    const decisionId = await house.decide({ changes: [house.add("keyed", "grave"), house.closing("keyed")] });
    for (const principal of [ada, abe]) await house.desk().approve({ principal, decisionId });
    await house.worker().runOnce();
    await house.worker().runOnce();
    expect(await approvalStates(decisionId)).toEqual(["refused", "refused", "refused"]);
    const refusals = (await house.entries(decisionId)).filter(({ kind }) => kind === "refused");
    expect(refusals.map(({ body }) => [body["effectIndex"], body["code"]])).toEqual([
      [0, "key_conflict"],
      [0, "key_conflict"],
      [1, "precondition_failed"],
    ]);
  });

  it("holds up the effect after it until it was seen complete, like any other", async () => {
    const decisionId = await house.decide({
      changes: [house.add("before-it", "grave"), house.closing("before-it", { note: "grave", status: "open" })],
    });
    for (const principal of [ada, abe]) await house.desk().approve({ principal, decisionId });
    const at = async (point: string) => {
      if (point === "observing") throw new Error("down");
    };
    await house.worker({ at }).runOnce();
    expect(await house.tickets("before-it")).toMatchObject([{ status: "open" }]);
    house.aheadMs = 30_000;
    await house.worker().runOnce();
    await house.worker().runOnce();
    expect(await house.tickets("before-it")).toMatchObject([{ status: "closed" }]);
  });

  it("lets the first of two that expired be given again by somebody else, and the one that stands is kept", async () => {
    const decisionId = await grave("late-half");
    await house.desk().approve({ principal: ada, decisionId });
    house.aheadMs = fourHours - 60_000;
    await house.desk().approve({ principal: abe, decisionId });
    house.aheadMs = fourHours;
    await house.worker().runOnce();
    expect(await house.tickets("late-half")).toEqual([]);
    expect(await viewOf(decisionId)).toMatchObject({ state: "waiting", effects: [{ state: "half_signed", signedBy: ["abe"] }] });
    expect(await waits(decisionId)).toBe(true);
    await house.desk().approve({ principal: amy, decisionId });
    await house.worker().runOnce();
    expect(await house.tickets("late-half")).toHaveLength(1);
  });

  it("is turned down by the second, after which the signature of the first counts no more", async () => {
    const decisionId = await grave("turned-down");
    await house.desk().approve({ principal: ada, decisionId });
    await expect(house.desk().reject({ principal: ada, decisionId, reason: "no" })).rejects.toMatchObject({
      code: "approval_used",
    });
    await house.desk().reject({ principal: abe, decisionId, reason: "too much" });
    await house.worker().runOnce();
    expect([await approvalStates(decisionId), await house.tickets("turned-down")]).toEqual([["refused"], []]);
    expect((await viewOf(decisionId)).state).toBe("rejected_by_person");
  });

  it("is sent again after a lost reply only while both signatures hold", async () => {
    for (const [name, ahead, sent] of [
      ["again", 10_000, 1],
      ["again-late", fourHours, 0],
    ] as const) {
      const decisionId = await grave(name);
      await house.desk().approve({ principal: ada, decisionId });
      await house.desk().approve({ principal: abe, decisionId });
      let isFirst = true;
      const at = async (point: string) => {
        if (point !== "arriving" || !isFirst) return;
        isFirst = false;
        throw new Error("lost before it arrived");
      };
      const worker = house.worker({ at });
      await worker.runOnce();
      expect(await house.states(decisionId)).toEqual(["unknown"]);
      house.aheadMs = ahead + 20_000;
      await worker.runOnce();
      await worker.runOnce();
      expect(await house.tickets(name)).toHaveLength(sent);
      house.aheadMs = 0;
    }
  });
});

describe("an approval", () => {
  it("keeps a passkey's assertion inside what is signed, and nobody relies on it yet", async () => {
    const decisionId = await house.decide({ changes: [house.add("passkey")] });
    const assertion = "x".repeat(2_000);
    const id = await forgeApproval(house, {
      decisionId,
      grant: (good) => ({ ...good, approver: { ...good.approver, assertion } }),
    });
    await house.worker().runOnce();
    expect(await house.tickets("passkey")).toHaveLength(1);
    const { rows } = await house.admin.query<{ body: string }>("select body from countersign.approval where id = $1", [id]);
    expect(JSON.parse(rows[0]?.body ?? "{}")).toMatchObject({ approver: { assertion } });
  });
});
