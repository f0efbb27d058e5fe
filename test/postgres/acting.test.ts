import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "../../src/contract/principal.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { House, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

const { ada, abe, erin, gus, oda } = people;

describe("a person approves", () => {
  it("and the effect is applied, seen, and only then done", async () => {
    const decisionId = await house.decide({ changes: [house.add("one")] });
    const desk = house.desk();
    expect((await desk.reviews({ principal: ada, limit: 200 })).items.map((view) => view.id)).toContain(decisionId);
    await desk.approve({ principal: ada, decisionId });
    expect(await house.tickets("one")).toEqual([]);
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 1, refused: 0 });
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "applied", "observed complete"]);
    expect(await house.tickets("one")).toMatchObject([{ note: "n", status: "open" }]);
    const view = await desk.decision({ principal: erin, decisionId });
    expect(view).toMatchObject({ state: "done", effects: [{ verdict: "complete", approvedBy: "ada", approverKind: "person" }] });
    expect((await desk.reviews({ principal: ada, limit: 200 })).items.map((one) => one.id)).not.toContain(decisionId);
  });

  it("and everything before is in the chain, with the credential by name and no value of it", async () => {
    await house.settled();
    await house.worker().runOnce();
    const { rows } = await house.admin.query(
      "select count(*)::int as unsealed from countersign.entry where id not in (select entry_id from countersign.seal)",
    );
    expect(rows).toEqual([{ unsealed: 0 }]);
    const { rows: bodies } = await house.admin.query<{ body: string }>("select body from countersign.entry");
    expect(bodies.some(({ body }) => body.includes('"credential":"SANDBOX_WRITE"'))).toBe(true);
    expect(bodies.some(({ body }) => body.includes("postgres://"))).toBe(false);
  });

  it("and the first answer stands, whichever it was", async () => {
    const approvedFirst = await house.decide({ changes: [house.add("first")] });
    const rejectedFirst = await house.decide({ changes: [house.add("second")] });
    const desk = house.desk();
    await desk.approve({ principal: ada, decisionId: approvedFirst });
    await desk.reject({ principal: ada, decisionId: rejectedFirst, reason: "not needed" });
    await expect(desk.reject({ principal: abe, decisionId: approvedFirst, reason: "no" })).rejects.toMatchObject({
      code: "approval_used",
    });
    await expect(desk.approve({ principal: abe, decisionId: rejectedFirst })).rejects.toMatchObject({ code: "approval_used" });
    await house.worker().runOnce();
    expect(await house.tickets("first")).toHaveLength(1);
    expect(await house.tickets("second")).toHaveLength(0);
    expect((await desk.decision({ principal: erin, decisionId: rejectedFirst })).state).toBe("rejected_by_person");
  });

  it("and of two who answer in the same instant one is first", async () => {
    const decisionId = await house.decide({ changes: [house.add("instant")] });
    const answers = await Promise.allSettled([
      house.desk().approve({ principal: ada, decisionId }),
      house.desk().reject({ principal: abe, decisionId, reason: "no" }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await house.story(decisionId)).slice(1)).toEqual([
      expect.stringMatching(/^(approved|rejected)$/),
      "refused approval_used",
    ]);
  });

  it("and the approval of one effect never approves the other", async () => {
    const small = await house.decide({ changes: [house.add("small")] });
    await house.decide({ changes: [house.add("large")] });
    await house.desk().approve({ principal: ada, decisionId: small });
    await house.worker().runOnce();
    expect(await house.tickets("small")).toHaveLength(1);
    expect(await house.tickets("large")).toHaveLength(0);
  });

  it.each([
    ["the requester", erin, "approver_not_permitted"],
    ["an owner who is no approver", oda, "approver_not_permitted"],
    ["an approver of another tenant", gus, "not_found"],
    // An agent reviews nothing, so it does not even see what waits for its person.
    ["an agent on behalf of an approver", { ...ada, id: "bot", onBehalfOf: "ada" }, "not_found"],
  ])("but not %s", async (_who, principal, code) => {
    const decisionId = await house.decide({ changes: [house.add("by-whom")] });
    await expect(house.desk().approve({ principal, decisionId })).rejects.toMatchObject({ code });
    // Who may not see it leaves no trace in it; the others are on record as having tried.
    const tried = code === "not_found" ? [] : [`refused ${code}`];
    expect(await house.story(decisionId)).toEqual(["decided", ...tried]);
  });

  it("but not who was asked for", async () => {
    const asked = await house.decide({ changes: [house.add("for-ada")], onBehalfOf: "ada" });
    await expect(house.desk().approve({ principal: ada, decisionId: asked })).rejects.toMatchObject({
      code: "approver_not_permitted",
    });
  });

  it("but not what waits for nobody, does not exist or is no id", async () => {
    const decisionId = await house.decide({ changes: [house.add("auto-waits")], route: "auto" });
    const desk = house.desk();
    await expect(desk.approve({ principal: ada, decisionId })).rejects.toMatchObject({ code: "not_waiting" });
    for (const unknown of ["01900000-0000-7000-8000-000000000000", "x'; drop table", "\0"]) {
      await expect(desk.approve({ principal: ada, decisionId: unknown })).rejects.toMatchObject({ code: "not_found" });
      await expect(desk.decision({ principal: ada, decisionId: unknown })).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(desk.reject({ principal: ada, decisionId, reason: "a\0" })).rejects.toMatchObject({ code: "bad_text" });
    await expect(desk.reject({ principal: ada, decisionId, reason: " " })).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("reviews", () => {
  it("show an approver what waits in the tenant, a requester the own, and nobody another tenant's", async () => {
    const decisionId = await house.decide({ changes: [house.add("seen")] });
    const elsewhere = await house.decide({ changes: [house.add("seen")], tenant: "globex" });
    const desk = house.desk();
    const ids = async (principal: typeof ada) => (await desk.reviews({ principal, limit: 200 })).items.map((view) => view.id);
    expect(await ids(ada)).toContain(decisionId);
    expect(await ids({ ...erin, roles: ["employee"] })).toContain(decisionId);
    expect(await ids({ ...ada, id: "eve", roles: ["employee"] })).toEqual([]);
    expect(await ids(gus)).toEqual([elsewhere]);
    await expect(desk.decision({ principal: gus, decisionId })).rejects.toMatchObject({ code: "not_found" });
    await expect(desk.decision({ principal: { ...ada, id: "eve", roles: ["employee"] }, decisionId })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("several effects", () => {
  it("start in listed order, each only when the one before was seen complete", async () => {
    const decisionId = await house.decide({ changes: [house.add("pair"), house.closing("pair")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.worker().runOnce();
    const one = ["applying", "applied", "observed complete"];
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "approved", ...one, ...one]);
    expect(await house.tickets("pair")).toMatchObject([{ status: "closed" }]);
  });

  it("leave the rest unstarted when one ends otherwise", async () => {
    const decisionId = await house.decide({ changes: [house.add("forbidden"), house.closing("forbidden")] });
    await house.desk().approve({ principal: ada, decisionId });
    const worker = house.worker();
    await worker.runOnce();
    await worker.runOnce();
    const refused = ["refused precondition_failed", "refused precondition_failed"];
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "approved", "applying", ...refused]);
  });
});

describe("one business key", () => {
  it("has one consequence: the same change asked for twice is made once and both are told it is done", async () => {
    const first = await house.decide({ changes: [house.add("same")] });
    const second = await house.decide({ changes: [house.add("same")] });
    await house.desk().approve({ principal: ada, decisionId: first });
    await house.desk().approve({ principal: ada, decisionId: second });
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 1, joined: 1 });
    expect(await house.tickets("same")).toHaveLength(1);
    expect(await house.story(second)).toEqual(["decided", "approved", "observed complete"]);
  });

  it("refuses other params with `key_conflict`", async () => {
    const first = await house.decide({ changes: [house.add("taken", "82000")] });
    const second = await house.decide({ changes: [house.add("taken", "820000")] });
    for (const decisionId of [first, second]) await house.desk().approve({ principal: ada, decisionId });
    expect(await house.worker().runOnce()).toMatchObject({ reserved: 1, refused: 1 });
    expect(await house.tickets("taken")).toMatchObject([{ note: "82000" }]);
    expect((await house.story(second)).at(-1)).toBe("refused key_conflict");
  });

  it("is applied once by eight workers that find the approvals in the same instant", async () => {
    const names = Array.from({ length: 6 }, (_, i) => `race-${i}`);
    for (const name of names) {
      // Two decisions under one key each: both their approvals are found at once.
      for (const decisionId of [
        await house.decide({ changes: [house.add(name)] }),
        await house.decide({ changes: [house.add(name)] }),
      ]) {
        await house.desk().approve({ principal: ada, decisionId });
      }
    }
    const workers = Array.from({ length: 8 }, () => house.worker());
    await Promise.all(workers.map((worker) => worker.runOnce()));
    await house.worker().runOnce();
    for (const name of names) expect(await house.tickets(name)).toHaveLength(1);
    const { rows } = await house.admin.query("select distinct state from countersign.operation where key like 'ticket:race-%'");
    expect(rows).toEqual([{ state: "complete" }]);
  });
});

describe("policy", () => {
  const auto = { route: "auto", confidencePpm: 900_000 } as const;

  it("lets nothing through in a slice that nobody opened", async () => {
    const decisionId = await house.decide({ changes: [house.add("closed-slice")], ...auto });
    expect(await house.worker().runOnce()).toMatchObject({ admitted: 1, reserved: 0 });
    const last = (await house.entries(decisionId)).at(-1);
    expect(last).toMatchObject({ kind: "refused", body: { code: "policy_refuses", rule: "slice_not_open", approvalId: null } });
    expect(await house.worker().runOnce()).toMatchObject({ admitted: 0 });
  });

  it("signs low risk in a slice that an owner opened, at or above its threshold", async () => {
    const desk = house.desk();
    await expect(desk.openSlice({ principal: ada, capability: "tickets", slice: "all", thresholdPpm: 1 })).rejects.toMatchObject({
      code: "forbidden",
    });
    await desk.openSlice({ principal: oda, capability: "tickets", slice: "all", thresholdPpm: 850_000 });
    expect(await house.worker().runOnce()).toMatchObject({ slices: 1 });
    const decisionId = await house.decide({ changes: [house.add("auto")], ...auto });
    await house.worker().runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "applied", "observed complete"]);
    expect((await house.entries(decisionId))[1]?.body).toMatchObject({
      approver: shippedPolicy.version,
      policy: shippedPolicy.version,
      policies: ["risk_low"],
      approverKind: "policy",
      writer: "acting",
    });
  });

  const model = { kind: "model", chosenBy: "model", ref: null, at: null, untrustedInContext: true } as const;
  const ownNote = { kind: "principal", chosenBy: "principal", ref: "inputs", at: "/note", untrustedInContext: false } as const;
  it.each([
    ["below the threshold", "below_threshold", { confidencePpm: 849_999 }, {}],
    ["of medium risk, whatever the graph said", "risk_not_low", {}, { note: "risky" }],
    ["not on the list of effects of who asked", "not_on_allow_list", { allow: { ...everything, effects: ["close_ticket"] } }, {}],
    ["that was not verified", "not_verified", { verified: false }, {}],
    ["for another environment", "environment", { environment: "production" }, {}],
    ["whose target a model chose", "source_not_trusted", {}, { sources: { "/name": model, "/note": ownNote } }],
    ["with a value without a source", "source_not_trusted", {}, { sources: { "/note": ownNote } }],
  ])("refuses what is %s", async (name, rule, deciding, change) => {
    const { note = "n", sources } = change as { note?: string; sources?: Record<string, typeof model> };
    const added = { ...house.add(name, note), ...(sources === undefined ? {} : { sources }) };
    const decisionId = await house.decide({ changes: [added], ...auto, ...deciding });
    await house.worker().runOnce();
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({ kind: "refused", body: { code: "policy_refuses", rule } });
    expect(await house.tickets(name)).toEqual([]);
  });

  it("refuses the whole where one effect is not for it", async () => {
    const decisionId = await house.decide({ changes: [house.add("half"), house.add("half-2", "risky")], ...auto });
    await house.worker().runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "refused policy_refuses"]);
    expect(await house.tickets("half")).toEqual([]);
  });

  it("is not held up by a decision whose payload cannot be read", async () => {
    const broken = await house.decide({ changes: [house.add("broken")], ...auto });
    await house.decide({ changes: [house.add("good")], ...auto });
    await house.admin.query(
      "update countersign.payload set body = '\\x00' where entry_id = (select id from countersign.entry where decision_id = $1 and kind = 'decided')",
      [broken],
    );
    await house.worker().runOnce();
    expect(await house.story(broken)).toEqual(["decided", "refused policy_refuses"]);
    expect(await house.tickets("good")).toHaveLength(1);
  });
});
