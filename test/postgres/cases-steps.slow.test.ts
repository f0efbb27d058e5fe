import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Decider } from "../../src/decider.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { replayKept } from "../../src/replay.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { type CaseHouse, movesOf, openCaseHouse, people } from "./cases/house.ts";
import { caseProject } from "./cases/project.ts";
import { allCases } from "./cases/steps.ts";

let house: CaseHouse;
let decider: Decider;
beforeAll(async () => {
  house = await openCaseHouse(allCases);
  const worker = house.openWorker();
  await house.openSlice(worker);
  decider = await house.openDecider();
  worker.start();
  house.openWorker().start();
});
afterEach(() => {
  expect(house.faults).toEqual([]);
});
afterAll(async () => house?.close());

const isEnded = ({ state }: { state: string }) => state === "ended";
const isMade = ({ waitsFor }: { waitsFor: { kind: string; decisionId?: string | null } | null }) =>
  waitsFor?.kind === "decision" && waitsFor.decisionId !== null;
const tell = (id: string, event: string, body: unknown, key: string | null = null) =>
  house.desk.cases.tell({ principal: people.wes, id, event, body, key });

async function sign(id: string, ...by: (keyof typeof people)[]): Promise<string> {
  const { waitsFor } = await house.until(id, isMade);
  const decisionId = (waitsFor?.kind === "decision" ? waitsFor.decisionId : null) ?? "";
  for (const who of by) await house.desk.approve({ principal: people[who], decisionId });
  return decisionId;
}

describe("steps that decide", () => {
  it("chain, branch and grade one another, each reading the other's accepted proposal from the ledger", async () => {
    const { id } = await house.start("graded", { texts: ["poor", "good"] });
    const view = await house.until(id, isEnded);
    expect(movesOf(view)).toEqual([
      "draft",
      "draft -answered-> grade",
      "grade -answered-> draft",
      "draft -answered-> grade",
      "grade -answered-> good",
    ]);
    expect(view).toMatchObject({ outcome: "good", isFailure: false, data: { tries: 2 } });
    const decisions = view.moves.flatMap(({ decisionId }) => decisionId ?? []);
    expect(new Set(decisions).size).toBe(4);
    const last = await house.desk.decision({ principal: people.cora, decisionId: decisions[3] ?? "" });
    expect(last).toMatchObject({ requestedBy: "cora", follows: decisions[2], label: "good" });
  });

  it("write one row however long the next step waits for two approvals that are given at different times", async () => {
    const { id } = await house.start("notified", { name: "n" });
    await house.until(id, (view) => view.step === "sign" && isMade(view));
    await sign(id, "ada");
    // Between the two, the case is looked at again and again.
    house.time.aheadMs += 60 * 60 * 1000;
    const looks = await house.start("graded", { texts: ["good"] });
    await house.until(looks.id, isEnded);
    expect((await house.until(id, () => true)).step).toBe("sign");
    await sign(id, "ben");
    const view = await house.until(id, isEnded);
    expect(movesOf(view)).toEqual(["tell", "tell -done-> sign", "sign -done-> signed"]);
    expect([await house.lines("n"), await house.lines("n-signed")]).toEqual([["notified"], ["grave"]]);
  });

  it("work where two of them in a row wait for an approval", async () => {
    const { id } = await house.start("twice", { name: "t" });
    const first = await sign(id, "ada");
    await house.until(id, ({ step }) => step === "second");
    const second = await sign(id, "ben");
    expect(movesOf(await house.until(id, isEnded))).toEqual(["first", "first -done-> second", "second -done-> ended"]);
    expect(first).not.toBe(second);
    expect([await house.lines("t-1"), await house.lines("t-2")]).toEqual([["risky"], ["risky"]]);
  });

  it("go where the definition says when a person rejects", async () => {
    const { id } = await house.start("twice", { name: "r" });
    const decisionId = await sign(id);
    await house.desk.reject({ principal: people.ada, decisionId, reason: "not now" });
    expect(movesOf(await house.until(id, isEnded))).toEqual(["first", "first -rejected_by_person-> ended"]);
    expect(await house.lines("r-1")).toEqual([]);
  });
});

describe("a value that a case computed", () => {
  it("is not the starter's own, though the capability claims it: a person signs, also what a person edited, and a replay agrees", async () => {
    const { id } = await house.start("echoed", { name: "lower" });
    const first = await sign(id);
    const sourceOf = async (decisionId: string) => {
      const view = await house.desk.decision({ principal: people.ada, decisionId });
      return { by: view.effects[0]?.sources["/name"]?.kind, lowered: view.loweredBy, params: view.effects[0]?.params };
    };
    const worded = { by: "model", lowered: ["source_not_trusted"], params: { name: "LOWER", note: "echoed" } };
    expect(await sourceOf(first)).toEqual(worded);
    const replayed = await replayKept({
      policy: shippedPolicy,
      ...{ project: caseProject(allCases), database: house.deciding, decisionId: first },
      keys: payloadKeys(house.common.payloadKey),
    });
    expect(replayed.kind).toBe("same");
    const edited = await decider.edit({ principal: people.ada, decisionId: first, decision: {} });
    await house.desk.supersede({ principal: people.ada, decisionId: first, successor: edited.id });
    expect(await sourceOf(edited.id)).toMatchObject({ by: "model", params: { name: "LOWER" } });
    // The case waits for what stands in the place of the first.
    await house.until(id, ({ waitsFor }) => waitsFor?.kind === "decision" && waitsFor.decisionId === edited.id);
    await house.desk.approve({ principal: people.ada, decisionId: edited.id });
    expect(movesOf(await house.until(id, isEnded))).toEqual(["word", "word -answered-> write", "write -done-> ended"]);
    expect(await house.lines("LOWER")).toEqual(["echoed"]);
  });
});

