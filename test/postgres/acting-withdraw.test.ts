import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { House, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

const { ada, abe, erin } = people;
const viewOf = (decisionId: string) => house.desk().decision({ principal: ada, decisionId });
const waits = async (decisionId: string) =>
  (await house.desk().reviews({ principal: ada, limit: 200 })).items.some((view) => view.id === decisionId);
const approvalStates = async (decisionId: string) => {
  const text = "select state from countersign.approval where decision_id = $1 order by created_at, id";
  return (await house.admin.query<{ state: string }>(text, [decisionId])).rows.map(({ state }) => state);
};

describe("a signature that is withdrawn", () => {
  it("is on record and applies nothing, and the proposal waits on for anybody's", async () => {
    const decisionId = await house.decide({ changes: [house.add("back")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.desk().withdraw({ principal: ada, decisionId });
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "withdrawn"]);
    expect((await house.entries(decisionId)).at(-1)?.body).toMatchObject({ by: "ada", effectIndex: 0 });
    expect(await viewOf(decisionId)).toMatchObject({ state: "waiting", effects: [{ state: "proposed", signedBy: [] }] });
    expect(await waits(decisionId)).toBe(true);
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 0, refused: 0 });
    expect([await approvalStates(decisionId), await house.tickets("back")]).toEqual([["withdrawn"], []]);
    await house.desk().approve({ principal: abe, decisionId });
    await house.worker().runOnce();
    expect(await house.tickets("back")).toHaveLength(1);
    expect(await viewOf(decisionId)).toMatchObject({ state: "done", effects: [{ signedBy: ["abe"] }] });
  });

  it("leaves a rejection possible, which stands", async () => {
    const decisionId = await house.decide({ changes: [house.add("back-no")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.desk().withdraw({ principal: ada, decisionId });
    await house.desk().reject({ principal: ada, decisionId, reason: "on second thoughts" });
    await expect(house.desk().approve({ principal: abe, decisionId })).rejects.toMatchObject({ code: "approval_used" });
    expect((await viewOf(decisionId)).state).toBe("rejected_by_person");
  });

  it("is one's own: not another's, not twice, not where nothing was signed, and the attempt is on record", async () => {
    const decisionId = await house.decide({ changes: [house.add("own")] });
    const withdraw = (principal: typeof ada) => house.desk().withdraw({ principal, decisionId });
    await expect(withdraw(ada)).rejects.toMatchObject({ code: "approval_used", facts: { rule: "nothing_signed" } });
    await house.desk().approve({ principal: ada, decisionId });
    await expect(withdraw(abe)).rejects.toMatchObject({ code: "approval_used", facts: { rule: "nothing_signed" } });
    await expect(withdraw({ ...ada, id: "eve", roles: ["employee"] })).rejects.toMatchObject({ code: "not_found" });
    await expect(withdraw({ ...ada, id: "bot", onBehalfOf: "ada" })).rejects.toMatchObject({ code: "not_found" });
    await withdraw(ada);
    await expect(withdraw(ada)).rejects.toMatchObject({ code: "approval_used" });
    expect((await house.story(decisionId)).filter((kind) => kind === "withdrawn")).toHaveLength(1);
    // The three that could see it: who may not leaves no trace.
    expect((await house.story(decisionId)).filter((kind) => kind === "refused approval_used")).toHaveLength(3);
  });

  it("is too late once applying has begun", async () => {
    const decisionId = await house.decide({ changes: [house.add("begun")] });
    await house.desk().approve({ principal: ada, decisionId });
    let refusal: unknown;
    const at = async (point: string) => {
      if (point !== "arriving") return;
      refusal = await house
        .desk()
        .withdraw({ principal: ada, decisionId })
        .catch((thrown: unknown) => thrown);
    };
    await house.worker({ at }).runOnce();
    expect(refusal).toMatchObject({ code: "approval_used", facts: { rule: "apply_started" } });
    expect((await viewOf(decisionId)).state).toBe("done");
  });

  it("of one of two lets nothing start, also beside a second", async () => {
    const decisionId = await house.decide({ changes: [house.add("one-of-two", "grave")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.desk().approve({ principal: abe, decisionId });
    await house.desk().withdraw({ principal: ada, decisionId });
    const worker = house.worker();
    await worker.runOnce();
    await worker.runOnce();
    expect(await house.tickets("one-of-two")).toEqual([]);
    expect(await viewOf(decisionId)).toMatchObject({ state: "waiting", effects: [{ state: "half_signed", signedBy: ["abe"] }] });
    await house.desk().approve({ principal: ada, decisionId });
    await worker.runOnce();
    expect(await house.tickets("one-of-two")).toHaveLength(1);
  });

  it("counts from its row on, whichever of two it is of, and whatever else was written", async () => {
    for (const [place, principal] of [ada, abe].entries()) {
      const name = `row-of-${principal.id}`;
      const decisionId = await house.decide({ changes: [house.add(name, "grave")] });
      const signed: string[] = [];
      for (const one of [ada, abe]) signed.push(...(await house.desk().approve({ principal: one, decisionId })).approvalIds);
      const row = { tenant: "acme", approval_id: signed[place] ?? "", entry_id: house.ids.next() };
      await house.deskStore.inTenant("acme", (tx) => tx.insertInto("withdrawal").values(row).execute());
      await house.worker().runOnce();
      await house.worker().runOnce();
      expect(await house.tickets(name)).toEqual([]);
    }
  });

  it.each([
    ["one signature", "n", [ada]],
    ["two signatures", "grave", [ada, abe]],
  ] as const)(
    "in the same instant in which workers come for %s: exactly one of the two wins, each time",
    async (what, note, signers) => {
      const workers = [house.worker(), house.worker()];
      for (let round = 0; round < 12; round += 1) {
        const name = `${what} ${round}`;
        const decisionId = await house.decide({ changes: [house.add(name, note)] });
        for (const principal of signers) await house.desk().approve({ principal, decisionId });
        const [withdrawal] = await Promise.allSettled([
          house.desk().withdraw({ principal: ada, decisionId }),
          ...workers.map((worker) => worker.runOnce()),
        ]);
        await workers[0]?.runOnce();
        const applied = withdrawal?.status === "fulfilled" ? [] : ["complete"];
        expect(await house.tickets(name)).toHaveLength(applied.length);
        expect(await house.states(decisionId)).toEqual(applied);
        expect((await house.story(decisionId)).filter((kind) => kind === "withdrawn")).toHaveLength(1 - applied.length);
      }
    },
  );
});

describe("the database", () => {
  it("lets a withdrawal that has begun go before whoever would apply, and the other way round", async () => {
    const take = (approvalId: string) =>
      house.acting.inTenant("acme", (tx) =>
        tx
          .selectFrom("approval")
          .select("id")
          .where("id", "=", approvalId)
          .where("state", "=", "granted")
          .forUpdate()
          .skipLocked()
          .execute(),
      );
    const decisionId = await house.decide({ changes: [house.add("locks")] });
    const { approvalIds } = await house.desk().approve({ principal: ada, decisionId });
    const approvalId = approvalIds[0] ?? "";
    const put = { tenant: "acme", approval_id: approvalId, entry_id: house.ids.next() };
    let found: unknown = "nobody looked";
    const undone = house.deskStore.inTenant("acme", async (tx) => {
      await tx.insertInto("withdrawal").values(put).execute();
      found = await take(approvalId);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(found).toEqual([]);
    expect(await take(approvalId)).toEqual([{ id: approvalId }]);
    const removal = house.deskStore.inTenant("acme", (tx) =>
      tx.updateTable("approval").set({ state: "withdrawn" }).where("id", "=", approvalId).execute(),
    );
    await expect(removal).rejects.toThrow(/permission denied/);
  });

  it("keeps who asked from the withdrawal of what policy signed", async () => {
    await house.desk().openSlice({ principal: people.oda, capability: "tickets", slice: "all", thresholdPpm: 0 });
    await house.worker().runOnce();
    const decisionId = await house.decide({ changes: [house.add("policys"), house.closing("policys")], route: "auto" });
    await expect(house.desk().withdraw({ principal: erin, decisionId })).rejects.toMatchObject({ code: "approval_used" });
  });
});
