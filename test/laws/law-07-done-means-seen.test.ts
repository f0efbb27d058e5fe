import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { House, people } from "../postgres/acting/house.ts";
import { type AtPoint, sampleProject } from "../postgres/acting/project.ts";

// Law 7: done means seen. Success is said only after a separate read matched; a time-out is unknown, and is looked for before
// anything is sent again.
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const stateOf = async (decisionId: string) => (await house.desk().decision({ principal: people.erin, decisionId })).state;

async function approved(name: string): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)] });
  await house.desk().approve({ principal: people.ada, decisionId });
  return decisionId;
}

/** Changes the row behind the target's back as soon as the target has said yes. */
const lying =
  (name: string, change: string): AtPoint =>
  async (point) => {
    if (point === "committed") await house.admin.query(`${change} where name = $1`, [name]);
  };

describe("law 7: done means seen", () => {
  test.each([
    ["nothing is there", "delete from sandbox.ticket", "incomplete"],
    ["something else is there", "update sandbox.ticket set note = 'other'", "incomplete"],
  ])("a target that says yes while %s is not believed", async (what, change, verdict) => {
    const decisionId = await approved(what);
    await house.worker({ at: lying(what, change) }).runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "applied", `observed ${verdict}`]);
    expect(await stateOf(decisionId)).toBe("incomplete");
  });

  test("what is seen later is done then, not before", async () => {
    const decisionId = await approved("later");
    const worker = house.worker({ at: lying("later", "update sandbox.ticket set status = 'draft'") });
    await worker.runOnce();
    expect(await stateOf(decisionId)).toBe("incomplete");
    await house.admin.query("update sandbox.ticket set status = 'open' where name = 'later'");
    house.aheadMs = 5_000;
    await worker.runOnce();
    expect(await stateOf(decisionId)).toBe("done");
  });

  test.each([
    ["arriving", ["arriving", "committed"]],
    ["committed", []],
  ] as const)("a time-out at `%s` is unknown, and is looked for before anything is sent again", async (slow, afterwards) => {
    const sample = sampleProject({ timeoutMs: 1_000 });
    const name = `timed-out-${slow}`;
    const decisionId = await house.decide({ changes: [{ ...house.add(name), effect: sample.add as never }] });
    await house.desk({ project: sample.project }).approve({ principal: people.ada, decisionId });
    const passed: string[] = [];
    const worker = house.worker({
      sample,
      at: (point, signal) => {
        const isFirst = !passed.includes(point);
        passed.push(point);
        if (point !== slow || !isFirst) return Promise.resolve();
        return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
      },
    });
    await worker.runOnce();
    expect(await stateOf(decisionId)).toBe("unknown");
    expect(passed.at(-1)).toBe(slow);
    const sentBefore = passed.length;
    house.aheadMs = 6_000;
    await worker.runOnce();
    const later: readonly string[] = passed.slice(sentBefore);
    // Operations of the tests above are looked at too, so looks are not counted; the first thing done is one.
    expect(later[0]).toBe("observing");
    expect(later.filter((point) => point !== "observing")).toEqual(afterwards);
    expect(await house.tickets(name)).toHaveLength(1);
  });

  test("every `complete` in the ledger carries what was expected and what was seen", async () => {
    const decisionId = await approved("evidence");
    await house.worker().runOnce();
    const seen = (await house.entries(decisionId)).find(({ body }) => body["verdict"] === "complete");
    expect(Object.keys(Object(seen?.body["commitments"])).sort()).toEqual(["expected", "observed"]);
    expect(await stateOf(decisionId)).toBe("done");
  });
});
