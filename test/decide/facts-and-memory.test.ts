import { describe, expect, it } from "vitest";
import { z } from "zod";
import { factsOf, holdsUntrustedText, memoryOf } from "../../src/contract/context.ts";
import type { Fact } from "../../src/contract/fact.ts";
import type { MemoryRule, Remembered } from "../../src/contract/memory.ts";
import { shownItem } from "../../src/contract/shown-item.ts";
import { sourcesOf } from "../../src/decide/sources.ts";
import { type CapabilityDefinition, defineCapability } from "../../src/define/capability.ts";
import { from } from "../../src/define/source.ts";
import { type FixedItems, fixedContext, proposeForTest, testPrincipal, testTime } from "../../src/testing/index.ts";
import { lend } from "./samples.ts";

const day = 86_400_000;
const sales: Omit<Fact, "kind" | "need" | "at"> = {
  ...{ id: "fact:1", subject: "employee:e-1", predicate: "department", object: "department:sales" },
  ...{ validFrom: Date.UTC(2024, 0, 1), validTo: Date.UTC(2025, 0, 1), learntAt: testTime - day, source: "hr" },
  ...{ sourceTitle: "Personnel register", label: "system", zone: "Europe/Berlin", mappingVersion: 1 },
  ...{ hasLater: true, isInConflict: false, path: ["fact:1"], isCutOff: false },
};
const fact: Fact = { ...sales, kind: "fact", need: "where", at: Date.UTC(2024, 5, 1) };
const turn: Omit<Remembered, "kind" | "need"> = {
  ...{ id: "memory:1", of: "turn", scope: "session", about: null, text: "earlier: sales moved to floor 3", at: testTime - day },
  decisionId: "d-1",
};
const turns: MemoryRule = { of: "turn", scope: "session", most: 4, keepMs: day };

const decision = z.strictObject({ claims: z.array(z.strictObject({ text: z.string(), source: z.string() })) });
type Claims = z.infer<typeof decision>;

function answerWhere(own: Partial<CapabilityDefinition<object, Claims>> = {}, claims: Claims["claims"] = []) {
  return defineCapability<object, Claims>({
    ...{ name: "where", version: "1", owner: "people", description: "Says where somebody works.", openTo: ["employee"] },
    input: z.strictObject({}),
    decision,
    needs: () => [
      { kind: "facts", name: "where", subject: "employee:e-1", predicates: "all", at: fact.at, limit: 5, isRequired: true },
      { kind: "memory", name: "before", of: "turn", scope: "session", limit: 3 },
    ],
    remembers: [turns],
    deciding: { kind: "rule", version: "1", rule: () => ({ claims }) },
    checks: [],
    propose: ({ decision: made }) => ({ summary: "told", claims: made.claims }),
    ...own,
  });
}

function decide(items: FixedItems, capability = answerWhere()) {
  const context = fixedContext({ facts: { where: [sales] }, memory: { before: [turn] }, ...items });
  return proposeForTest({ capability, inputs: {}, deps: { context } });
}

