import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
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
const takenBy = async (decisionId: string, principal = ada) =>
  (await house.desk().decision({ principal, decisionId })).taken?.by ?? null;
const taken = { code: "taken", facts: { by: "ada" } };

describe("a decision that somebody has taken up", () => {
  it("is answered by nobody else meanwhile, who see who has it and until when", async () => {
    const decisionId = await house.decide({ changes: [house.add("mine")] });
    const { by, until } = await house.desk().take({ principal: ada, decisionId });
    expect([by, until - Date.now() > limits.takenMs - 60_000]).toEqual(["ada", true]);
    const seen = (await house.desk().reviews({ principal: abe, limit: 200 })).items.find((view) => view.id === decisionId);
    expect(seen?.taken).toEqual({ by: "ada", until });
    expect(await takenBy(decisionId, erin)).toBe("ada");
    expect(await takenBy(decisionId, { ...erin, roles: ["employee"] })).toBeNull();
    const answer = { principal: abe, decisionId };
    await expect(house.desk().approve(answer)).rejects.toMatchObject(taken);
    await expect(house.desk().reject({ ...answer, reason: "no" })).rejects.toMatchObject(taken);
    await expect(house.desk().take(answer)).rejects.toMatchObject(taken);
    // A collision is nobody's offence: nothing is written of it.
    expect(await house.story(decisionId)).toEqual(["decided"]);
    await house.desk().approve({ principal: ada, decisionId });
    expect(await takenBy(decisionId)).toBeNull();
  });

  it("is free again by itself when the time is over by the store's clock, and not before", async () => {
    const decisionId = await house.decide({ changes: [house.add("lapses")] });
    await house.desk().take({ principal: ada, decisionId });
    house.aheadMs = limits.takenMs - 5_000;
    await expect(house.desk().approve({ principal: abe, decisionId })).rejects.toMatchObject(taken);
    house.aheadMs = limits.takenMs;
    expect(await takenBy(decisionId)).toBeNull();
    await house.desk().approve({ principal: abe, decisionId });
  });

  it("is extended by whoever has it, and taken over by another only once it is free", async () => {
    const decisionId = await house.decide({ changes: [house.add("longer")] });
    const first = await house.desk().take({ principal: ada, decisionId });
    house.aheadMs = limits.takenMs - 5_000;
    expect((await house.desk().take({ principal: ada, decisionId })).until).toBeGreaterThan(first.until);
    house.aheadMs = limits.takenMs + 5_000;
    await expect(house.desk().take({ principal: abe, decisionId })).rejects.toMatchObject(taken);
    house.aheadMs = 2 * limits.takenMs;
    expect((await house.desk().take({ principal: abe, decisionId })).by).toBe("abe");
  });

  it("is released by whoever has it, and by nobody else", async () => {
    const decisionId = await house.decide({ changes: [house.add("let-go")] });
    await house.desk().take({ principal: ada, decisionId });
    await house.desk().release({ principal: abe, decisionId });
    expect(await takenBy(decisionId)).toBe("ada");
    await house.desk().release({ principal: ada, decisionId });
    expect(await takenBy(decisionId)).toBeNull();
    await house.desk().reject({ principal: abe, decisionId, reason: "no" });
  });

  it.each([
    ["who asked", erin, "approver_not_permitted"],
    ["an owner who is no approver", oda, "approver_not_permitted"],
    ["an approver of another tenant", gus, "not_found"],
  ])("is not had by %s", async (_who, principal, code) => {
    const decisionId = await house.decide({ changes: [house.add("not-theirs")] });
    await expect(house.desk().take({ principal, decisionId })).rejects.toMatchObject({ code });
  });

  it("is one that waits: what was answered is taken up by nobody", async () => {
    const decisionId = await house.decide({ changes: [house.add("answered")] });
    await house.desk().approve({ principal: ada, decisionId });
    await expect(house.desk().take({ principal: abe, decisionId })).rejects.toMatchObject({ code: "approval_used" });
  });

  it("by two at the same instant is had by one", async () => {
    for (let round = 0; round < 6; round += 1) {
      const decisionId = await house.decide({ changes: [house.add(`both-${round}`)] });
      const answers = await Promise.allSettled([ada, abe].map((principal) => house.desk().take({ principal, decisionId })));
      expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await house.worker().runOnce();
      expect((await house.desk().reviews({ principal: ada, limit: 200 })).items).toContainEqual(
        expect.objectContaining({ id: decisionId }),
      );
    }
  });

  it("keeps a signature that stands from nobody: whoever signed withdraws, though another has it", async () => {
    const decisionId = await house.decide({ changes: [house.add("half", "grave")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.desk().take({ principal: abe, decisionId });
    await house.desk().withdraw({ principal: ada, decisionId });
    expect(await takenBy(decisionId)).toBe("abe");
  });
});
