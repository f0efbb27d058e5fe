import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AnyCase } from "../../src/contract/case.ts";
import type { CaseView } from "../../src/contract/case-view.ts";
import { openCaseHelpdesk } from "../../test/setup/case-helpdesk.ts";
import { hardwareReplacement } from "./cases/hardware-replacement.ts";
import { sentences } from "./sentences.ts";

let helpdesk: Awaited<ReturnType<typeof openCaseHelpdesk>>;
beforeEach(async () => {
  helpdesk = await openCaseHelpdesk();
});
afterEach(async () => {
  expect(helpdesk?.faults).toEqual([]);
  await helpdesk?.close();
});

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const at = (step: string) => (view: CaseView) => view.step === step;
const isEnded = ({ state }: CaseView) => state === "ended";
const stepsOf = ({ moves }: CaseView) => moves.filter(({ kind }) => kind === "entered").map(({ step }) => step);

async function start(desk = helpdesk.desk): Promise<string> {
  const { mira } = helpdesk;
  const asked = { principal: mira, case: "hardware_replacement", key: null, input: { text: sentences.laptopByPerson } };
  return (await desk.cases.start(asked)).view.id;
}

/** The decision that waits for the IT lead. */
async function waiting(id: string): Promise<string> {
  const { waitsFor } = await helpdesk.until(id, ({ waitsFor }) => waitsFor?.kind === "decision" && waitsFor.decisionId !== null);
  return (waitsFor?.kind === "decision" ? waitsFor.decisionId : null) ?? "";
}

async function order(id: string): Promise<void> {
  await helpdesk.desk.approve({ principal: helpdesk.jonas, decisionId: await waiting(id) });
  await helpdesk.until(id, at("delivery"));
}

const tell = (id: string, event: string, body: unknown) =>
  helpdesk.desk.cases.tell({ principal: helpdesk.jonas, id, event, body, key: null });

describe("the replacement of a device over five days", () => {
  it("is ordered when the IT lead has signed, delivered on the second day, and closed on the fourth", async () => {
    const id = await start();
    await order(id);
    helpdesk.time.aheadMs += 2 * dayMs;
    await tell(id, "delivered", { parcel: "PX-7" });
    await helpdesk.until(id, at("return"));
    helpdesk.time.aheadMs += 2 * dayMs;
    await tell(id, "returned", { condition: "whole" });
    const view = await helpdesk.until(id, isEnded);
    expect(stepsOf(view)).toEqual(["order", "delivery", "return", "tell", "closed"]);
    expect(view).toMatchObject({ outcome: "closed", isFailure: false, data: { parcel: "PX-7", condition: "whole" } });
    expect(await helpdesk.told(id)).toEqual([]);
    // The last step told Mira the state of her ticket, by a rule over its record.
    const decisionId = view.moves.at(-1)?.decisionId ?? "";
    const told = await helpdesk.desk.decision({ principal: helpdesk.mira, decisionId });
    expect(told).toMatchObject({ state: "answered", capability: "ticket_state", model: "none" });
    expect(told.claims.map(({ text }) => text).join(" ")).toContain("Halden Book 14");
  });

  it("chases a late parcel, reminds of the old device on the fifth day, and tells each owner once", async () => {
    const id = await start();
    await order(id);
    helpdesk.time.aheadMs += 3 * dayMs + hourMs;
    await helpdesk.until(id, at("chase"));
    helpdesk.time.aheadMs += dayMs + hourMs;
    await helpdesk.until(id, ({ state }) => state === "escalated");
    expect(await helpdesk.told(id)).toEqual(["depot"]);
    await tell(id, "delivered", { parcel: "PX-8" });
    await helpdesk.until(id, at("return"));
    helpdesk.time.aheadMs += dayMs;
    await helpdesk.until(id, at("remind"));
    helpdesk.time.aheadMs += dayMs + hourMs;
    await helpdesk.until(id, ({ state }) => state === "escalated");
    expect(await helpdesk.told(id)).toEqual(["depot", "service-desk"]);
    await tell(id, "returned", { condition: "damaged" });
    const view = await helpdesk.until(id, isEnded);
    expect(stepsOf(view)).toEqual(["order", "delivery", "chase", "return", "remind", "tell", "closed"]);
  });

  it("ends where the IT lead says no, with nothing ordered", async () => {
    const id = await start();
    await helpdesk.desk.reject({ principal: helpdesk.jonas, decisionId: await waiting(id), reason: "wait for the new model" });
    expect(await helpdesk.until(id, isEnded)).toMatchObject({ outcome: "declined", isFailure: false });
  });

  it("is not moved by who started it, nor by whom nothing may be told by", async () => {
    const id = await start();
    await order(id);
    const told = { id, event: "delivered", body: { parcel: "PX-9" }, key: null };
    await expect(helpdesk.desk.cases.tell({ principal: helpdesk.mira, ...told })).rejects.toMatchObject({ code: "forbidden" });
    await expect(helpdesk.desk.cases.tell({ principal: helpdesk.sanna, ...told })).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("another version of it, deployed while one runs", () => {
  const next: AnyCase = {
    ...hardwareReplacement,
    version: "2",
    steps: { ...hardwareReplacement.steps, closed: { kind: "end", outcome: "closed_and_thanked" } },
  };

  it("is for those that start then: this one finishes on its own", async () => {
    const id = await start();
    await order(id);
    await helpdesk.deploy([next, { ...hardwareReplacement, isRetired: true }]);
    await tell(id, "delivered", { parcel: "PX-7" });
    await helpdesk.until(id, at("return"));
    await tell(id, "returned", { condition: "whole" });
    expect(await helpdesk.until(id, isEnded)).toMatchObject({ version: "1", outcome: "closed" });
  });

  it("takes this one over by a written step, in the midst of its wait", async () => {
    const id = await start();
    await order(id);
    await helpdesk.deploy([{ ...next, migrate: [{ from: "1", step: (moved) => moved }] }]);
    const taken = await helpdesk.until(id, ({ version }) => version === "2");
    expect([taken.step, taken.moves.at(-1)?.kind]).toEqual(["delivery", "migrated"]);
    // The three days of its wait are those that it began with.
    helpdesk.time.aheadMs += 3 * dayMs + hourMs;
    await helpdesk.until(id, at("chase"));
    await tell(id, "delivered", { parcel: "PX-7" });
    await helpdesk.until(id, at("return"));
    await tell(id, "returned", { condition: "whole" });
    expect(await helpdesk.until(id, isEnded)).toMatchObject({ version: "2", outcome: "closed_and_thanked" });
  });
});
