import { describe, expect, it } from "vitest";
import type { ClaimDraft } from "../../contract/answer.ts";
import type { Passage } from "../../contract/found-passages.ts";
import { traceAnswer } from "./trace-answer.ts";

const passage = (id: string, text: string, isAuthority?: true): Passage => ({
  ...{ kind: "passage", id, need: "terms", document: id, title: "Terms", version: "1", section: "Delivery", text, score: 0.9 },
  ...(isAuthority === undefined ? {} : { isAuthority }),
});
const items = [
  passage("guide", "Delivery takes 5 days. Returns are free."),
  passage("terms", "Delivery takes 3 days.", true),
  passage("annex", "Delivery takes 4 days.", true),
  { kind: "record", id: "row", need: "order", query: "orders.byId", row: { days: 2 }, labels: { days: "system" }, readAt: 0 },
] as const;
const days = (source: string, count: string): ClaimDraft => ({
  ...{ text: `Delivery takes ${count}.`, source, answers: "delivery", value: count },
});
const free: ClaimDraft = { text: "Returns are free.", source: "guide", answers: "returns" };

describe("an answer", () => {
  it("is what is left once untraced claims are dropped and named", () => {
    const traced = answer([days("guide", "5 days"), { ...free, source: "nowhere" }]);
    expect(traced).toMatchObject({ claims: [{ source: "guide" }], droppedClaims: [{ text: free.text }], refusal: null });
  });

  it("is a refusal without sources where nothing is left", () => {
    expect(answer([days("guide", "6 days")])).toMatchObject({ claims: [], refusal: "The sources do not say." });
  });

  it("is a refusal without sources where the part that must be answered is not, and names what was given up", () => {
    const traced = answer([days("guide", "6 days"), free], { mustAnswer: ["delivery"] });
    expect(traced).toMatchObject({ claims: [], refusal: "The sources do not say." });
    expect(traced.droppedClaims.map(({ reason }) => reason)).toEqual([
      "`6 days` does not stand in its source",
      "what is left is no answer",
    ]);
    expect(answer([days("guide", "5 days"), free], { mustAnswer: ["delivery"] })).toMatchObject({ refusal: null });
  });

  it("lists no sources where the capability itself declines", () => {
    expect(answer([free], { refusal: "Not for us to say." })).toMatchObject({ claims: [], refusal: "Not for us to say." });
  });
});

describe("sources that say different things of the same", () => {
  it.each([
    ["a record beats a document", ["row", "2 days"], ["terms", "3 days"]],
    ["a document with authority beats one without", ["terms", "3 days"], ["guide", "5 days"]],
  ] as const)("%s, in whatever order they come", (_rule, [right, said], [wrong, other]) => {
    for (const claims of [
      [days(right, said), days(wrong, other)],
      [days(wrong, other), days(right, said)],
    ])
      expect(answer(claims)).toMatchObject({
        claims: [{ source: right }],
        droppedClaims: [{ text: `Delivery takes ${other}.`, reason: "a source of more authority says otherwise" }],
        isInConflict: false,
      });
  });

  it("are both shown, as a conflict, where neither has more authority", () => {
    const traced = answer([days("terms", "3 days"), days("annex", "4 days"), days("guide", "5 days")]);
    expect(traced).toMatchObject({ claims: [{ source: "terms" }, { source: "annex" }], isInConflict: true, refusal: null });
  });

  it("are none where the values are the same in other words", () => {
    const claims = [
      days("row", "2 days"),
      { ...days("row", "2.0 days"), value: "2.0" },
      { ...days("row", "2 days"), value: "2" },
    ];
    expect(answer(claims)).toMatchObject({ isInConflict: false, droppedClaims: [] });
  });

  it("stay where the capability found the conflict itself, also beside its refusal", () => {
    const traced = answer([days("terms", "3 days"), free], {
      inConflict: ["terms", "guide"],
      refusal: "They contradict each other.",
    });
    expect(traced).toMatchObject({ claims: [{ source: "terms" }, { source: "guide" }], isInConflict: true });
  });
});

function answer(claims: readonly ClaimDraft[], rest: { mustAnswer?: string[]; inConflict?: string[]; refusal?: string } = {}) {
  return traceAnswer({ draft: { summary: "s", claims, ...rest }, context: { items, digest: "" }, calculations: new Map() });
}