describe("facts in a decision", () => {
  it("are loaded with their window and the time that was asked for, and back a claim", async () => {
    const claims = [{ text: "They worked in {{where.object}} until {{where.until}}", source: "fact:1" }];
    const record = await decide({}, answerWhere({}, claims));
    expect(record.proposal?.claims).toEqual([
      {
        text: "They worked in department:sales until 2025-01-01T01:00:00+01:00",
        source: "fact:1",
        citation: "Personnel register, true from 2024-01-01T01:00:00+01:00 until before 2025-01-01T01:00:00+01:00",
      },
    ]);
    expect(record.route).toBe("auto");
  });

  it("that must be there and are not stop the decision before anything decides", async () => {
    const record = await decide({ facts: {} });
    expect(record.stop).toMatchObject({ node: "context_load", reason: "not_in_sources" });
  });

  it("in conflict go to a person, also where nothing would change", async () => {
    const record = await decide({ facts: { where: [{ ...sales, isInConflict: true }] } });
    expect([record.route, record.loweredBy]).toEqual(["hitl_required", ["sources_conflict"]]);
  });

  it("are shown to a model with window, time and what does not apply", () => {
    expect(shownItem(fact)).toEqual({
      id: "fact:1",
      subject: "employee:e-1",
      predicate: "department",
      object: "department:sales",
      true: "from 2024-01-01T01:00:00+01:00 until before 2025-01-01T01:00:00+01:00",
      asOf: "2024-06-01T02:00:00+02:00",
      source: "Personnel register",
      notes: ["A later value exists; it does not apply at the time that is asked about."],
    });
    expect(shownItem({ ...fact, hasLater: false, validTo: null })).toMatchObject({
      true: "from 2024-01-01T01:00:00+01:00 until further notice",
    });
    expect(shownItem({ ...fact, isInConflict: true, isCutOff: true, path: ["fact:0", "fact:1"] })).toMatchObject({
      path: ["fact:0", "fact:1"],
      notes: [expect.anything(), expect.stringContaining("contradict"), expect.stringContaining("more of these")],
    });
  });

  it("are a source of a param where the value is theirs, and no better than who can write there", () => {
    const sources = (object: string, own: Partial<Fact> = {}) => {
      const loaded = { items: [{ ...fact, ...own }], digest: "" };
      const draft = { effect: lend.erased, params: { projector: object }, sources: { "/projector": from.fact(fact) } };
      return sourcesOf({ draft, inputs: {}, principal: testPrincipal, context: loaded })["/projector"];
    };
    expect(sources("department:sales")).toMatchObject({ kind: "fact", ref: "fact:1", untrustedInContext: false });
    expect(sources("department:stores")).toMatchObject({ kind: "model", chosenBy: "model" });
    expect(sources("department:sales", { label: "third" })).toMatchObject({ kind: "third_party", untrustedInContext: true });
  });
});

describe("memory in a decision", () => {
  it("is loaded within the capability's rule, and not without one", async () => {
    const record = await decide({});
    const items = { items: record.bodies["context"] as never, digest: "" };
    expect(memoryOf(items, "before")).toMatchObject([{ kind: "memory", text: turn.text }]);
    expect(factsOf(items, "where")).toHaveLength(1);
    const without = await decide({}, answerWhere({ remembers: [] }));
    expect(without.stop).toMatchObject({
      reason: "knowledge_unavailable",
      detail: expect.stringContaining("definition_invalid"),
    });
  });

  it("is no source: a claim that rests on it alone is dropped and named", async () => {
    const record = await decide({}, answerWhere({}, [{ text: "Sales is on floor 3", source: "memory:1" }]));
    expect(record.proposal?.claims).toEqual([]);
    expect(record.proposal?.droppedClaims).toEqual([{ text: "Sales is on floor 3", reason: "its source was not retrieved" }]);
    expect(record.proposal?.refusal).toBe("The sources do not say.");
  });

  it("counts as words of outsiders, and is shown as data with its time", () => {
    const piece: Remembered = { ...turn, kind: "memory", need: "before" };
    expect(holdsUntrustedText({ items: [piece], digest: "" })).toBe(true);
    expect(shownItem(piece)).toEqual({ id: "memory:1", remembered: "turn", at: "2026-03-01T09:00:00.000Z", text: turn.text });
  });

  it.each<[string, MemoryRule]>([
    ["turns of a person", { ...turns, scope: "user" }],
    ["five turns", { ...turns, most: 5 }],
    ["none", { ...turns, most: 0 }],
    ["for no time", { ...turns, keepMs: 0 }],
    ["for ever", { ...turns, keepMs: Number.POSITIVE_INFINITY }],
    ["notes of all the tenant", { ...turns, of: "decision", scope: "tenant" }],
    ["a kind that is none", { ...turns, of: "secrets" as never }],
  ])("is not kept by a rule of %s", (_, rule) => {
    expect(() => answerWhere({ remembers: [rule] })).toThrow(expect.objectContaining({ code: "definition_invalid" }));
  });

  it("is not kept by two rules of one kind", () => {
    expect(() => answerWhere({ remembers: [turns, turns] })).toThrow(expect.objectContaining({ code: "definition_invalid" }));
  });
});
