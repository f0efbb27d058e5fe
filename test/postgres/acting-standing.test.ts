import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { neverAutoPpm } from "../../src/contract/words.ts";
import { House, people } from "./acting/house.ts";
import { countScans } from "./acting/scans.ts";

// What was signed is measured again at the time of acting: thresholds that were revoked, and effects before that did not succeed.
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
afterEach(() => {
  house.aheadMs = 0;
});

const { ada, oda } = people;
const setSlice = (thresholdPpm: number, slice = "all") =>
  house.desk().openSlice({ principal: oda, capability: "tickets", slice, thresholdPpm });

async function threshold(slice: string): Promise<number | undefined> {
  const { rows } = await house.admin.query<{ threshold_ppm: number }>(
    "select threshold_ppm from countersign.slice where slice = $1",
    [slice],
  );
  return rows[0]?.threshold_ppm;
}

describe("a slice", () => {
  it("that was closed stays closed when a second worker comes to the older signature later", async () => {
    const opening = await setSlice(0, "closing");
    const closing = await setSlice(neverAutoPpm, "closing");
    // Holds the older approval, as a slow worker would, so that the newer one is answered first.
    const slow = await house.admin.connect();
    await slow.query("begin");
    await slow.query("select from countersign.approval where id = $1 for update", [opening.approvalIds[0]]);
    expect(await house.worker().runOnce()).toMatchObject({ slices: 1 });
    await slow.query("rollback");
    slow.release();
    expect(await house.worker().runOnce()).toMatchObject({ slices: 0, refused: 1 });
    expect(await threshold("closing")).toBe(neverAutoPpm);
    const { rows } = await house.admin.query<{ body: string }>(
      "select body from countersign.entry where kind = 'refused' and body like $1",
      [`%${opening.approvalIds[0]}%`],
    );
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([{ code: "approval_used", rule: "newer_threshold" }]);
    expect(closing.approvalIds).toHaveLength(1);
  });

  it("ends as signed last, however many workers take the signatures side by side", async () => {
    for (let thresholdPpm = 1; thresholdPpm <= 12; thresholdPpm += 1) await setSlice(thresholdPpm, "racing");
    await Promise.all(Array.from({ length: 4 }, () => house.worker().runOnce()));
    await house.worker().runOnce();
    expect(await threshold("racing")).toBe(12);
  });
});

describe("what policy has signed", () => {
  /** An automatic decision of two effects whose first was sent with unknown outcome. */
  async function halfDone(name: string): Promise<string> {
    await setSlice(0);
    await house.worker().runOnce();
    const decisionId = await house.decide({ changes: [house.add(name), house.closing(name)], route: "auto" });
    await house.worker({ at: failing("arriving") }).runOnce();
    expect(await house.states(decisionId)).toEqual(["unknown"]);
    return decisionId;
  }
  const failing = (broken: string) => async (point: string) => {
    if (point === broken) throw new Error("connection lost");
  };

  it("is not carried further once the owner has closed the slice", async () => {
    const decisionId = await halfDone("revoked");
    await setSlice(neverAutoPpm);
    await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ('revoked', 'n', 'open', 'late')");
    house.aheadMs = 1_000;
    const worker = house.worker();
    await worker.runOnce();
    await worker.runOnce();
    expect((await house.story(decisionId)).slice(-2)).toEqual(["observed complete", "refused policy_refuses"]);
    expect((await house.entries(decisionId)).at(-1)?.body).toMatchObject({ effectIndex: 1, rule: "slice_not_open" });
    expect(await house.tickets("revoked")).toMatchObject([{ status: "open" }]);
  });

  it("is not sent again once the threshold is above its confidence", async () => {
    const decisionId = await halfDone("raised");
    await setSlice(900_001);
    await house.worker().runOnce();
    house.aheadMs = 20_000;
    await house.worker().runOnce();
    expect(await house.tickets("raised")).toEqual([]);
    expect(await house.states(decisionId)).toEqual(["refused"]);
    expect((await house.entries(decisionId)).filter(({ kind }) => kind === "refused")[0]?.body).toMatchObject({
      rule: "below_threshold",
    });
  });
});

describe("an approval that must wait for the effect before it", () => {
  it("is not read and verified while that one is under way", async () => {
    const decisionId = await house.decide({ changes: [house.add("busy"), house.closing("busy")] });
    await house.desk().approve({ principal: ada, decisionId });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = () => {};
    const arriving = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const first = house.worker({
      at: async (point) => {
        if (point !== "arriving") return;
        arrived();
        await held;
      },
    });
    const round = first.runOnce();
    await arriving;
    // What has to be looked at of the new entries for other reasons, such as retention, was looked at before it is counted.
    await house.settled();
    await house.worker().runOnce();
    const { database, scans } = countScans(house.acting);
    expect(await house.worker({ database }).runOnce()).toMatchObject({ reserved: 0, refused: 0 });
    expect(scans.map(({ table }) => table)).toContain("approval");
    expect(scans.filter(({ table }) => table === "payload")).toEqual([]);
    release();
    await round;
    await house.worker().runOnce();
    expect(await house.tickets("busy")).toMatchObject([{ status: "closed" }]);
  });

  it("is refused at once when that one was refused", async () => {
    const decisionId = await house.decide({ changes: [house.add("forbidden"), house.closing("forbidden")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.worker().runOnce();
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({
      kind: "refused",
      body: { code: "precondition_failed", rule: "effect_before", effectIndex: 1 },
    });
  });

  it("is refused at once when a person was called for that one", async () => {
    const decisionId = await house.decide({ changes: [house.add("lost"), house.closing("lost")] });
    await house.desk().approve({ principal: ada, decisionId });
    const worker = house.worker({
      at: async (point) => {
        if (point !== "before") throw new Error("down");
      },
    });
    await worker.runOnce();
    for (house.aheadMs = 61_000; house.aheadMs < 120_000; house.aheadMs += 30_000) await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["escalated"]);
    expect((await house.story(decisionId)).at(-1)).toBe("refused precondition_failed");
    const view = await house.desk().decision({ principal: ada, decisionId });
    expect(view).toMatchObject({ state: "escalated", effects: [{ state: "escalated" }, { state: "not_started" }] });
  });
});
