import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../contract/json.ts";
import type { ProposalDraft, SourceClaim } from "../contract/proposal.ts";
import { defineCapability } from "../define/capability.ts";
import { defineEffect, effectDraft } from "../define/effect.ts";
import { from } from "../define/source.ts";
import { ownWordsOnly } from "./own-words.ts";

const lineParams = z.strictObject({ name: z.string(), count: z.int() });
type Line = z.infer<typeof lineParams>;
const effect = defineEffect<Line>({
  ...{ name: "add_line", version: "1", owner: "o", params: lineParams, paramRules: {}, sideEffect: "mutating", risk: "low" },
  ...{ reversible: true, describe: () => "-", key: ({ name }) => name, dedupe: "key", settleMs: 0 },
  before: { query: "q", params: () => ({}), project: () => null },
  expect: { state: () => ({}), mayChange: [], deadlineMs: 1 },
});

function sourcesGiven(given: Json, params: Line, more: { readonly [pointer: string]: SourceClaim } = {}) {
  const capability = defineCapability<Line, Record<string, never>>({
    ...{ name: "c", version: "1", owner: "o", description: "-", openTo: [], input: lineParams, decision: z.strictObject({}) },
    ...{ needs: () => [], checks: [], effects: [effect.erased], deciding: { kind: "rule", version: "1", rule: () => ({}) } },
    propose: (): ProposalDraft => ({
      summary: "-",
      effects: [
        effectDraft(effect, {
          params,
          sources: { "/name": from.principal("/name"), "/count": from.principal("/count"), ...more },
        }),
      ],
    }),
  });
  const draft = ownWordsOnly(capability, given).propose({} as never); // this `propose` looks at nothing
  const sources = draft.effects?.[0]?.sources ?? {};
  return [sources["/name"]?.kind, sources["/count"]?.kind];
}

describe("inputs that the principal did not write", () => {
  it.each<[string, Json, unknown[]]>([
    [
      "what they gave, word for word and under its name",
      { text: "add the line A-7 please", count: 3 },
      ["principal", "principal"],
    ],
    ["a part of a longer word", { text: "A-77", count: 3 }, ["model", "principal"]],
    ["a number that they gave for something else", { text: "A-7", age: 3 }, ["principal", "model"]],
    ["another number", { text: "A-7", count: 4 }, ["principal", "model"]],
    ["nothing", null, ["model", "model"]],
  ])("are theirs where they are %s, or else the model's", (_what, given, kinds) => {
    expect(sourcesGiven(given, { name: "A-7", count: 3 })).toEqual(kinds);
  });

  it("are judged where they are claimed to be the principal's words alone", () => {
    const more = { "/name": from.requester(), "/count": from.calculation("sum") };
    expect(sourcesGiven(null, { name: "A-7", count: 3 }, more)).toEqual(["principal", "calculation"]);
  });
});
