import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { House, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

const { ada, abe, erin, gus, oda } = people;

describe("a person approves", () => {
  it("and the effect is applied, seen, and only then done", async () => {
    const decisionId = await house.decide({ changes: [house.add("one")] });
    const desk = house.desk();
    expect((await desk.reviews({ principal: ada })).map((view) => view.id)).toContain(decisionId);
    await desk.approve({ principal: ada, decisionId });
    expect(await house.tickets("one")).toEqual([]);
    const counts = await house.worker().runOnce();
    expect(counts).toMatchObject({ reserved: 1, refused: 0 });
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "applied", "observed complete"]);
    expect(await house.tickets("one")).toMatchObject([{ note: "n", status: "open" }]);
    const view = await desk.decision({ principal: erin, decisionId });
    expect(view).toMatchObject({ state: "done", effects: [{ verdict: "complete", approvedBy: "ada", approverKind: "person" }] });
  });
});
