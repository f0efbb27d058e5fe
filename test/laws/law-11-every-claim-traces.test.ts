import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ClaimDraft } from "../../src/contract/answer.ts";
import type { Passage, RecordRow } from "../../src/contract/context.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { fixedContext, proposeForTest, testTime } from "../../src/testing/index.ts";

// Law 11: every claim traces to a passage, a record, a fact or a calculation made by code. An untraced claim is dropped and named; if the
// rest does not answer, the outcome is a refusal, and that lists no sources.
const passage: Omit<Passage, "kind" | "need"> = {
  ...{
    id: "passage:terms:2.0:1",
    document: "terms",
    title: "Hosting terms",
    version: "2.0",
    section: "Backups",
    score: 0.9,
    isAuthority: true,
  },
  text: "Backups are made every 6 hours since 1 March 2026 and kept for 30 days in Frankfurt. Priya Nair answers at backup-desk-7.",
};
const row: Omit<RecordRow, "kind" | "need" | "query"> = {
  ...{
    id: "plans:p-1",
    row: { plan: "p-1", kept_days: 45, place: "Dublin" },
    labels: { plan: "system", kept_days: "system" },
    readAt: testTime,
  },
};
const truths: readonly ClaimDraft[] = [
  { text: "Backups are made every six hours and kept for 30 days.", source: passage.id },
  { text: "They have been made since 2026-03-01, and Priya Nair answers at backup-desk-7.", source: passage.id },
  { text: "The plan {{plan.plan}} keeps them for {{plan.kept_days}} days.", source: row.id },
];

describe("a claim", () => {
  it("is let through where its source says it", async () => {
    const { proposal } = await answer(truths);
    expect(proposal).toMatchObject({ droppedClaims: [], refusal: null });
    expect(proposal?.claims.map(({ text }) => text)).toEqual([
      ...truths.slice(0, 2).map(({ text }) => text),
      "The plan p-1 keeps them for 45 days.",
    ]);
  });

  it("is dropped and named where one figure of it is another", async () => {
    const figures = fc.integer({ min: 0, max: 9999 }).filter((count) => ![6, 30, 45, 2, 2026].includes(count));
    await fc.assert(
      fc.asyncProperty(figures, fc.constantFrom("days", "hours", "percent", "euros", ""), async (count, unit) => {
        const said = { text: `Backups are kept for ${count} ${unit}.`.replace(" .", "."), source: passage.id };
        const { proposal } = await answer([said]);
        expect(proposal).toMatchObject({ claims: [], droppedClaims: [{ text: said.text }], refusal: "The sources do not say." });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["a name", "Backups are kept in Dublin."],
    ["a person", "Priya Menon answers."],
    ["a date", "They have been made since 1 May 2026."],
    ["an identifier", "Somebody answers at backup-desk-70."],
    ["a number that is right of something else", "Backups are kept for 6 days."],
    ["a number in another script's figures", "Backups are kept for ９０ days."],
    ["a number with something invisible in it", "Backups are kept for 9\u200b0 days."],
    ["a binding that does not resolve", "Backups are kept for {{plan.years}} years."],
    ["what looks like a calculation", "Backups are kept for {{sum(plan.kept_days, plan.kept_days)}} days."],
  ])("is dropped and named for %s that its source does not hold", async (_what, text) => {
    const { proposal } = await answer([{ text, source: passage.id }, truths[0] as ClaimDraft]); // the first of three
    expect(proposal?.claims.map((claim) => claim.text)).toEqual([truths[0]?.text]);
    expect(proposal?.droppedClaims.map((claim) => claim.text)).toEqual([text]);
  });

  it.each([
    ["that was not retrieved", "passage:terms:2.0:2"],
    ["that is a piece of another's id", "passage:terms:2.0:"],
    ["of another kind", "memory:1"],
    ["with no name", ""],
  ])("is dropped and named with a source %s", async (_what, source) => {
    const { proposal } = await answer([{ text: "Backups are made.", source }]);
    expect(proposal).toMatchObject({ claims: [], droppedClaims: [{ reason: "its source was not retrieved" }] });
  });
});

describe("an answer", () => {
  it("is a refusal that lists no sources where what must be answered is not left", async () => {
    const kept = { text: "Backups are kept for 90 days.", source: passage.id, answers: "kept" };
    const { proposal } = await answer([kept, truths[0] as ClaimDraft], ["kept"]); // the first of three
    expect(proposal).toMatchObject({ claims: [], refusal: "The sources do not say." });
    expect(JSON.stringify(proposal?.claims)).not.toContain(passage.id);
  });

  it("goes to a person with both sides where sources of one rank contradict each other, and not where a record is right", async () => {
    const said = (source: string, value: string) => ({ text: `They are kept for ${value}.`, source, answers: "kept", value });
    const other = { ...passage, id: "passage:annex:1:1", text: "Backups are kept for 14 days." };
    const both = await answer([said(passage.id, "30 days"), said(other.id, "14 days")], [], [passage, other]);
    expect(both).toMatchObject({ route: "hitl_required", loweredBy: ["sources_conflict"] });
    expect(both.proposal?.claims).toHaveLength(2);
    const settled = await answer([said(passage.id, "30 days"), { ...said(row.id, "45"), text: "They are kept for 45 days." }]);
    expect(settled).toMatchObject({ route: "auto", loweredBy: [], proposal: { claims: [{ source: row.id }] } });
  });
});

function answer(claims: readonly ClaimDraft[], mustAnswer: readonly string[] = [], passages = [passage]) {
  const capability = defineCapability<{ text: string }, { ok: boolean }>({
    ...{ name: "answer_terms", version: "1", owner: "desk", description: "Answers.", openTo: ["employee"], checks: [] },
    input: z.strictObject({ text: z.string() }),
    decision: z.strictObject({ ok: z.boolean() }),
    needs: () => [
      { kind: "passages", name: "terms", query: "backups", limit: 5, minimumScore: 0 },
      { kind: "records", name: "plan", query: "plans", params: {}, maxAgeMs: 60_000 },
    ],
    deciding: { kind: "rule", version: "1", rule: () => ({ ok: true }) },
    propose: () => ({ summary: "An answer", claims, mustAnswer }),
  });
  const context = fixedContext({ passages: { terms: passages }, records: { plans: [row] } });
  return proposeForTest({ capability, inputs: { text: "how long?" }, deps: { context } });
}
