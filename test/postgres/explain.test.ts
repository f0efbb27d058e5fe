import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explanationLines } from "../../src/cli/explanation-lines.ts";
import type { Explanation } from "../../src/contract/explanation.ts";
import type { Principal } from "../../src/contract/principal.ts";
import type { Sight } from "../../src/contract/views.ts";
import { explain } from "../../src/ledger/explain/explain.ts";
import { type DecisionStory, readDecision } from "../../src/ledger/read.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { House, people } from "./acting/house.ts";

let house: House;
const { ada, abe, erin, oda } = people;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

async function storyOf(decisionId: string): Promise<DecisionStory> {
  const story = await house.deskStore.inSnapshot("acme", (tx) =>
    readDecision({ tx, tenant: "acme", decisionId, keys: house.keys }),
  );
  if (story === null) throw new Error("the decision is there");
  return story;
}

const told = (decisionId: string, principal: Principal = oda): Promise<Explanation> =>
  house.desk().explanation({ principal, decisionId });

async function carriedOut(name: string): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)] });
  await house.desk().approve({ principal: ada, decisionId });
  await house.worker().runOnce();
  return decisionId;
}

describe("who allowed it?", () => {
  it("is answered from the ledger alone: whose signature, over what, until when, and what was done with it", async () => {
    const decisionId = await carriedOut("who-allowed-it");
    const story = await storyOf(decisionId);
    // No row of approvals or of operations is asked.
    const { effects, asked } = explain({ story: { ...story, approvals: [], operations: [] }, sight: "auditor", related: [] });
    const proposed = story.proposal?.effects[0];
    expect(asked).toMatchObject({ by: "erin", onBehalfOf: null, roles: ["employee", "approver"] });
    expect(effects).toHaveLength(1);
    expect(effects[0]?.approvals).toEqual([
      {
        approvalId: story.approvals[0]?.id,
        entryId: story.approvals[0]?.entry_id,
        at: expect.any(Number),
        by: "ada",
        kind: "person",
        role: "approver",
        scope: {
          proposalDigest: story.proposal?.digest,
          paramsDigest: proposed?.paramsDigest,
          beforeDigest: proposed?.beforeDigest,
        },
        expiresAt: expect.any(Number),
        ...{ policy: shippedPolicy.version, policies: ["approver_signs"] },
        keyId: expect.stringMatching(/^[0-9a-f]{64}$/),
        end: "consumed",
      },
    ]);
    expect(effects[0]?.operations[0]?.approvalIds).toEqual([story.approvals[0]?.id]);
    expect(effects).toEqual(explain({ story, sight: "auditor", related: [] }).effects);
  });

  it("is still answered when what was proposed was erased: who, which effect, which digests", async () => {
    const decisionId = await carriedOut("erased");
    const { proposal, outcome } = await storyOf(decisionId);
    const erase = "update countersign.payload set body = null, erased_at = now() where entry_id = $1";
    await house.admin.query(erase, [outcome.id]);
    const { effects, decision } = await told(decisionId);
    expect(decision.effects).toEqual([]);
    expect(effects[0]).toMatchObject({
      ...{ effect: "add_ticket", params: null, sentence: null, paramsDigest: proposal?.effects[0]?.paramsDigest },
      approvals: [{ by: "ada", scope: { proposalDigest: proposal?.digest } }],
    });
    expect(JSON.stringify(effects)).not.toContain('"name":"erased"');
  });

  it("names both of two people, who took a signature back, and who was not let", async () => {
    const decisionId = await house.decide({ changes: [house.add("two-people", "grave")] });
    const desk = house.desk();
    await desk.approve({ principal: abe, decisionId });
    await desk.withdraw({ principal: abe, decisionId });
    await desk.approve({ principal: ada, decisionId });
    await expect(desk.approve({ principal: erin, decisionId })).rejects.toMatchObject({ code: "approver_not_permitted" });
    await desk.approve({ principal: abe, decisionId });
    await house.worker().runOnce();
    const { effects, entries } = await told(decisionId);
    expect(effects[0]?.approvals.map(({ by, end }) => [by, end])).toEqual([
      ["abe", "withdrawn"],
      ["ada", "consumed"],
      ["abe", "consumed"],
    ]);
    expect(effects[0]?.operations[0]?.approvalIds).toHaveLength(2);
    expect(entries.map(({ kind }) => kind)).toContain("refused");
    const lines = explanationLines(await told(decisionId)).join("\n");
    expect(lines).toMatch(/abe took the signature on effect 1 “Add ticket two-people” back/);
    expect(lines).toMatch(/erin was not let: approver_not_permitted by the rule requester_never_signs/);
  });
});

