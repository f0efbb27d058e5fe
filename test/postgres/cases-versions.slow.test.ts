import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AnyCase } from "../../src/contract/case.ts";
import type { Worker } from "../../src/worker.ts";
import { type CaseHouse, movesOf, openCaseHouse, people } from "./cases/house.ts";
import { first, over, second } from "./cases/versions.ts";

let house: CaseHouse;
let worker: Worker;
beforeEach(async () => {
  house = await openCaseHouse([first()]);
  await house.openDecider();
  worker = house.openWorker();
  worker.start();
});
afterEach(async () => {
  expect(house.faults).toEqual([]);
  await house.close();
});

const isEnded = ({ state }: { state: string }) => state === "ended";
const isMade = ({ waitsFor }: { waitsFor: { kind: string; decisionId?: string | null } | null }) =>
  waitsFor?.kind === "decision" && waitsFor.decisionId !== null;
const go = (id: string) => house.desk.cases.tell({ principal: people.wes, id, event: "go", body: {}, key: null });

/** Another version is deployed: desk and worker are new, the old worker is gone. */
async function deploy(cases: readonly AnyCase[]) {
  await worker.stop();
  worker = house.openWorker(cases);
  worker.start();
  return house.openDesk(cases);
}

async function sign(id: string): Promise<string> {
  const { waitsFor } = await house.until(id, isMade);
  const decisionId = (waitsFor?.kind === "decision" ? waitsFor.decisionId : null) ?? "";
  await house.desk.approve({ principal: people.ada, decisionId });
  return decisionId;
}

describe("a case that runs while its next version is deployed", () => {
  it("finishes on its own definition, while what is started then runs on the new one", async () => {
    const { id } = await house.start("course", { name: "a" });
    await go(id);
    await house.until(id, isMade);
    const desk = await deploy([second(), first(true)]);
    const newer = await house.start("course", { name: "b" }, null, desk);
    expect(newer.version).toBe("2");
    await sign(id);
    await house.until(id, ({ step }) => step === "rest");
    await go(id);
    const old = await house.until(id, isEnded);
    expect([old.version, old.outcome, old.data]).toEqual(["1", "old", { name: "a" }]);
    await desk.cases.tell({ principal: people.wes, id: newer.id, event: "go", body: {}, key: null });
    await sign(newer.id);
    await house.until(newer.id, ({ step }) => step === "pause");
    await desk.cases.tell({ principal: people.wes, id: newer.id, event: "go", body: {}, key: null });
    expect((await house.until(newer.id, isEnded)).outcome).toBe("new");
  });

  it("is taken over by a written step where it waits, though the old definition is gone", async () => {
    const { id } = await house.start("course", { name: "a" });
    await house.until(id, ({ step, waitsFor }) => step === "wait" && waitsFor?.kind === "event");
    await deploy([second(over)]);
    const taken = await house.until(id, ({ version }) => version === "2");
    expect([movesOf(taken), taken.data]).toEqual([["wait", "migrated wait"], { name: "a", source: "taken over" }]);
    await go(id);
    await sign(id);
    await house.until(id, ({ step }) => step === "pause");
    await go(id);
    expect((await house.until(id, isEnded)).outcome).toBe("new");
  });

  it("is taken over at another step, which is entered then", async () => {
    const { id } = await house.start("course", { name: "a" });
    await go(id);
    await sign(id);
    await house.until(id, ({ step }) => step === "rest");
    await deploy([second(over)]);
    await house.until(id, ({ step }) => step === "pause");
    await go(id);
    const view = await house.until(id, isEnded);
    expect(movesOf(view).slice(-2)).toEqual(["migrated pause", "pause -event:go-> new_end"]);
  });

  it("keeps the decision that somebody may be signing: it is taken over with it, and none is asked for again", async () => {
    const { id } = await house.start("course", { name: "a" });
    await go(id);
    const before = await house.until(id, isMade);
    await deploy([second(over)]);
    const taken = await house.until(id, ({ version }) => version === "2");
    expect(taken.waitsFor).toEqual(before.waitsFor);
    await sign(id);
    await house.until(id, ({ step }) => step === "pause");
    expect(await house.lines("a")).toEqual(["risky"]);
    expect(await house.rows("select 1 from countersign.wanted")).toHaveLength(1);
  });

  it("is not taken away from a decision that is under way: it goes on as it was, and is taken over after that", async () => {
    const { id } = await house.start("course", { name: "a" });
    await go(id);
    await house.until(id, isMade);
    // The written step would put it elsewhere, and a person could still sign what nobody waits for any more.
    const away = second((moved) => over({ ...moved, step: moved.step === "sign" ? "rest" : moved.step }));
    await deploy([away, first(true)]);
    await house.rows("select 1");
    const still = await house.until(id, isMade);
    expect([still.version, still.step]).toEqual(["1", "sign"]);
    await sign(id);
    const view = await house.until(id, ({ version }) => version === "2");
    expect(movesOf(view).slice(-2)).toEqual(["sign -done-> rest", "migrated pause"]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("a fault of the written step");
      },
    ],
    ["gives data that do not fit", ({ step }: { step: string }) => ({ step, data: { name: 4 } })],
    ["names a step that is none", ({ data }: { data: unknown }) => ({ step: "nowhere", data: data as null })],
  ])("finishes on its own definition where the written step %s, and its owner is told", async (_what, step) => {
    const { id } = await house.start("course", { name: "a" });
    await house.until(id, ({ waitsFor }) => waitsFor?.kind === "event");
    await deploy([second(step), first(true)]);
    await house.until(id, ({ code }) => code === "migration_failed");
    await go(id);
    const view = await house.until(id, isMade);
    expect([view.version, view.step]).toEqual(["1", "sign"]);
    const told = await house.rows("select distinct to_name from countersign.notice where case_id = $1", [id]);
    expect(told).toEqual([{ to_name: "office" }]);
  });

  it("is left alone by a worker that does not know its version, and moved by one that does", async () => {
    const desk = house.openDesk([second(), first(true)]);
    const { id } = await house.start("course", { name: "a" }, null, desk);
    const other = await house.start("course", { name: "b" });
    await house.until(other.id, ({ waitsFor }) => waitsFor?.kind === "event");
    expect((await house.until(id, () => true)).moves).toEqual([]);
    house.openWorker([second(), first(true)]).start();
    await house.until(id, ({ waitsFor }) => waitsFor?.kind === "event");
  });
});
