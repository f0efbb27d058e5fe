import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { indexCases } from "../../src/act/cases/definitions.ts";
import { dueCases } from "../../src/act/cases/due.ts";
import { type CaseRunner, createCaseRunner } from "../../src/act/cases/runner.ts";
import { defineCase } from "../../src/define/case.ts";
import { startRun } from "../../src/ledger/cases/start-run.ts";
import { type PayloadKeys, payloadKeys } from "../../src/ledger/payload.ts";
import { acrossTenants } from "../../src/store/every-tenant.ts";
import type { StoreTime } from "../../src/store/time.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { type CaseHouse, movesOf, openCaseHouse, people } from "./cases/house.ts";
import { allCases, branch } from "./cases/steps.ts";

const padded = z.strictObject({ padding: z.string() });
const common = { version: "1", owner: "office", description: "A case of the tests.", openTo: ["clerk"] };
const bulk = defineCase({
  ...{ ...common, name: "bulk", input: padded, data: z.strictObject({}), begin: () => ({}), start: "ended" },
  steps: { ended: { kind: "end", outcome: "ended" } },
});
/** Gives its second part more than a case is started with. */
const bulky = defineCase({
  ...{ ...common, name: "bulky", input: z.strictObject({}), data: z.strictObject({}), begin: () => ({}), start: "all" },
  steps: {
    all: {
      kind: "all",
      cases: ["bulk"],
      joins: "all_ended",
      to: ["ended"],
      branches: () => [10, 70_000].map((size) => ({ name: `b${size}`, case: "bulk", input: { padding: "x".repeat(size) } })),
      next: () => ({ to: "ended" }),
    },
    ended: { kind: "end", outcome: "ended" },
  },
});
const cases = [...allCases, bulk, bulky];

let house: CaseHouse;
let keys: PayloadKeys;
let runner: CaseRunner;
let storeTime: StoreTime;
/** Where the store's time stands still, but for what the test moves it on. */
let stillAt: number | null;
beforeEach(async () => {
  house = await openCaseHouse(cases);
  keys = payloadKeys(house.common.payloadKey);
  const { acting: database, faults, time } = house;
  stillAt = null;
  storeTime = async (tx) => (stillAt === null ? house.storeTime(tx) : stillAt + time.aheadMs);
  const onError = (thrown: unknown) => void faults.push(thrown);
  const common = { rules: shippedPolicy.cases, ids: house.common.ids, rolesFrom: "account" } as const;
  runner = createCaseRunner({ ...common, cases, database, keys, storeTime, onError });
});
afterEach(async () => house.close());

const see = (id: string) => house.desk.cases.one({ principal: people.aud, id });

it("a part that is too large leaves the case to its owner, who is told, and no other part is begun", async () => {
  const { id } = await house.start("bulky", {});
  await runner.round();
  expect(house.faults).toEqual([]);
  const view = await see(id);
  expect(view).toMatchObject({ state: "escalated", code: "too_large", parts: [] });
  expect(movesOf(view)).toEqual(["all", "escalated all too_large"]);
  expect(await house.rows("select to_name from countersign.notice where case_id = $1", [id])).toEqual([{ to_name: "office" }]);
});

it("a part whose key somebody took leaves it to its owner, and begun again it has other keys", async () => {
  const { id } = await house.start("spread", { sizes: [1, 2] });
  // The desk's role may write such a key, the desk does not.
  const starting = { principal: people.carl, one: branch, id: house.common.ids.next(), key: `${id}/1/b1`, input: { size: 2 } };
  await house.signing.inTenant("acme", (tx) => startRun(tx, { ...starting, at: Date.now() }, keys));
  await runner.round();
  expect(house.faults).toEqual([]);
  expect(await see(id)).toMatchObject({ state: "escalated", code: "key_conflict", parts: [] });
  await house.desk.cases.tell({ principal: people.oda, id, event: "retry", body: {}, key: null });
  await runner.round();
  expect(await see(id)).toMatchObject({ state: "running", parts: [{ name: "b0" }, { name: "b1" }] });
});

it("cases that throw rest, and hold up neither another tenant's, nor later ones, nor one that waits for a decision", async () => {
  const waiting = await house.start("fragile", { text: "nothing" });
  await runner.round();
  await house.rows(`create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`);
  await house.rows(`create trigger fails before update on countersign.case_run for each row
    when (new.step = 'count' and new.n > 0) execute function public.fail()`);
  const crowd = 70;
  for (let nth = 0; nth < crowd; nth += 1) await house.start("counting", {});
  const later = await house.start("parcel", { name: "later" });
  const { view: other } = await house.desk.cases.start({
    principal: people.gus,
    case: "parcel",
    key: null,
    input: { name: "g" },
  });
  await house.rows("update countersign.wanted set state = 'failed', code = 'internal', body = null");
  stillAt = Date.now() + 1_000;
  const look = () =>
    acrossTenants({
      database: house.acting,
      look: async (tx) => dueCases(tx, { now: await storeTime(tx), definitions: indexCases(cases) }),
    });
  const due = (await look())?.map(({ id }) => id);
  expect(due).toHaveLength(64);
  expect(due).toEqual(expect.arrayContaining([waiting.id, other.id]));
  await runner.round();
  expect(house.faults).toHaveLength(crowd);
  expect((await see(waiting.id)).code).toBe("internal");
  expect((await see(later.id)).step).toBe("wait");
  const stands = "select n from countersign.case_run where id = $1";
  expect(await house.rows(stands, [other.id])).toEqual([{ n: 1 }]);
  // They rest longer each time, and go on when what was wrong is mended.
  await runner.round();
  expect(house.faults).toHaveLength(crowd);
  house.time.aheadMs += 1_500;
  await runner.round();
  expect(house.faults).toHaveLength(2 * crowd);
  house.time.aheadMs += 1_500;
  await runner.round();
  expect(house.faults).toHaveLength(2 * crowd);
  await house.rows("drop trigger fails on countersign.case_run");
  house.time.aheadMs += 1_500;
  expect(await runner.round()).toBe(crowd);
  expect(await house.rows("select 1 from countersign.case_run where held_until is not null")).toEqual([]);
});