describe("an operation id", () => {
  it("joins what was sent, with which credential by name and where, what the target said and what was seen", async () => {
    const decisionId = await carriedOut("joined");
    const { effects, versions, environment, evidence } = await told(decisionId);
    const { proposal, operations } = await storyOf(decisionId);
    expect(effects[0]).toMatchObject({
      ...{ index: 0, effect: "add_ticket", version: "1", sentence: "Add ticket joined", params: { name: "joined", note: "n" } },
      ...{ before: null, expected: { note: "n", status: "open" }, key: "ticket:joined" },
    });
    expect(effects[0]?.operations).toMatchObject([
      {
        operationId: operations[0]?.id,
        generation: 1,
        sends: [
          {
            ...{ attempt: 1, credential: "SANDBOX_WRITE", observer: "SANDBOX_OBSERVE", environment: "demo", fence: 1 },
            response: { targetId: expect.stringMatching(/^\d+$/) },
          },
        ],
        looks: [
          { verdict: "complete", observed: { note: "n", status: "open" }, expected: { note: "n", status: "open" }, fault: null },
        ],
        ends: [],
      },
    ]);
    expect(versions).toEqual({
      ...{
        capability: "1",
        model: "none",
        prompt: "rule 1",
        policy: "code-1",
        calibration: "weights-1",
        tools: null,
        index: null,
      },
    });
    expect({ environment, digest: evidence.proposalDigest }).toEqual({ environment: "demo", digest: proposal?.digest });
  });

  it("tells a lost reply apart from an answer, and every send of a retry", async () => {
    const decisionId = await house.decide({ changes: [house.add("sent-twice")] });
    await house.desk().approve({ principal: ada, decisionId });
    const down = async (point: string) => (point === "arriving" ? Promise.reject(new Error("down")) : undefined);
    await house.worker({ at: down }).runOnce();
    for (let round = 0; round < 3; round += 1) {
      house.aheadMs += 6_000;
      await house.worker().runOnce();
    }
    const { effects, decision } = await told(decisionId);
    expect(decision.state).toBe("done");
    expect(effects[0]?.operations).toHaveLength(1);
    expect(effects[0]?.operations[0]?.sends.map(({ attempt, response }) => [attempt, response === null])).toEqual([
      [1, true],
      [2, false],
    ]);
    const looks = effects[0]?.operations[0]?.looks.map(({ verdict }) => verdict) ?? [];
    expect([looks[0], looks.at(-1)]).toEqual(["unknown", "complete"]);
  });

  it("leads to the person who was called, and why", async () => {
    const decisionId = await house.decide({ changes: [house.add("unreadable")] });
    await house.desk().approve({ principal: ada, decisionId });
    const blind = async (point: string) => (point === "observing" ? Promise.reject(new TypeError("blind")) : undefined);
    await house.worker({ at: blind }).runOnce();
    house.aheadMs += 61_000;
    await house.worker({ at: blind }).runOnce();
    const { effects } = await told(decisionId);
    expect(effects[0]?.operations[0]).toMatchObject({
      looks: [{ fault: "TypeError" }, { fault: "TypeError" }],
      ends: [{ kind: "escalated", owner: "service-desk", reason: "not_readable_by_deadline" }],
    });
    expect(explanationLines(await told(decisionId)).join("\n")).toMatch(
      /a person is called, service-desk: not_readable_by_deadline/,
    );
  });
});

describe("decisions that belong together", () => {
  it("are named from both sides, where they are open to whoever asks", async () => {
    const first = await house.decide({ changes: [house.add("first")] });
    const { outcome } = await storyOf(first);
    const second = await house.decide({ changes: [house.add("second")], cause: outcome.id });
    expect((await told(first)).related).toEqual([{ how: "followed_by", decisionId: second }]);
    expect((await told(second)).related).toEqual([{ how: "follows", decisionId: first }]);
    // An answer to somebody else that followed is no approver's business.
    const answer = await house.decide({ changes: [], route: "auto", cause: outcome.id });
    expect((await told(first)).related.map(({ decisionId }) => decisionId)).toEqual([second, answer]);
    expect((await told(first, ada)).related.map(({ decisionId }) => decisionId)).toEqual([second]);
  });
});

