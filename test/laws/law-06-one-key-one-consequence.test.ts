import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { House, people } from "../postgres/acting/house.ts";
import type { AtPoint, Point } from "../postgres/acting/project.ts";

// Law 6 (first form): one business key, one consequence. The sandbox has no constraint of its own, so every double shows as a row.
// (Workers that are killed or stopped in mid-call: test/postgres/acting-crash.test.ts.)
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

async function approved(name: string, note = "n"): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name, note)] });
  await house.desk().approve({ principal: people.ada, decisionId });
  return decisionId;
}

/** Works until long after every deadline, as often as a restless operator would. */
async function workForLong(at: AtPoint): Promise<void> {
  const workers = [house.worker({ at, onError: () => {} }), house.worker({ at, onError: () => {} })];
  for (house.aheadMs = 0; house.aheadMs < 100_000; house.aheadMs += 4_000)
    await Promise.all(workers.map((worker) => worker.runOnce()));
}

describe("law 6: an operation is never applied twice", () => {
  test.each<[Point, number]>([
    ["committed", 1],
    ["committed", 2],
    ["arriving", 1],
    ["arriving", 2],
    ["observing", 1],
    ["observing", 3],
  ])("when the point `%s` fails %i times", async (broken, times) => {
    const name = `${broken}-${times}`;
    await approved(name);
    let left = times;
    await workForLong(async (point) => {
      if (point !== broken || left === 0) return;
      left -= 1;
      throw new Error("connection lost");
    });
    expect(left).toBe(broken === "committed" ? times - 1 : 0);
    expect(await house.tickets(name)).toHaveLength(1);
  });

  test("when a change that was sent shows late, within the settle time", async () => {
    const decisionId = await approved("late");
    let sends = 0;
    const worker = house.worker({
      at: async (point) => {
        if (point !== "arriving") return;
        sends += 1;
        if (sends === 1) throw new Error("no answer yet; it is still on its way");
      },
    });
    await worker.runOnce();
    await worker.runOnce();
    await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ('late', 'n', 'open', 'arrived late')");
    house.aheadMs = 6_000;
    await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["complete"]);
    expect(await house.tickets("late")).toMatchObject([{ sent: "arrived late" }]);
  });

  test("when the same key is approved four times in the same instant, by two workers", async () => {
    for (let i = 0; i < 4; i += 1) await approved("quadruple");
    await Promise.all([house.worker().runOnce(), house.worker().runOnce()]);
    await house.worker().runOnce();
    expect(await house.tickets("quadruple")).toHaveLength(1);
  });

  test("when the same key is asked for with other params, whichever is second is refused", async () => {
    const decisions = [await approved("amount", "10"), await approved("amount", "1000")];
    await Promise.all([house.worker().runOnce(), house.worker().runOnce()]);
    await house.worker().runOnce();
    expect(await house.tickets("amount")).toHaveLength(1);
    const ends = await Promise.all(decisions.map(async (decisionId) => (await house.story(decisionId)).at(-1)));
    expect(ends.sort()).toEqual(["observed complete", "refused key_conflict"]);
  });
});
