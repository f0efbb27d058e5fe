import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { readDecision } from "../../src/ledger/read.ts";
import { type CaseHouse, openCaseHouse } from "../postgres/cases/house.ts";
import { allCases } from "../postgres/cases/steps.ts";

// A decision that a step of a case wants knows of it: which case and step, who handed the task on, who owns it.
let house: CaseHouse;
beforeAll(async () => {
  house = await openCaseHouse(allCases);
  await house.openSlice(house.openWorker());
  await house.openDecider();
  house.openWorker().start();
});
afterAll(() => house?.close());

describe("a decision of a case", () => {
  it("has the step of the workflow in its runtime context, and keeps it", async () => {
    const { id } = await house.start("graded", { texts: ["poor", "good"] });
    const view = await house.until(id, ({ state }) => state === "ended");
    const keys = payloadKeys(house.common.payloadKey, undefined, house.deciding);
    const around = await Promise.all(
      view.moves
        .flatMap(({ decisionId }) => decisionId ?? [])
        .map((decisionId) => house.deciding.inSnapshot("acme", (tx) => readDecision({ tx, tenant: "acme", decisionId, keys }))),
    );
    expect(around.map((story) => story?.outcome.bodies["runtime"])).toEqual(
      [
        ["draft", null],
        ["grade", "draft"],
        ["draft", "grade"],
        ["grade", "draft"],
      ].map(([step, handedFrom]) => ({
        ...{ session: null, openApprovals: null, region: null, flags: [] },
        workflow: { caseId: id, case: "graded", step, handedFrom, owner: expect.any(String) },
      })),
    );
  });
});
