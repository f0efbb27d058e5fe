import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { House, people } from "./acting/house.ts";
import type { Point } from "./acting/project.ts";
import { type ChildWorker, spawnWorker } from "./acting/spawn.ts";

let house: House;
const children: ChildWorker[] = [];
beforeAll(async () => {
  house = await House.build();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await house?.close();
});
beforeEach(() => {
  house.aheadMs = 0;
});

async function approved(name: string): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)] });
  await house.desk().approve({ principal: people.ada, decisionId });
  return decisionId;
}

async function haltedWorker(point: Point): Promise<ChildWorker> {
  const child = spawnWorker(house, point);
  children.push(child);
  await child.prints(`halted at ${point}`);
  return child;
}

describe("a worker that is killed between `applying` and `applied`", () => {
  it.each<[Point, number]>([
    ["before", 0],
    ["arriving", 0],
    ["committed", 1],
    ["observing", 1],
  ])("at the point `%s` is taken over when its lease is over, and the change is there once", async (point, rows) => {
    const name = `killed-${point}`;
    const decisionId = await approved(name);
    const child = await haltedWorker(point);
    await child.kill();
    expect(await house.tickets(name)).toHaveLength(rows);
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying"]);
    const worker = house.worker();
    expect(await worker.runOnce()).toMatchObject({ reconciled: 0 });
    // By the store's clock, so that it does not matter how long the test took until here.
    house.aheadMs += limits.operationLeaseMs + 100;
    expect(await worker.runOnce()).toMatchObject({ reconciled: 1 });
    // Where nothing is there it takes as long as a send may have been on its way until that is proof.
    house.aheadMs += 15_000;
    await worker.runOnce();
    expect(await house.tickets(name)).toHaveLength(1);
    expect(await house.states(decisionId)).toEqual(["complete"]);
    house.aheadMs = 120_000;
    await worker.runOnce();
    expect(await house.tickets(name)).toHaveLength(1);
  });
});

describe("a worker that is stopped in mid-call", () => {
  it("is overtaken, and its late write is fenced off when it wakes", async () => {
    const decisionId = await approved("stopped");
    const child = await haltedWorker("committed");
    child.process.kill("SIGSTOP");
    child.process.stdin.write("go\n");
    house.aheadMs = 16_000;
    await house.worker().runOnce();
    const story = await house.story(decisionId);
    expect(story).toEqual(["decided", "approved", "applying", "observed complete"]);
    child.process.kill("SIGCONT");
    await child.prints("fault fenced_off");
    await child.prints("round done");
    expect(await house.story(decisionId)).toEqual(story);
    expect(await house.tickets("stopped")).toHaveLength(1);
  });
});

describe("workers in processes of their own", () => {
  it("that find the same approvals in the same instant apply each once", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `process-${i}`);
    const decisions: string[] = [];
    for (const name of names) decisions.push(await approved(name));
    const workers = [1, 2, 3].map(() => spawnWorker(house, null));
    children.push(...workers);
    await Promise.all(workers.map((worker) => worker.prints("round done")));
    for (const name of names) expect(await house.tickets(name)).toHaveLength(1);
    for (const decisionId of decisions) expect(await house.states(decisionId)).toEqual(["complete"]);
  });
});

describe("a worker that was started", () => {
  it("finds new work by itself until it is stopped", async () => {
    const worker = house.worker();
    worker.start();
    const decisionId = await approved("by-itself");
    await expect.poll(() => house.states(decisionId), { timeout: 10_000 }).toEqual(["complete"]);
    await worker.stop();
    const afterwards = await approved("after-stop");
    expect(await house.states(afterwards)).toEqual([]);
  });
});
