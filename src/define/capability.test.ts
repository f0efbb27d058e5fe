import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ModelChoice } from "../contract/capability.ts";
import { rowsOf } from "../contract/context.ts";
import { proposeForTest } from "../testing/index.ts";
import { type CapabilityDefinition, defineCapability } from "./capability.ts";

type Definition = CapabilityDefinition<{ ticket: string }, { close: boolean }>;
const model = { provider: "scripted", id: "m-2026-01-01", effort: "none", temperature: null } as const;
const check = { name: "a", run: () => ({ passed: true, evidence: "" }) };
const judge = { ratePpm: 0, version: "1", model, prompt: () => ({ system: "", messages: [] }) };

describe("defineCapability", () => {
  it("defines the example of its documentation, which decides", async () => {
    const record = await proposeForTest({ capability: defineCapability(definition), inputs: { ticket: "t-1" } });
    expect(record).toMatchObject({ kind: "decided", proposal: { summary: "The ticket stays open" } });
  });

  it("fills in defaults that fail closed, and freezes", () => {
    const capability = defineCapability(definition);
    expect(capability).toMatchObject({
      maxRetries: 2,
      onNonConforming: "reject",
      judge: null,
      review: "by_route",
      effects: [],
      keepsInputs: false,
    });
    expect(capability.output).toEqual({ maxTextLength: 4000, linkHosts: [], forbidden: [] });
    expect(capability.preCheck({ inputs: {}, envelope: {} as never })).toEqual({ kind: "pass" }); // the default reads nothing
    expect(capability.modelConfidence({})).toBeNull();
    expect(Object.isFrozen(capability)).toBe(true);
    expect(capability.decisionJson).toMatchObject({ type: "object", required: ["close"] });
  });

  it.each<[string, Partial<Definition>]>([
    ["no retries", { maxRetries: 0 }],
    ["a reply that never fits left to a person", { onNonConforming: "person" }],
    ["part of the output rules", { output: { linkHosts: ["help.example", "localhost"] } }],
    ["a soft check with a reason", { checks: [{ ...check, soft: { reason: "a hint" } }] }],
    ["a judge", { judge: { ...judge, ratePpm: 1_000_000 } }],
    ["a second model", { deciding: prompting("m-1", { second: { ...model, id: "m-2" } }) }],
    ["the same id of another provider", { deciding: prompting("m-1", { second: { ...model, provider: "other", id: "m-1" } }) }],
    ["the longest reply", { deciding: prompting("m-1", { maxOutputTokens: 1_000_000 }) }],
    ["a version with dots", { version: "2.1-rc.1" }],
  ])("accepts %s", (_what, part) => {
    expect(() => defineCapability({ ...definition, ...part })).not.toThrow();
  });

  it.each<[string, Partial<Definition>, RegExp]>([
    ["a name that is no id", { name: "Close Ticket" }, /form of an id/],
    ["a name that is too long", { name: "x".repeat(64) }, /form of an id/],
    ["no version", { version: "" }, /needs a version/],
    ["no owner", { owner: "" }, /needs an owner/],
    ["too many retries", { maxRetries: 3 }, /may retry 0 to 2 times/],
    ["fewer retries than none", { maxRetries: -1 }, /may retry/],
    ["half a retry", { maxRetries: 0.5 }, /may retry/],
    ["retries without end", { maxRetries: Number.NaN }, /may retry/],
    ["a length without end", { output: { maxTextLength: Number.NaN } }, /maxTextLength/],
    ["no length at all", { output: { maxTextLength: 0 } }, /maxTextLength/],
    ["a link host with its scheme", { output: { linkHosts: ["https://help.example"] } }, /not a host/],
    ["a link host in upper case", { output: { linkHosts: ["Help.Example"] } }, /not a host/],
    ["an empty link host", { output: { linkHosts: [""] } }, /not a host/],
    ["an empty forbidden statement", { output: { forbidden: [" "] } }, /empty statement/],
    ["two checks of one name", { checks: [check, check] }, /twice/],
    ["a check named like one that is always there", { checks: [{ ...check, name: "schema_ok" }] }, /always there/],
    ["a soft check without a reason", { checks: [{ ...check, soft: { reason: " " } }] }, /without a reason/],
    ["a rule without a version", { deciding: { kind: "rule", version: "", rule: () => ({}) } }, /version of its prompt or rule/],
    ["a floating second model", { deciding: prompting("m-1", { second: { ...model, id: "m:latest" } }) }, /floating model id/],
    [
      "a second model that is the first with another effort",
      { deciding: prompting("m-1", { second: { ...model, id: "m-1", effort: "high" } }) },
      /tell them apart/,
    ],
    ["a reply without end", { deciding: prompting("m-1", { maxOutputTokens: 1_000_001 }) }, /maxOutputTokens/],
    ["no reply at all", { deciding: prompting("m-1", { maxOutputTokens: 0 }) }, /maxOutputTokens/],
    ["half a token", { judge: { ...judge, model: { ...model, maxOutputTokens: 0.5 } } }, /maxOutputTokens/],
    ["a model id with a line break", { deciding: prompting("m-1\nx") }, /printable characters/],
    ["a model of a provider that is no id", { deciding: prompting("m-1", { provider: 'a"b' }) }, /form of an id/],
    ["a floating model", { deciding: prompting("m-latest") }, /floating model id/],
    ["a floating model in capitals", { deciding: prompting("m:LATEST") }, /floating model id/],
    ["no model", { deciding: prompting("") }, /printable characters/],
    ["a judge of a floating model", { judge: { ...judge, model: { ...model, id: "latest" } } }, /floating model id/],
    ["a judge rate as a share", { judge: { ...judge, ratePpm: 0.5 } }, /parts per million/],
    ["a judge rate above all", { judge: { ...judge, ratePpm: 1_000_001 } }, /parts per million/],
    [
      "a decision that cannot be shown",
      { decision: z.strictObject({ close: z.string().transform((text) => text === "yes") }) },
      /no model can be shown/,
    ],
  ])("refuses %s", (_what, part, says) => {
    const define = () => defineCapability({ ...definition, ...part });
    expect(define).toThrow(says);
    expect(define).toThrow(expect.objectContaining({ code: "definition_invalid" }));
  });
});

const definition: Definition = {
  name: "close_ticket",
  version: "1",
  owner: "service-desk",
  description: "Close a ticket that is solved.",
  openTo: ["employee"],
  input: z.strictObject({ ticket: z.string() }),
  decision: z.strictObject({ close: z.boolean() }),
  needs: ({ inputs }) => [
    { kind: "records", name: "ticket", query: "tickets.byId", params: { id: inputs.ticket }, maxAgeMs: 30_000 },
  ],
  deciding: {
    kind: "rule",
    version: "1",
    rule: ({ context }) => ({ close: rowsOf(context, "ticket")[0]?.row["solved"] === true }),
  },
  checks: [],
  propose: ({ decision }) => ({ summary: decision.close ? "The ticket can be closed" : "The ticket stays open" }),
};

function prompting(
  id: string,
  own: { provider?: string; second?: ModelChoice; maxOutputTokens?: number } = {},
): Definition["deciding"] {
  const { provider = model.provider, second, maxOutputTokens = 100 } = own;
  const asked = { kind: "prompt", version: "1", model: { ...model, provider, id, maxOutputTokens } } as const;
  return { ...asked, ...(second === undefined ? {} : { second }), prompt: () => ({ system: "", messages: [] }) };
}
