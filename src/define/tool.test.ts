import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Loop } from "../contract/capability.ts";
import { foundBy, needOf } from "../contract/tool.ts";
import { defineCapability } from "./capability.ts";
import { defineTool } from "./tool.ts";

const definition = {
  name: "history",
  description: "What happened to a device.",
  sideEffect: "read",
  args: z.strictObject({ device: z.string().max(20) }),
  need: ({ device }: { device: string }) => ({ kind: "records", query: "history", params: { device }, maxAgeMs: 0 }) as const,
} as const;
const tool = defineTool(definition);

describe("defineTool", () => {
  it("converts the schema of the arguments once, and freezes", () => {
    expect(tool.argsJson).toMatchObject({ type: "object", required: ["device"], additionalProperties: false });
    expect([Object.isFrozen(tool), Object.isFrozen(tool.argsJson)]).toEqual([true, true]);
  });

  it.each<[string, object, RegExp]>([
    ["a name that no binding can hold", { name: "device-history" }, /needs a name/],
    ["a name in capitals", { name: "History" }, /needs a name/],
    ["no description", { description: " " }, /needs a description/],
    ["a side effect", { sideEffect: "mutating" }, /only read/],
    ["a side effect outside", { sideEffect: "external" }, /only read/],
    ["arguments without names", { args: z.string() }, /let its schema be an object/],
    ["arguments that cannot be shown", { args: z.strictObject({ on: z.date() }) }, /no model can be shown/],
  ])("refuses %s", (_what, part, says) => {
    expect(() => defineTool({ ...definition, ...part } as never)).toThrow(says); // as a project in plain JavaScript could write it
  });

  it("does not compile with a side effect, nor with a need that names itself", () => {
    // @ts-expect-error -- a tool of a loop only reads
    expect(() => defineTool({ ...definition, sideEffect: "mutating" })).toThrow();
    // @ts-expect-error -- the loop names the need, by tool and step
    defineTool({ ...definition, need: (): { kind: "passages"; name: string } => ({ kind: "passages", name: "device" }) });
  });
});

describe("a capability with a loop", () => {
  const loop: Loop<{ text: string }> = {
    kind: "loop",
    version: "1",
    model: { provider: "scripted", id: "m-2026-01-01", effort: "none", temperature: null },
    reason: "the order depends on what is found",
    tools: [tool],
    maxSteps: 6,
    caps: { ms: 1000, tokens: 1000, costMicros: 1000 },
    prompt: () => ({ system: "", messages: [] }),
    enough: () => true,
  };
  const define = (own: Partial<Loop<{ text: string }>>) =>
    defineCapability<{ text: string }, { found: boolean }>({
      ...{ name: "search", version: "1", owner: "o", description: "d", openTo: [], needs: () => [], checks: [] },
      input: z.strictObject({ text: z.string() }),
      decision: z.strictObject({ found: z.boolean() }),
      deciding: { ...loop, ...own },
      propose: () => ({ summary: "s" }),
    });
  const named = (count: number) => Array.from({ length: count }, (_, place) => defineTool({ ...definition, name: `t_${place}` }));

  it.each<[string, Partial<Loop<{ text: string }>>]>([
    ["one step", { maxSteps: 1 }],
    ["eight tools", { tools: named(8) }],
  ])("may have %s", (_what, own) => {
    expect(() => define(own)).not.toThrow();
  });

  it.each<[string, Partial<Loop<{ text: string }>>, RegExp]>([
    ["no written reason", { reason: "  " }, /without a written reason/],
    ["no step", { maxSteps: 0 }, /from 1 to 6/],
    ["seven steps", { maxSteps: 7 }, /from 1 to 6/],
    ["half a step", { maxSteps: 1.5 }, /from 1 to 6/],
    ["steps without end", { maxSteps: Number.POSITIVE_INFINITY }, /from 1 to 6/],
    ["no tool", { tools: [] }, /without a tool/],
    ["nine tools", { tools: named(9) }, /more than 8 tools/],
    ["a tool twice", { tools: [tool, tool] }, /`history` twice/],
    ["a tool that writes", { tools: [{ ...tool, sideEffect: "mutating" as never }] }, /does not only read/],
    ["no time", { caps: { ...loop.caps, ms: 0 } }, /cap on time/],
    ["time without end", { caps: { ...loop.caps, ms: 300_001 } }, /cap on time/],
    ["tokens without end", { caps: { ...loop.caps, tokens: Number.POSITIVE_INFINITY } }, /caps on tokens/],
    ["no cost", { caps: { ...loop.caps, costMicros: 0 } }, /caps on tokens and on cost/],
    ["a floating model", { model: { ...loop.model, id: "m-latest" } }, /floating/],
    ["no version", { version: "" }, /needs a version/],
  ])("may not have %s", (_what, own, says) => {
    expect(() => define(own)).toThrow(says);
  });
});

describe("what a tool found", () => {
  const item = (need: string) => ({ kind: "record", id: need, need, query: "q", row: {}, labels: {}, readAt: 0 }) as const;

  it("is found again by the tool's name, over all steps, and by no other name", () => {
    const items = [needOf("history", 1), needOf("history", 12), "history", "history_of", "history_1_2", needOf("histor", 1)].map(
      item,
    );
    expect(foundBy({ items }, "history").map(({ need }) => need)).toEqual(["history_1", "history_12"]);
  });
});
