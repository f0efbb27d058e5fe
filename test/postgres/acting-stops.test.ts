import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HaltScope } from "../../src/contract/words.ts";
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

const { ada, oda } = people;
type Scope = readonly [HaltScope, string];
const scopes: readonly [Scope, Scope, Scope] = [
  ["effect", "add_ticket"],
  ["capability", "tickets"],
  ["tenant", "*"],
];

async function approved(name: string): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)] });
  await house.desk().approve({ principal: ada, decisionId });
  return decisionId;
}

const set = (scope: Scope, isStopped: boolean) =>
  house.desk().setHalt({ principal: oda, scope: scope[0], name: scope[1], isStopped, reason: "something is wrong" });

describe("an emergency stop", () => {
  it.each(scopes)(
    "of a %s (`%s`) holds from the next apply on, and what waits is applied when it is lifted",
    async (...scope) => {
      const name = `stopped-${scope[0]}`;
      const decisionId = await approved(name);
      await set(scope, true);
      const worker = house.worker();
      expect(await worker.runOnce()).toMatchObject({ reserved: 0, refused: 0 });
      expect(await house.tickets(name)).toEqual([]);
      await set(scope, false);
      house.aheadMs = 10_000;
      await expect
        .poll(
          async () => {
            await house.worker().runOnce();
            return house.states(decisionId);
          },
          { timeout: 15_000 },
        )
        .toEqual(["complete"]);
    },
  );

  it("that comes between the signature and the send keeps it from being sent", async () => {
    const decisionId = await approved("in-between");
    const worker = house.worker({
      at: async (point) => {
        if (point === "before") await set(scopes[0], true);
      },
    });
    await worker.runOnce();
    expect(await house.tickets("in-between")).toEqual([]);
    house.aheadMs = 20_000;
    await house.worker().runOnce();
    expect(await house.tickets("in-between")).toEqual([]);
    await set(scopes[0], false);
    house.aheadMs = 40_000;
    await house.worker().runOnce();
    expect(await house.tickets("in-between")).toHaveLength(1);
    expect(await house.states(decisionId)).toEqual(["complete"]);
  });

  it("that comes in between frees the key of what is never sent twice, since nothing was sent", async () => {
    const sample = sampleProject({ dedupe: "none" });
    const decisionId = await approved("never-twice");
    const worker = house.worker({
      sample,
      at: async (point) => {
        if (point === "before") await set(scopes[0], true);
      },
    });
    await worker.runOnce();
    await set(scopes[0], false);
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "refused not_sent"]);
  });
});

describe("the limits of an effect", () => {
  it("refuse a target that is not allowed, whoever signed", async () => {
    const sample = sampleProject({ limits: { allows: ({ name }) => name !== "elsewhere" } });
    const decisionId = await approved("elsewhere");
    await house.worker({ sample }).runOnce();
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({
      kind: "refused",
      body: { code: "precondition_failed", rule: "target_not_allowed" },
    });
    expect(await house.tickets("elsewhere")).toEqual([]);
  });

  it("let begin within an hour no more than there is room for, and the rest later", async () => {
    const { rows } = await house.admin.query<{ begun: number }>(
      "select count(*)::integer as begun from countersign.operation where effect = 'add_ticket'",
    );
    const sample = sampleProject({ limits: { perHour: (rows[0]?.begun ?? 0) + 2 } });
    const decisions = [await approved("rate-1"), await approved("rate-2"), await approved("rate-3")];
    expect(await house.worker({ sample }).runOnce()).toMatchObject({ reserved: 2 });
    house.aheadMs = 3_601_000;
    expect(await house.worker({ sample }).runOnce()).toMatchObject({ reserved: 1 });
    for (const decisionId of decisions) expect(await house.states(decisionId)).toEqual(["complete"]);
  });
});
