import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type CaseRunner, createCaseRunner } from "../../src/act/cases/runner.ts";
import { defineCase } from "../../src/define/case.ts";
import { type PayloadKeys, payloadKeys } from "../../src/ledger/payload.ts";
import { takeWanted } from "../../src/ledger/wanted.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { type CaseHouse, openCaseHouse, people } from "./cases/house.ts";

// A case takes days. What it has decided, it has decided for its starter as that one is by then.
const none = z.strictObject({});
const later = defineCase({
  ...{ name: "later", version: "1", owner: "office", description: "Waits, then has a text graded.", openTo: ["clerk"] },
  ...{ input: none, data: none, begin: () => ({}), start: "wait" },
  events: { go: { body: none, by: ["warehouse"] } },
  steps: {
    wait: { kind: "wait", events: ["go"], to: ["grade"], next: () => ({ to: "grade" }) },
    grade: {
      kind: "decide",
      capability: "grade",
      to: ["ended"],
      inputs: () => ({ text: "GOOD" }),
      next: () => ({ to: "ended" }),
    },
    ended: { kind: "end", outcome: "ended" },
  },
});

let house: CaseHouse;
let keys: PayloadKeys;
let runner: CaseRunner;
beforeEach(async () => {
  house = await openCaseHouse([later]);
  keys = payloadKeys(house.common.payloadKey);
  const { acting: database, faults, storeTime } = house;
  const onError = (thrown: unknown) => void faults.push(thrown);
  const common = { rules: shippedPolicy.cases, ids: house.common.ids, rolesFrom: "account" } as const;
  runner = createCaseRunner({ ...common, cases: [later], database, keys, storeTime, onError });
});
afterEach(async () => {
  expect(house.faults).toEqual([]);
  await house.close();
});

const see = (id: string) => house.desk.cases.one({ principal: people.aud, id });
const begun = async () => {
  const { id } = await house.start("later", {});
  await runner.round();
  expect(await see(id)).toMatchObject({ state: "running", step: "wait" });
  return id;
};
const go = (id: string) => house.desk.cases.tell({ principal: people.wes, id, event: "go", body: {}, key: null });
const change = (to: string) => house.owner.query(`update countersign.account set ${to} where tenant = 'acme' and id = 'cora'`);
const wanted = async () => {
  const taken = await house.deciding.inTenant("acme", (tx) =>
    takeWanted({ tx, tenant: "acme", limit: 5, leaseMs: 60_000 }, keys),
  );
  return taken.map(({ asked }) => asked?.principal);
};

it("wants a decision with the roles and lists that its starter has by then", async () => {
  const id = await begun();
  const allow = { capabilities: "all", records: [], documents: "all", effects: ["add_line"] };
  await change(`roles = '{employee,clerk}', allow = '${JSON.stringify(allow)}'`);
  await go(id);
  await runner.round();
  expect(await wanted()).toEqual([{ ...people.cora, roles: ["employee", "clerk"], allow }]);
});

it("does not begin where its starter lost the role that may start it", async () => {
  const { id } = await house.start("later", {});
  await change("roles = '{employee}'");
  await runner.round();
  expect(await see(id)).toMatchObject({ state: "escalated", code: "forbidden" });
});

it("goes to its owner once its starter is active no more, and goes on where a person lets it when they are back", async () => {
  const id = await begun();
  await change("state = 'deactivated'");
  await go(id);
  await runner.round();
  expect(await see(id)).toMatchObject({ state: "escalated", code: "starter_inactive", step: "wait" });
  const told = "select to_kind, to_name, kind from countersign.notice where case_id = $1";
  expect(await house.rows(told, [id])).toEqual([{ to_kind: "owner", to_name: "office", kind: "escalated" }]);
  const retry = () => house.desk.cases.tell({ principal: people.oda, id, event: "retry", body: {}, key: null });
  await retry();
  await runner.round();
  expect(await see(id)).toMatchObject({ state: "escalated", code: "starter_inactive" });
  expect(await wanted()).toEqual([]);
  await change("state = 'active'");
  house.time.aheadMs = 10 * 60_000;
  await runner.round();
  expect(await see(id)).toMatchObject({ state: "running", step: "grade", code: null });
  expect(await wanted()).toEqual([people.cora]);
});
