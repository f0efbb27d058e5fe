import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CaseRunner, createCaseRunner } from "../../src/act/cases/runner.ts";
import { sealRunBody } from "../../src/ledger/cases/run-body.ts";
import { startRun } from "../../src/ledger/cases/start-run.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import { type PayloadKeys, payloadKeys } from "../../src/ledger/payload.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { type CaseHouse, movesOf, openCaseHouse, people } from "./cases/house.ts";
import { allCases, graded, twice } from "./cases/steps.ts";

// Nobody moves cases but the test; what a role may write, the test writes under that role.
let house: CaseHouse;
let keys: PayloadKeys;
let runner: CaseRunner;
beforeEach(async () => {
  house = await openCaseHouse(allCases);
  keys = payloadKeys(house.common.payloadKey);
  const { acting: database, storeTime, faults } = house;
  const onError = (thrown: unknown) => void faults.push(thrown);
  runner = createCaseRunner({
    rules: shippedPolicy.cases,
    cases: allCases,
    database,
    keys,
    ids: house.common.ids,
    storeTime,
    rolesFrom: "account",
    onError,
  });
});
afterEach(async () => {
  expect(house.faults).toEqual([]);
  await house.close();
});

const see = (id: string) => house.desk.cases.one({ principal: people.aud, id });
const wantedOf = async (id: string): Promise<string> =>
  (await house.rows("select wanted_id from countersign.case_run where id = $1", [id]))[0].wanted_id;
const name = (wanted: string, decisionId: string) =>
  house.deciding.inTenant("acme", (tx) =>
    tx
      .updateTable("wanted")
      .set({ state: "made", decision_id: decisionId, body: null })
      .where("id", "=", wanted)
      .executeTakeFirstOrThrow(),
  );

/** Goes round until the case stands as it should, while the deciding half works in the background. */
const until = (id: string, holds: (view: Awaited<ReturnType<typeof see>>) => boolean) =>
  vi.waitFor(
    async () => {
      await runner.round();
      const view = await see(id);
      if (!holds(view)) throw new Error(`not yet: ${movesOf(view).join(", ")}`);
      return view;
    },
    { timeout: 15_000, interval: 25 },
  );

/** A case that wants to grade what its first step said, and nobody decides any more. */
async function beforeGrading() {
  const decider = await house.openDecider();
  const other = await decider.decide({ principal: people.cora, capability: "grade", inputs: { text: "GOOD" } });
  const { id } = await house.start("graded", { texts: ["good"] });
  const said = await until(id, ({ step }) => step === "grade");
  await decider.close();
  const wanted = await wantedOf(id);
  return { id, wanted, other: other.id, said: said.moves[1]?.decisionId ?? "" };
}

describe("a decision that is named as the wanted one", () => {
  it("is refused by the database where it is of another capability, after another entry, another wish's, or none", async () => {
    const { wanted, said, other } = await beforeGrading();
    for (const decisionId of [said, other, house.common.ids.next()])
      await expect(name(wanted, decisionId)).rejects.toMatchObject({ code: "CS001" });
    const second = await house.start("graded", { texts: ["good"] });
    await runner.round();
    // The same capability for the same person after no entry either, and made for the first case.
    await expect(name(await wantedOf(second.id), said)).rejects.toMatchObject({ code: "23505" });
  });

  it.each(["of another capability", "after another entry"])("%s, is no step's result, whoever wrote it there", async (how) => {
    const { id, wanted, said, other } = await beforeGrading();
    await house.rows("alter table countersign.wanted disable trigger wanted_end_stands");
    await house.rows("drop index countersign.wanted_decision");
    await name(wanted, how === "of another capability" ? said : other);
    const view = await until(id, ({ state }) => state === "escalated");
    expect(view).toMatchObject({ step: "grade", code: "foreign_decision", waitsFor: { kind: "person" } });
    await house.rows("alter table countersign.wanted enable trigger wanted_end_stands");
    await house.openDecider();
    await house.desk.cases.tell({ principal: people.oda, id, event: "retry", body: {}, key: null });
    // Begun again, it has its own decision.
    expect(await until(id, ({ state }) => state === "ended")).toMatchObject({ outcome: "good" });
  });

  it("is no step's result either where the desk's role alone put it in the place of another", async () => {
    const decider = await house.openDecider();
    const { id } = await house.start("twice", { name: "own" });
    const { waitsFor } = await until(id, ({ waitsFor }) => waitsFor?.kind === "decision" && waitsFor.decisionId !== null);
    const own = (waitsFor?.kind === "decision" ? waitsFor.decisionId : null) ?? "";
    const inputs = { name: "foreign", note: "risky" };
    const foreign = await decider.decide({ principal: people.cora, capability: "write_line", inputs });
    const facts = { by: "ada", supersededBy: foreign.id };
    const frame = { id: house.common.ids.next(), tenant: "acme", ts: Date.now(), writer: "desk", decisionId: own } as const;
    const drafts = [{ ...frame, cause: null, kind: "corrected", facts, bodies: {} } as const];
    await house.signing.inTenant("acme", (tx) => writeEntries({ tx, drafts, keys }));
    const view = await until(id, ({ state }) => state === "escalated");
    expect(view).toMatchObject({ step: "first", code: "foreign_decision" });
  });
});

describe("a case that the desk's role wrote past the desk", () => {
  it("is left to its owner where its body is of another principal than its row", async () => {
    const id = house.common.ids.next();
    const body = sealRunBody(
      { principal: people.ada, input: { name: "x" }, given: null, data: null },
      { tenant: "acme", id, keys },
    );
    const of = { tenant: "acme", id, case_name: "twice", version: "1", key: id, owner: "office", step: twice.start, body };
    const at = new Date();
    const row = { ...of, started_by: "cora", on_behalf_of: null, start_hash: Buffer.alloc(32), created_at: at, due_at: at };
    await house.signing.inTenant("acme", (tx) => tx.insertInto("case_run").values(row).execute());
    await runner.round();
    expect(await see(id)).toMatchObject({ state: "escalated", code: "payload_unreadable", data: null });
    expect(await house.rows("select 1 from countersign.wanted")).toEqual([]);
  });

  it("does not begin where its definition is open to none of the roles of who started it", async () => {
    const id = house.common.ids.next();
    const starting = { principal: people.wes, one: graded, id, key: id, input: { texts: ["good"] }, at: Date.now() };
    await house.signing.inTenant("acme", (tx) => startRun(tx, starting, keys));
    await runner.round();
    expect(await see(id)).toMatchObject({ state: "escalated", code: "forbidden", startedBy: "wes" });
    expect(await house.rows("select 1 from countersign.wanted")).toEqual([]);
  });
});