describe("a step that has no way on", () => {
  it("is left to the owner of the step, who is told, and is begun again when an owner says so", async () => {
    const { id } = await house.start("fragile", { text: "nothing" });
    const view = await house.until(id, ({ state }) => state === "escalated");
    expect(view).toMatchObject({ code: "no_way_on", waitsFor: { kind: "person" }, owner: "speakers" });
    const notices = await house.rows(
      "select kind, to_kind, to_name, decision_id, state from countersign.notice where case_id = $1",
      [id],
    );
    expect(notices).toEqual([{ kind: "escalated", to_kind: "owner", to_name: "speakers", decision_id: null, state: "waiting" }]);
    const retry = { id, event: "retry", body: {}, key: null };
    await expect(house.desk.cases.tell({ principal: people.wes, ...retry })).rejects.toMatchObject({ code: "not_found" });
    await expect(house.desk.cases.tell({ principal: people.cora, ...retry })).rejects.toMatchObject({ code: "forbidden" });
    await house.desk.cases.tell({ principal: people.oda, ...retry });
    const again = await house.until(id, ({ state, moves }) => state === "escalated" && moves.length === 4);
    expect(movesOf(again)).toEqual(["say", "escalated say no_way_on", "resumed say", "escalated say no_way_on"]);
  });

  it("is looked at again, not begun again, where the definition's own code threw: no second decision is made", async () => {
    const { id } = await house.start("fragile", { text: "throw" });
    await house.until(id, ({ state }) => state === "escalated");
    await house.desk.cases.tell({ principal: people.oda, id, event: "retry", body: {}, key: null });
    const view = await house.until(id, ({ state, moves }) => state === "escalated" && moves.length === 4);
    expect(movesOf(view)).toEqual(["say", "escalated say definition_invalid", "resumed say", "escalated say definition_invalid"]);
    const wanted = await house.rows(
      "select w.state from countersign.wanted w join countersign.case_run r on r.wanted_id = w.id where r.id = $1",
      [id],
    );
    expect(wanted).toEqual([{ state: "made" }]);
    expect(await house.rows("select 1 from countersign.case_step where run_id = $1 and kind = 'entered'", [id])).toHaveLength(1);
  });
});

describe("steps that run side by side", () => {
  it("lose no update when ten branches end in the same instant", async () => {
    const { id } = await house.start("spread", { sizes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
    const { parts } = await house.until(id, ({ parts }) => parts.length === 10);
    await Promise.all(parts.map((part) => tell(part.id, "ended", { well: true })));
    const view = await house.until(id, isEnded);
    const ends = Object.fromEntries(Array.from({ length: 10 }, (_, size) => [`b${size}`, `well {"size":${size * 10}}`]));
    expect(view.data).toEqual({ sizes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], ends });
    expect(movesOf(view)).toEqual(["all", "all -joined-> joined"]);
  });

  it("are two identities where the same case runs twice with different inputs, or with the same", async () => {
    const { id } = await house.start("spread", { sizes: [7, 7] });
    const { parts } = await house.until(id, ({ parts }) => parts.length === 2);
    expect(new Set(parts.map((part) => part.id)).size).toBe(2);
    for (const [place, part] of parts.entries()) await tell(part.id, "ended", { well: place === 0 });
    const { data } = await house.until(id, isEnded);
    const ends = Object.values((data as { ends: Record<string, string> }).ends).sort();
    expect(ends).toEqual(['badly {"size":70}', 'well {"size":70}']);
  });

  it("are joined at the first failure where the step says so, while the others run on", async () => {
    const { id } = await house.start("hasty", { sizes: [1, 2] });
    const { parts } = await house.until(id, ({ parts }) => parts.length === 2);
    await tell(parts[1]?.id ?? "", "ended", { well: false });
    const view = await house.until(id, isEnded);
    expect(movesOf(view)).toEqual(["all", "all -failed_branch-> joined"]);
    expect((await house.until(parts[0]?.id ?? "", () => true)).state).toBe("running");
    await tell(parts[0]?.id ?? "", "ended", { well: true });
    await house.until(parts[0]?.id ?? "", isEnded);
  });

  it("need not be there at all", async () => {
    const { id } = await house.start("spread", { sizes: [] });
    expect((await house.until(id, isEnded)).data).toEqual({ sizes: [], ends: {} });
  });

  it("may be one other case, whose end is the step's", async () => {
    const { id } = await house.start("planned", {});
    const view = await house.until(id, isEnded);
    expect([view.data, view.parts.map((part) => part.case)]).toEqual([{ end: "good" }, ["graded"]]);
  });
});
