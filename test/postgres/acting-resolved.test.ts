import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { House, people } from "./acting/house.ts";
import { type Point, sampleProject } from "./acting/project.ts";

// A person ends what was left to people, and the acting half carries it out: it looks once more itself.
let house: House;
const sample = sampleProject({ dedupe: "none" });
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada, amy } = people;

/** A change whose reply was lost at a target that is never sent anything twice: after the settle time a person has to look. */
async function left(name: string, broken: Point): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)] });
  await house.desk().approve({ principal: ada, decisionId });
  const worker = house.worker({
    sample,
    at: async (point) => {
      if (point === broken || (point === "observing" && broken === "committed")) throw new Error("lost");
    },
  });
  await worker.runOnce();
  house.aheadMs = 61_000;
  await worker.runOnce();
  expect(await house.states(decisionId)).toEqual(["escalated"]);
  return decisionId;
}

async function resolve(decisionId: string, outcome: "happened" | "not_happened"): Promise<void> {
  const finding = { effectIndex: 0, outcome, reason: "looked it up", evidence: "the screen of the target" };
  await house.desk().resolve({ principal: amy, decisionId, ...finding });
  expect(await house.worker({ sample }).runOnce()).toMatchObject({ resolved: 1 });
}

describe("what a person found of an operation that was left to people", () => {
  it("that it happened is said to be done where it can be seen", async () => {
    const decisionId = await left("seen", "committed");
    await resolve(decisionId, "happened");
    expect(await house.states(decisionId)).toEqual(["complete"]);
    expect((await house.story(decisionId)).slice(-2)).toEqual(["resolved", "observed complete"]);
  });

  it("is carried out for nobody who is gone by then, and may be said by another", async () => {
    const decisionId = await left("by-nobody", "committed");
    const finding = { effectIndex: 0, outcome: "happened", reason: "looked it up", evidence: "the screen" } as const;
    await house.desk().resolve({ principal: people.abe, decisionId, ...finding });
    await house.admin.query("update countersign.account set state = 'deactivated' where id = 'abe'");
    expect(await house.worker({ sample }).runOnce()).toMatchObject({ resolved: 0 });
    expect(await house.states(decisionId)).toEqual(["escalated"]);
    // It was taken in hand, and nobody else takes it up within that lease.
    house.aheadMs += 10_000;
    await resolve(decisionId, "happened");
    expect(await house.states(decisionId)).toEqual(["complete"]);
    await house.admin.query("update countersign.account set state = 'active' where id = 'abe'");
  });

  it("that it happened and cannot be seen keeps the key taken, and nobody says that it is done", async () => {
    const decisionId = await left("unseen", "arriving");
    await resolve(decisionId, "happened");
    expect(await house.states(decisionId)).toEqual(["escalated"]);
    const view = await house.desk().decision({ principal: ada, decisionId });
    expect(view.state).toBe("escalated");
    expect(view.effects[0]?.resolution).toMatchObject({ outcome: "happened", by: "amy", isDone: true });
    expect(await house.worker({ sample }).runOnce()).toMatchObject({ resolved: 0 });
  });

  it("that it did not happen frees the key, for a new signature and a new generation", async () => {
    const decisionId = await left("absent", "arriving");
    await resolve(decisionId, "not_happened");
    expect(await house.states(decisionId)).toEqual(["refused"]);
    expect((await house.story(decisionId)).at(-1)).toBe("refused found_not_applied");
    const again = await house.decide({ changes: [house.add("absent")] });
    await house.desk().approve({ principal: ada, decisionId: again });
    await house.worker({ sample }).runOnce();
    expect(await house.states(again)).toEqual(["complete"]);
    expect(await house.tickets("absent")).toHaveLength(1);
  });

  it("that it did not happen frees nothing where it can be seen that it did", async () => {
    const decisionId = await left("contradicted", "committed");
    await resolve(decisionId, "not_happened");
    expect(await house.states(decisionId)).toEqual(["escalated"]);
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({
      kind: "escalated",
      body: { reason: "resolution_contradicted" },
    });
  });
});