describe("the depth", () => {
  const context = [
    { kind: "passage", id: "passage:1", title: "Device policy", version: "3.1", text: "secret words" },
    { kind: "record", id: "devices:1", query: "devices", row: { held: "secret words" }, readAt: 7 },
  ];

  it.each([
    ["requester", false],
    ["reviewer", true],
    ["auditor", true],
  ] as const)("is that of the sight: to a %s the evidence is named: %s", async (sight: Sight, isNamed) => {
    const story = await storyOf(await house.decide({ changes: [house.add(`depth-${sight}`)] }));
    const outcome = { ...story.outcome, bodies: { ...story.outcome.bodies, context, replies: ["what a model wrote"] } };
    const explanation = explain({ story: { ...story, outcome }, sight, related: [] });
    expect(explanation.sight).toBe(sight);
    expect(explanation.evidence.items).toEqual(
      isNamed
        ? [
            { id: "passage:1", kind: "passage", title: "Device policy", version: "3.1", readAt: null },
            { id: "devices:1", kind: "record", title: "devices", version: null, readAt: 7 },
          ]
        : null,
    );
    expect(JSON.stringify(explanation).includes("what a model wrote")).toBe(sight === "auditor");
    expect(JSON.stringify(explanation).includes("secret words")).toBe(isNamed);
  });

  it("is nothing at all for a colleague, whoever the decision is of", async () => {
    const decisionId = await carriedOut("not-yours");
    const colleague = { ...erin, id: "col", roles: ["employee"] };
    await expect(told(decisionId, colleague)).rejects.toMatchObject({ code: "not_found" });
    await expect(told(decisionId, { ...ada, tenant: "globex" })).rejects.toMatchObject({ code: "not_found" });
    await expect(told("no-id")).rejects.toMatchObject({ code: "not_found" });
    expect((await told(decisionId, erin)).sight).toBe("requester");
  });
});

it("reads as a story, in the order of what was committed, with times that say their zone", async () => {
  const decisionId = await carriedOut("as-a-story");
  const explanation = await told(decisionId);
  const lines = explanationLines(explanation);
  expect(lines[0]).toContain("times are UTC");
  const at = new Date(explanation.entries[0]?.ts ?? 0).toISOString().slice(0, 19).replace("T", " ");
  expect(lines[2]).toMatch(new RegExp(`^${at}  #\\d+ +erin \\(employee, approver\\) asked`));
  const story = lines.join("\n");
  const steps = [/erin .*asked/, /tickets 1 decided: hitl_required by below_margin/, /model none, prompt rule 1, policy code-1/]
    .concat([/ada as approver allowed effect 1 “Add ticket as-a-story”, good until \d{4}-/, /for params [0-9a-f]{12} over/])
    .concat([/sent, attempt 1, with the credential SANDBOX_WRITE in demo/, /the target answered with \d+; that is not yet done/])
    .concat([/seen by an independent read: done/]);
  const places = steps.map((step) => story.search(step));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  for (const line of lines.slice(2, lines.indexOf("", 2))) expect(line).toMatch(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}|\s{31})\S/);
});

it("has no field that docs/explain.md does not name", async () => {
  const page = await readFile(new URL("../../docs/explain.md", import.meta.url), "utf8");
  const decisionId = await house.decide({ changes: [house.add("documented")] });
  const desk = house.desk();
  await desk.approve({ principal: ada, decisionId });
  await house
    .worker({ at: async (point) => (point === "observing" ? Promise.reject(new TypeError("blind")) : undefined) })
    .runOnce();
  const { decision: _decision, entries: _entries, ...chain } = await told(decisionId);
  const [effect] = chain.effects;
  expect(effect?.operations[0]?.looks).toHaveLength(1);
  // What is in these is the project's own.
  const own = new Set(["params", "before", "expected", "observed"]);
  const names = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(names);
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) => [name, ...(own.has(name) ? [] : names(member))]);
  };
  expect([...new Set(names(chain))].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
