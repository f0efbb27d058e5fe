import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { limits } from "../../src/contract/limits.ts";
import { defineCase } from "../../src/define/case.ts";
import { type CaseHouse, openCaseHouse, people } from "../postgres/cases/house.ts";
import { counting } from "../postgres/cases/steps.ts";
import { unkeepable } from "./unkeepable.ts";

// Cases whose state holds what JSON cannot keep, or would grow for ever.
const careless = defineCase({
  ...{ name: "careless", version: "1", owner: "office", description: "Keeps whatever it is told.", openTo: ["clerk"] },
  input: z.strictObject({ begins: z.string(), value: z.unknown().optional() }),
  data: z.strictObject({ value: z.unknown().optional() }),
  begin: ({ input }) => ({ value: unkeepable.find(([what]) => what === input.begins)?.[1] }),
  events: { take: { body: z.strictObject({ value: z.unknown() }), by: ["clerk"] } },
  start: "wait",
  steps: {
    wait: { kind: "wait", events: ["take"], to: ["taken"], next: ({ event }) => ({ to: "taken", data: { value: event?.body } }) },
    taken: { kind: "end", outcome: "taken" },
  },
});

let house: CaseHouse;
beforeAll(async () => {
  house = await openCaseHouse([careless, counting]);
  house.openWorker().start();
});
afterAll(async () => {
  const { faults } = house;
  await house.close();
  expect(faults).toEqual([]);
});

const waits = ({ waitsFor }: { waitsFor: { kind: string } | null }) => waitsFor?.kind === "event";

describe("what JSON cannot keep", () => {
  it("is refused in an input and in an event, with a code, and the case stands as it was", async () => {
    const { id } = await house.start("careless", { begins: "nothing" });
    await house.until(id, waits);
    for (const [what, value] of unkeepable) {
      await expect(house.start("careless", { begins: "nothing", value }), what).rejects.toMatchObject({ code: "bad_text" });
      const told = house.desk.cases.tell({ principal: people.cora, id, event: "take", body: { value }, key: null });
      await expect(told, what).rejects.toMatchObject({ code: "bad_text" });
    }
    expect(await house.until(id, waits)).toMatchObject({ state: "running", step: "wait", data: {} });
    const { rows } = await house.owner.query("select count(*)::int as n from countersign.case_run where case_name = 'careless'");
    expect(rows).toEqual([{ n: 1 }]);
  });

  it.each(unkeepable)("that a definition makes of its own data leaves the case to its owner, with a code: %s", async (begins) => {
    const { id } = await house.start("careless", { begins });
    const view = await house.until(id, ({ state }) => state === "escalated");
    expect(["unserialisable", "definition_invalid"]).toContain(view.code);
    expect(JSON.stringify(view)).not.toMatch(/unable to serialize|\[object|2026-03-02T|8200000/i);
  });
});

describe("a case that goes round and round", () => {
  it("enters as many steps as it may and is then left to its owner: it never grows for ever", async () => {
    const { id } = await house.start("counting", {});
    await house.until(id, waits);
    await house.owner.query("update countersign.case_run set n = $2 where id = $1", [id, limits.caseSteps - 1]);
    const add = () => house.desk.cases.tell({ principal: people.wes, id, event: "add", body: { by: 1 }, key: null });
    await add();
    await house.until(id, ({ moves }) => moves.length === 2);
    expect(await house.until(id, waits)).toMatchObject({ state: "running", data: { sum: 1 } });
    await add();
    expect(await house.until(id, ({ state }) => state === "escalated")).toMatchObject({ code: "too_large", data: { sum: 2 } });
  });
});
