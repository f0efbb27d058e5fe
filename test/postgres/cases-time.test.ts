import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { type CaseHouse, movesOf, openCaseHouse, people } from "./cases/house.ts";
import { allCases } from "./cases/steps.ts";

// Nobody works in the background: cases are looked at when the test says so.
let house: CaseHouse;
let worker: Worker;
beforeEach(async () => {
  house = await openCaseHouse(allCases);
  worker = house.openWorker();
});
afterEach(async () => {
  expect(house.faults).toEqual([]);
  await house.close();
});

const dayMs = 24 * 60 * 60 * 1000;
const arrived = (id: string) =>
  house.desk.cases.tell({ principal: people.wes, id, event: "arrived", body: { shelf: "B4" }, key: null });
const moves = async (id: string) => movesOf(await house.desk.cases.one({ principal: people.aud, id }));

describe("an event and a time", () => {
  it("are taken in the order in which they came, however late a worker looks", async () => {
    const [inTime, late] = [await house.start("parcel", { name: "a" }), await house.start("parcel", { name: "b" })];
    expect(await worker.runOnce()).toMatchObject({ moved: 2 });
    house.time.aheadMs += 2 * dayMs;
    await arrived(inTime.id);
    house.time.aheadMs += 2 * dayMs;
    await arrived(late.id);
    await worker.runOnce();
    expect(await moves(inTime.id)).toEqual(["wait", "wait -event:arrived-> agree"]);
    expect(await moves(late.id)).toEqual(["wait", "wait -time-> late"]);
  });

  it("move nothing twice: a round after the last one makes no move", async () => {
    const { id } = await house.start("parcel", { name: "a" });
    await arrived(id);
    expect(await worker.runOnce()).toMatchObject({ moved: 2 });
    expect(await worker.runOnce()).toMatchObject({ moved: 0 });
    expect(await moves(id)).toHaveLength(2);
  });
});
