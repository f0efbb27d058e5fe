import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Hold, listErasures, releaseHold, setHold } from "../../src/ledger/erasure/manage-erasure.ts";
import { setRetention } from "../../src/ledger/erasure/manage-retention.ts";
import { House, people } from "./acting/house.ts";
import { dayMs, Erasing } from "./erasing.ts";

// What is left for a while, and that it goes once it may: what is held, signed for, under way, or written after the rest was erased.
vi.setConfig({ testTimeout: 90_000 });
let house: House;
let erasing: Erasing;
beforeAll(async () => {
  house = await House.build();
  erasing = new Erasing(house);
});
afterAll(() => house?.close());
beforeEach(async () => {
  await erasing.begin();
  await house.admin.query("delete from countersign.memory");
});

const { ada } = people;
const hold = (of: Pick<Hold, "scope" | "name">) => setHold(house.store.adminUrl, { tenant: "acme", ...of, reason: "dispute 7" });
const release = (of: Pick<Hold, "scope" | "name">) => releaseHold(house.store.adminUrl, { tenant: "acme", ...of });
const waiting = async () => (await listErasures(house.store.adminUrl, "acme")).waiting;
const days = (payloadDays: number) => setRetention(house.store.adminUrl, { tenant: "acme", capability: "*", payloadDays });

describe("what is held", () => {
  it.each([
    { scope: "person", name: "leaver" },
    { scope: "tenant", name: "*" },
  ] as const)("of a $scope keeps memory and what cases were told from a person's request", async (of) => {
    const id = await erasing.asked({ onBehalfOf: "leaver" });
    await erasing.remember(["leaver"], id);
    const ended = await erasing.caseOf("leaver", { toldBy: "leaver", hasEnded: true });
    await hold(of);
    await erasing.request({ person: "leaver" });
    expect(await erasing.erasures().carryOut()).toBe(0);
    expect([await erasing.remembered(), await erasing.caseWords(ended)]).toEqual([
      ["leaver"],
      ["their data", expect.stringContaining("words")],
    ]);
    expect(new Set((await waiting()).map(({ waitsFor }) => waitsFor))).toEqual(new Set(["hold"]));
    await release(of);
    expect(await erasing.erasures().carryOut()).toBe(1);
    expect([await erasing.remembered(), await erasing.caseWords(ended), await waiting()]).toEqual([[], ["", ""], []]);
  });

  it("of a decision keeps what is remembered of it, and of another person what the two share", async () => {
    const [held, free] = [await erasing.asked({ onBehalfOf: "leaver" }), await erasing.asked({ onBehalfOf: "leaver" })];
    await erasing.remember(["leaver"], held);
    await erasing.remember(["leaver"], free);
    const shared = await erasing.caseOf("stayer", { toldBy: "leaver", hasEnded: true });
    const [decision, stayer] = [{ scope: "decision", name: held } as const, { scope: "person", name: "stayer" } as const];
    await hold(decision);
    await hold(stayer);
    await erasing.request({ person: "leaver" });
    expect(await erasing.erasures().carryOut()).toBe(1);
    expect([await erasing.isErased(held), await erasing.isErased(free)]).toEqual([false, true]);
    expect([await erasing.remembered(), (await erasing.caseWords(shared))[1]]).toEqual([
      ["leaver"],
      expect.stringContaining("words"),
    ]);
    await release(decision);
    await release(stayer);
    expect(await erasing.erasures().carryOut()).toBe(1);
    expect([await erasing.remembered(), await erasing.caseWords(shared)]).toEqual([[], ["their data", ""]]);
  });

  it("of no decision is refused, and of one that has begun is not", async () => {
    const id = await erasing.asked();
    for (const name of [id.toUpperCase(), "no such thing", house.ids.next()])
      await expect(hold({ scope: "decision", name })).rejects.toMatchObject({ code: "not_found" });
    const begun = await beginDecision();
    await hold({ scope: "decision", name: begun });
    await release({ scope: "decision", name: begun });
    await endDecisions();
  });
});

/** A decision that has begun and not ended, as the journal puts it down. */
async function beginDecision(): Promise<string> {
  const id = house.ids.next();
  await house.admin.query(
    `insert into countersign.intent (tenant, decision_id, entry_id, capability, principal, request_digest, lease_until)
     values ('acme', $1, $1, 'c', 'boss', '', now())`,
    [id],
  );
  return id;
}

const endDecisions = () => house.admin.query("update countersign.intent set ended = true");

