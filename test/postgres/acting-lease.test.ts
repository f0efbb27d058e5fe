import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { renewLeases } from "../../src/act/operations.ts";
import { systemClock } from "../../src/store/clock.ts";
import { House, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

async function approved(name: string): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)] });
  await house.desk().approve({ principal: people.ada, decisionId });
  return decisionId;
}

/** A monotonic clock that a test moves on, as a process finds it that was stopped. */
function pausedClock() {
  let aheadMs = 0;
  const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + aheadMs };
  const pause = (ms: number): void => {
    aheadMs += ms;
  };
  return { clock, pause };
}

describe("a worker that lost its lease", () => {
  it("renews nothing that has ended meanwhile, and is told so instead of failing", async () => {
    const decisionId = await approved("ended");
    await house.worker().runOnce();
    const { rows } = await house.admin.query<{ id: string; fence: string }>(
      "select id, fence from countersign.operation where decision_id = $1",
      [decisionId],
    );
    const renewals = rows.map(({ id, fence }) => ({ id, fence: Number(fence), mayStillSendMs: 0 }));
    expect(renewals).toHaveLength(1);
    // As of a moment at which its lease still ran: the renewal began before the operation ended.
    const renewing = { tenant: "acme", now: 0, leaseMs: 5_000, renewals };
    expect(await house.acting.inTenant("acme", (tx) => renewLeases(tx, renewing))).toEqual(new Set());
  });

  it("cannot write any more: another took over while its call was under way, and what it says late is fenced off", async () => {
    const decisionId = await approved("overtaken");
    const faults: unknown[] = [];
    const second = house.worker();
    const first = house.worker({
      onError: (thrown) => faults.push(thrown),
      at: async (point) => {
        if (point !== "committed") return;
        house.aheadMs = 20_000;
        await second.runOnce();
      },
    });
    await first.runOnce();
    expect(faults).toMatchObject([{ code: "fenced_off" }]);
    expect(await house.tickets("overtaken")).toHaveLength(1);
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "observed complete"]);
  });

  it("renews before it sends when more than half of its lease is gone by its own clock", async () => {
    const decisionId = await approved("slow");
    const { clock, pause } = pausedClock();
    await house.worker({ clock, at: async (point) => (point === "before" ? pause(2_600) : undefined) }).runOnce();
    expect((await house.story(decisionId)).at(-1)).toBe("observed complete");
    expect(await house.tickets("slow")).toHaveLength(1);
  });

  it("sends nothing when its lease was over before it could be renewed", async () => {
    const decisionId = await approved("paused");
    const { clock, pause } = pausedClock();
    const paused = house.worker({
      clock,
      at: async (point) => {
        if (point !== "before") return;
        pause(7_600);
        house.aheadMs = 7_600;
      },
    });
    await paused.runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying"]);
    expect(await house.tickets("paused")).toEqual([]);
    house.aheadMs = 30_000;
    await house.worker().runOnce();
    expect(await house.tickets("paused")).toHaveLength(1);
    expect((await house.story(decisionId)).at(-1)).toBe("observed complete");
  });

  it("is taken over beside one that cannot be, which is reported and keeps nothing from the others", async () => {
    const decisions = [await approved("stuck-fence"), await approved("beside-it")];
    const lost = async (point: string) => {
      if (point === "observing") throw new Error("lost");
    };
    await house.worker({ at: lost }).runOnce();
    // No fence is higher than this one, so no worker can take the first over any more.
    const { rowCount } = await house.admin.query(
      "update countersign.operation set fence = 9223372036854775807 where decision_id = $1",
      [decisions[0]],
    );
    expect(rowCount).toBe(1);
    house.aheadMs = 20_000;
    const faults: unknown[] = [];
    expect(await house.worker({ onError: (thrown) => faults.push(thrown) }).runOnce()).toMatchObject({ reconciled: 1 });
    expect(faults).toMatchObject([{ code: "22003" }]);
    expect(await house.states(decisions[1] ?? "")).toEqual(["complete"]);
    expect(await house.states(decisions[0] ?? "")).toEqual(["applied"]);
  });

  it("never opens what was refused, nor turns a fence back", async () => {
    await approved("forbidden");
    // What cannot be taken over is due still, and is reported again.
    await house.worker({ onError: () => {} }).runOnce();
    const { rows } = await house.admin.query<{ id: string }>(
      "select id from countersign.operation where state = 'refused' limit 1",
    );
    const id = rows[0]?.id ?? "";
    const set = (values: { state?: "applying"; fence?: number }) =>
      house.acting.inTenant("acme", (tx) => tx.updateTable("operation").set(values).where("id", "=", id).execute());
    await expect(set({ state: "applying" })).rejects.toThrow(/is refused under fence/);
    await expect(set({ fence: 0 })).rejects.toThrow(/under fence/);
  });
});
