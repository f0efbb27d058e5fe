import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type AllowLists, everything } from "../../src/contract/principal.ts";
import type { Decider } from "../../src/decider.ts";
import { readDecision } from "../../src/ledger/read.ts";
import { House, people } from "./acting/house.ts";
import { sampleProject } from "./acting/project.ts";

// What went wrong is undone by an effect of its own: decided, signed and seen like every other.
let house: House;
let decider: Decider | null = null;
const sample = sampleProject({
  isCompensable: true,
  recovery: {
    maxSends: 5,
    partial: [{ name: "other words", holds: (seen) => seen?.["note"] === "spoilt", means: "compensate" }],
  },
});
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});
afterEach(async () => {
  await decider?.close();
  decider = null;
});

const { ada, amy } = people;

/** A change that the target makes otherwise than it was asked. */
async function spoilt(name: string, deciding: { allow?: AllowLists } = {}): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)], ...deciding });
  await house.desk({ project: sample.project }).approve({ principal: ada, decisionId });
  const worker = house.worker({
    sample,
    at: async (point) => {
      if (point === "committed") await house.admin.query("update sandbox.ticket set note = 'spoilt' where name = $1", [name]);
    },
  });
  await worker.runOnce();
  expect(await house.states(decisionId)).toEqual(["compensating"]);
  return decisionId;
}

/** Works until a deciding process has made the decision that is wanted, and returns it. */
async function undoingOf(decisionId: string): Promise<string> {
  decider ??= await house.decider(sample);
  const worker = house.worker({ sample });
  return vi.waitFor(
    async () => {
      house.aheadMs += 1_000;
      await worker.runOnce();
      const { rows } = await house.admin.query<{ made: string | null }>(
        "select w.decision_id as made from countersign.wanted w join countersign.entry e on e.id = w.cause where e.decision_id = $1",
        [decisionId],
      );
      const made = rows[0]?.made;
      if (made == null) throw new Error("nothing was decided yet");
      return made;
    },
    { timeout: 15_000, interval: 50 },
  );
}

/** Works until the first operation stands so. */
async function until(decisionId: string, state: string): Promise<void> {
  const worker = house.worker({ sample });
  await vi.waitFor(
    async () => {
      house.aheadMs += 31_000;
      await worker.runOnce();
      expect((await house.states(decisionId))[0]).toBe(state);
    },
    { timeout: 15_000, interval: 50 },
  );
}

describe("a change that went wrong and says how it is undone", () => {
  it("is undone for somebody whose allow-lists name the change alone", async () => {
    const decisionId = await spoilt("limited", { allow: { ...everything, effects: ["add_ticket"] } });
    const undoing = await undoingOf(decisionId);
    const desk = house.desk({ project: sample.project });
    expect(await desk.decision({ principal: ada, decisionId: undoing })).toMatchObject({ state: "waiting" });
    await desk.approve({ principal: amy, decisionId: undoing });
    await until(decisionId, "compensated");
  });

  it.each<[string, { readonly allow?: string; readonly state?: string }]>([
    ["whose account names the change alone", { allow: JSON.stringify({ ...everything, effects: ["add_ticket"], records: [] }) }],
    ["who is gone by then, where a person signs it", { state: "deactivated" }],
  ])("is undone for somebody %s", async (what, { allow = JSON.stringify(everything), state = "active" }) => {
    const change = (values: readonly string[]) =>
      house.admin.query("update countersign.account set allow = $1, state = $2 where id = 'erin'", [...values]);
    const decisionId = await spoilt(what);
    await change([allow, state]);
    const undoing = await undoingOf(decisionId);
    await house.desk({ project: sample.project }).approve({ principal: amy, decisionId: undoing });
    await until(decisionId, "compensated");
    await change([JSON.stringify(everything), "active"]);
  });

  it("is undone by a decision of its own, which waits for its own signature, and frees its key when that is seen", async () => {
    const decisionId = await spoilt("undone");
    const undoing = await undoingOf(decisionId);
    const story = await house.desk({ project: sample.project }).decision({ principal: ada, decisionId: undoing });
    const first = await house.desk({ project: sample.project }).decision({ principal: ada, decisionId });
    expect(first).toMatchObject({ state: "compensating", effects: [{ state: "compensating" }] });
    expect(story).toMatchObject({ state: "waiting", capability: "undo.add_ticket", requestedBy: "erin", follows: decisionId });
    expect(await house.tickets("undone")).toMatchObject([{ status: "open" }]);
    await house.desk({ project: sample.project }).approve({ principal: amy, decisionId: undoing });
    await until(decisionId, "compensated");
    expect(await house.tickets("undone")).toMatchObject([{ status: "closed" }]);
    const entries = await house.entries(decisionId);
    expect(entries.at(-1)).toMatchObject({ kind: "compensated", body: { by: undoing } });
    // The key is free, and the next operation under it is another generation with another idempotency key.
    const again = await house.decide({
      changes: [{ ...house.add("undone", "again"), before: { note: "spoilt", status: "closed" } }],
    });
    await house.desk({ project: sample.project }).approve({ principal: ada, decisionId: again });
    await house.worker({ sample }).runOnce();
    const begun = (await house.entries(again)).find(({ kind }) => kind === "applying");
    expect(begun?.body).toMatchObject({ generation: 2 });
  });

  it("goes to a person where the undoing is rejected, and its key stays frozen", async () => {
    const decisionId = await spoilt("kept");
    const undoing = await undoingOf(decisionId);
    await house.desk({ project: sample.project }).reject({ principal: amy, decisionId: undoing, reason: "leave it" });
    await until(decisionId, "escalated");
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({
      kind: "escalated",
      body: { reason: "compensation_rejected", by: undoing },
    });
  });

  it("is wanted once, however many workers look at it", async () => {
    const decisionId = await spoilt("once");
    const workers = [house.worker({ sample }), house.worker({ sample }), house.worker({ sample })];
    for (const _ of [1, 2, 3]) {
      house.aheadMs += 6_000;
      await Promise.all(workers.map((worker) => worker.runOnce()));
    }
    const { rows } = await house.admin.query(
      "select 1 from countersign.wanted w join countersign.entry e on e.id = w.cause where e.decision_id = $1",
      [decisionId],
    );
    expect(rows).toHaveLength(1);
    const read = await house.acting.inTenant("acme", (tx) => readDecision({ tx, tenant: "acme", decisionId, keys: house.keys }));
    expect(read?.following.at(-1)?.body).toMatchObject({ verdict: "incomplete", next: "compensate", reason: "partial_state" });
  });
});