describe("a person's request", () => {
  it("waits for what had begun before it, also where it is found to be theirs at its end alone", async () => {
    const begun = await beginDecision();
    // One that came later and ended before: the request looks past the place of what had begun.
    await erasing.asked();
    await erasing.request({ person: "leaver" });
    expect(await erasing.erasures().carryOut()).toBe(0);
    expect(await waiting()).toMatchObject([{ person: "leaver", waitsFor: "decision" }]);
    await erasing.asked({ onBehalfOf: "leaver", decisionId: begun });
    await endDecisions();
    await erasing.later();
    expect(await erasing.erasures().carryOut()).toBe(1);
    expect([await erasing.isErased(begun), await waiting()]).toEqual([true, []]);
  });

  it("stays for what they told a case of somebody else that runs", async () => {
    const id = await erasing.caseOf("boss", { toldBy: "leaver", hasEnded: false });
    await erasing.request({ person: "leaver" });
    await erasing.erasures().carryOut();
    expect(await waiting()).toMatchObject([{ person: "leaver", waitsFor: "case" }]);
    await erasing.endCase(id);
    await erasing.later();
    await erasing.erasures().carryOut();
    expect([await erasing.caseWords(id), await waiting()]).toEqual([["their data", ""], []]);
  });
});

describe("retention", () => {
  it("leaves a proposal that a person may still sign, and ends it once they answered", async () => {
    const decisionId = await house.decide({ changes: [house.add("signed-late")] });
    await days(1);
    house.aheadMs += 3 * dayMs;
    await erasing.erasures().endOld();
    expect([await erasing.isErased(decisionId), await waiting()]).toMatchObject([false, [{ decisionId, waitsFor: "review" }]]);
    await house.desk().reject({ principal: ada, decisionId, reason: "not this one" });
    await erasing.later();
    await erasing.erasures().carryOut();
    expect([await erasing.isErased(decisionId), await waiting()]).toEqual([true, []]);
  });

  it("ends what is written of a decision after it was erased, which nobody can sign any more", async () => {
    const decisionId = await house.decide({ changes: [house.add("erased-first")] });
    await erasing.request({ decisionId });
    expect(await erasing.erasures().carryOut()).toBe(1);
    await expect(house.desk().approve({ principal: ada, decisionId })).rejects.toMatchObject({ code: "payload_erased" });
    await house.desk().reject({ principal: ada, decisionId, reason: "a private reason" });
    await house.settled();
    const reasons = async () => (await erasing.story(decisionId))?.following.filter(({ kind }) => kind === "rejected");
    expect(await reasons()).toMatchObject([{ bodies: { reason: "a private reason" } }]);
    await erasing.erasures().endOld();
    expect(await erasing.erasures().carryOut()).toBe(1);
    expect(await reasons()).toMatchObject([{ bodies: {}, isErased: true }]);
    await erasing.erasures().endOld();
    expect(await erasing.erasures().carryOut()).toBe(0);
    expect(await erasing.verified()).toMatchObject({ broken: null });
  });

  it("walks under two sets of rules side by side, each once, and ends each decision when the first of them says so", async () => {
    const capability = house.sample.project.capabilities[0]?.name ?? "";
    const ids = await erasing.askedOften(130, { daysAgo: 40 });
    const young = await erasing.asked({ daysAgo: 10 });
    let groups = 0;
    const counted: typeof house.storeTime = (tx) => {
      groups += 1;
      return house.storeTime(tx);
    };
    const rules = (inputsDays: number) =>
      new Map([
        [capability, { inputsDays }],
        ["another", { inputsDays: 1 }],
      ]);
    const [older, newer] = [erasing.erasures(rules(20), counted), erasing.erasures(rules(21), counted)];
    const sums = await Promise.all([older.endOld(), newer.endOld()]);
    const rest = (await older.endOld()) + (await newer.endOld());
    expect(sums[0] + sums[1] + rest).toBe(ids.length);
    const settled = groups;
    await Promise.all([older.endOld(), newer.endOld()]);
    // One look at each part and one at what came late, for each of two workers and two tenants.
    expect(groups - settled).toBe(12);
    house.aheadMs += 10.5 * dayMs;
    expect(await newer.carryOut()).toBe(0);
    expect(await older.carryOut()).toBe(1);
    expect((await erasing.story(young))?.outcome.bodies).not.toHaveProperty("inputs");
  });

  it("forgets what was put off under rules by which nobody has gone for a day", async () => {
    const capability = house.sample.project.capabilities[0]?.name ?? "";
    await erasing.asked({ daysAgo: 10 });
    const rules = (inputsDays: number) =>
      new Map([
        [capability, { inputsDays }],
        ["another", { inputsDays: 1 }],
      ]);
    await erasing.erasures(rules(20)).endOld();
    const putOff = async () =>
      (await house.admin.query("select count(*)::int as n from countersign.erasure where rules <> '' and part = 'inputs'"))
        .rows[0]?.n;
    expect(await putOff()).toBe(1);
    house.aheadMs += dayMs / 2;
    await erasing.erasures(rules(30)).endOld();
    expect(await putOff()).toBe(2);
    house.aheadMs += dayMs / 2 + 3_600_000;
    await erasing.erasures(rules(30)).endOld();
    expect(await putOff()).toBe(1);
  });
});
