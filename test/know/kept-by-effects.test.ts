import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineHands } from "../../src/act/hands.ts";
import { implementEffect, through } from "../../src/act/implement.ts";
import { keeper, keptSight } from "../../src/act/keeping.ts";
import { factsOf, memoryOf } from "../../src/contract/context.ts";
import type { MemoryRule } from "../../src/contract/memory.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { defineProject } from "../../src/define/project.ts";
import { from } from "../../src/define/source.ts";
import type { Desk } from "../../src/desk.ts";
import { declarePredicates, nameFactSource } from "../../src/know/facts/write.ts";
import { systemClock } from "../../src/store/clock.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import type { Worker } from "../../src/worker.ts";
import { House } from "../postgres/acting/house.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { predicates, sources } from "./temporal/fact-house.ts";

// What the house itself knows is written by declared effects: proposed, signed by a person, carried out by the acting half, looked at by
// a read of its own. What decides has no way to it.
const preference: MemoryRule = { of: "preference", scope: "user", most: 3, keepMs: 3_600_000 };
const move = z.strictObject({ employee: z.string().max(60), department: z.string().max(60), from: z.iso.date() });
type Move = z.infer<typeof move>;
const berlin = (date: string) => Date.parse(`${date}T00:00:00Z`);

const noteDepartment = defineEffect<Move>({
  ...{
    name: "note_department",
    version: "1",
    owner: "people",
    params: move,
    sideEffect: "mutating",
    risk: "low",
    reversible: true,
  },
  paramRules: Object.fromEntries(
    ["employee", "department", "from"].map((name) => [name, { class: "param", sources: ["principal"] }]),
  ),
  describe: ({ employee, department }) => `Note that ${employee} works in ${department}`,
  key: ({ employee, from: day }) => `department:${employee}:${day}`,
  ...{ dedupe: "key", settleMs: 1_000 },
  before: {
    query: "knowledge.facts",
    params: ({ employee }) => ({ subject: employee, predicate: "department" }),
    project: (rows) => (rows[0] === undefined ? null : { department: rows[0]["object"] ?? null }),
  },
  expect: { state: ({ department }) => ({ department }), mayChange: [], deadlineMs: 10_000 },
});
const wish = z.strictObject({ text: z.string().max(200) });
const rememberWish = defineEffect<z.infer<typeof wish>>({
  ...{
    name: "remember_wish",
    version: "1",
    owner: "people",
    params: wish,
    sideEffect: "mutating",
    risk: "low",
    reversible: true,
  },
  paramRules: { text: { class: "content", sources: ["principal"] } },
  describe: ({ text }) => `Remember: ${text}`,
  key: ({ text }) => `wish:${text}`,
  ...{ dedupe: "key", settleMs: 1_000 },
  before: { query: "knowledge.facts", params: () => ({ subject: "none", predicate: "title" }), project: () => null },
  expect: { state: ({ text }) => ({ text }), mayChange: [], deadlineMs: 10_000 },
});

const common = { version: "1", owner: "people", openTo: ["employee"], checks: [] };
const change = defineCapability<Move, Record<string, never>>({
  ...common,
  ...{ name: "move", description: "Notes where somebody works.", input: move, decision: z.strictObject({}), needs: () => [] },
  deciding: { kind: "rule", version: "1", rule: () => ({}) },
  effects: [noteDepartment.erased],
  propose: ({ inputs }) => ({
    summary: "Noted",
    effects: [
      effectDraft(noteDepartment, {
        params: inputs,
        sources: {
          "/employee": from.principal("/employee"),
          "/department": from.principal("/department"),
          "/from": from.principal("/from"),
        },
      }),
    ],
  }),
});
const remember = defineCapability<z.infer<typeof wish>, Record<string, never>>({
  ...common,
  ...{ name: "remember", description: "Remembers a wish.", input: wish, decision: z.strictObject({}), needs: () => [] },
  remembers: [preference],
  deciding: { kind: "rule", version: "1", rule: () => ({}) },
  effects: [rememberWish.erased],
  propose: ({ inputs }) => ({
    summary: "Remembered",
    effects: [effectDraft(rememberWish, { params: inputs, sources: { "/text": from.principal("/text") } })],
  }),
});
const known = z.strictObject({ departments: z.array(z.string()), wishes: z.array(z.string()) });
const look = defineCapability<{ employee: string; at: string }, z.infer<typeof known>>({
  ...common,
  ...{ name: "look", description: "Says what is known.", decision: known, remembers: [preference] },
  input: z.strictObject({ employee: z.string(), at: z.string() }),
  needs: ({ inputs }) => [
    {
      kind: "facts",
      name: "where",
      subject: inputs.employee,
      predicates: ["department"],
      at: berlin(inputs.at),
      limit: 5,
      isRequired: false,
    },
    { kind: "memory", name: "wishes", of: "preference", scope: "user", limit: 3 },
  ],
  deciding: {
    kind: "rule",
    version: "1",
    rule: ({ context }) => ({
      departments: factsOf(context, "where").map(({ object }) => object),
      wishes: memoryOf(context, "wishes").map(({ text }) => text),
    }),
  },
  propose: ({ decision }) => ({ summary: JSON.stringify(decision) }),
});
const project = defineProject({ name: "people", capabilities: [change, remember, look] });

const hands = defineHands({
  records: [],
  hands: [
    implementEffect(noteDepartment, {
      apply: through(keeper, async (kept, { employee: subject, department: object, from: validFrom }, { tenant }) => {
        const fact = { subject, predicate: "department", object, validFrom, validTo: null, scopes: ["tenant:all"] };
        const { written, known: before } = await kept.succeedFact(
          { tenant, source: "hr" },
          { mapping: 1, fact, reason: "they moved" },
        );
        return { targetId: written[0] ?? before[0] ?? null };
      }),
      observe: through(keptSight, async (kept, { employee: subject, from: day }, { tenant }) => {
        const [fact] = await kept.facts(tenant, { subject, predicate: "department", at: berlin(day) });
        return fact === undefined ? null : { department: fact.object };
      }),
    }),
    implementEffect(rememberWish, {
      apply: through(keeper, async (kept, { text }, { tenant, decision }) => {
        if (decision === undefined) throw new Error("memory is kept for a decision");
        return { targetId: await kept.remember({ tenant, decision, of: "preference", scope: "user", text }) };
      }),
      observe: through(keptSight, async (kept, { text }, { tenant }) => {
        const texts = await kept.memory(tenant, { of: "preference", owner: "erin", onBehalfOf: null });
        return texts.includes(text) ? { text } : null;
      }),
    }),
  ],
});

let house: House;
let decider: Decider;
let desk: Desk;
let worker: Worker;
beforeAll(async () => {
  house = await House.build();
  desk = house.desk({ project });
  worker = house.worker({ hands, sample: { ...house.sample, project } });
  decider = await createDecider({
    ...{
      project,
      database: house.deciding,
      payloadKey: house.payloadKey,
      policy: shippedPolicy,
      environment: "demo",
      ids: house.ids,
    },
    ...{ clock: systemClock, parts: defineDeciding({ providers: [], records: [], hiddenValues: null }) },
    vault: environmentVault({ side: "deciding", env: {}, declared: { reads: [] } }),
    onError: (thrown) => {
      throw thrown;
    },
  });
  await house.acting.inTenant("acme", async (tx) => {
    for (const source of sources) await nameFactSource({ tx, tenant: "acme" }, source);
    await declarePredicates({ tx, tenant: "acme" }, { version: 1, predicates });
  });
});
afterAll(async () => {
  await decider?.close();
  await house?.close();
});

const erin: Principal = { tenant: "acme", id: "erin", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
const ada: Principal = { ...erin, id: "ada", roles: ["approver"] };

async function done(capability: string, inputs: unknown): Promise<string | undefined> {
  const { id, state } = await decider.decide({ principal: erin, capability, inputs });
  expect(state).toBe("waiting");
  await house.settled();
  await desk.approve({ principal: ada, decisionId: id });
  await worker.runOnce();
  return (await decider.decision({ principal: erin, decisionId: id })).effects[0]?.state;
}

async function seen(employee: string, at: string, principal = erin): Promise<z.infer<typeof known>> {
  const { summary } = await decider.decide({ principal, capability: "look", inputs: { employee, at } });
  return known.parse(JSON.parse(summary ?? "null"));
}

describe("what declared effects keep", () => {
  it("is known as of its time once it was signed and carried out, and what held before ends there", async () => {
    const subject = "employee:e-9";
    expect(await done("move", { employee: subject, department: "department:sales", from: "2025-01-01" })).toBe("complete");
    expect((await seen(subject, "2025-06-01")).departments).toEqual(["department:sales"]);
    expect(await done("move", { employee: subject, department: "department:stores", from: "2026-01-01" })).toBe("complete");
    expect((await seen(subject, "2025-06-01")).departments).toEqual(["department:sales"]);
    expect((await seen(subject, "2026-06-01")).departments).toEqual(["department:stores"]);
  });

  it("is not there before a person has signed", async () => {
    await decider.decide({
      principal: erin,
      capability: "move",
      inputs: { employee: "e-8", department: "d", from: "2025-01-01" },
    });
    await worker.runOnce();
    expect((await seen("e-8", "2025-06-01")).departments).toEqual([]);
  });

  it("is remembered for the person that it was decided for, by the rule of the capability", async () => {
    expect(await done("remember", { text: "short answers" })).toBe("complete");
    expect((await seen("e-7", "2025-01-01")).wishes).toEqual(["short answers"]);
    expect((await seen("e-7", "2025-01-01", { ...erin, id: "eve" })).wishes).toEqual([]);
  });

  it("is really gone once its time is over, by a round of the worker, at once or in its own time", async () => {
    const kept = async (text: string) => {
      await done("remember", { text });
      await house.admin.query("update countersign.memory set expires_at = 1 where body = $1", [text]);
    };
    const left = async () => (await house.admin.query("select from countersign.memory where expires_at = 1")).rowCount;
    await kept("soon over");
    expect(await worker.runOnce()).toMatchObject({ forgotten: 1 });
    expect(await left()).toBe(0);
    await kept("over later");
    const other = house.worker({ hands, sample: { ...house.sample, project } });
    other.start();
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 15_000 });
    await other.stop();
  });

  it("takes no secret of a vault, and no connector that a project could open", async () => {
    const { secretsOf } = await import("../../src/worker.ts");
    expect(secretsOf(hands)).toEqual({ writes: [], observes: [] });
    for (const connector of [keeper, keptSight])
      await expect(connector.open("")).rejects.toMatchObject({ code: "definition_invalid" });
  });
});
