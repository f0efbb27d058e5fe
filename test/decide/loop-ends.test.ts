import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deps } from "../../src/decide/state.ts";
import { createTools } from "../../src/decide/tools.ts";
import { cancelSwitch, type FixedContext, fixedClock, fixedContext, testTime } from "../../src/testing/index.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { askedModel, days, decide, lamp, priced, steps, traceOf, unfinished } from "./loop-run.ts";
import { asks, burnt, ends, workshop } from "./loop-samples.ts";
import { scripted } from "./scripted.ts";

describe("a bounded loop always ends", () => {
  it("ends with a person, and its trace, where the model never finishes", async () => {
    const script = steps(...[1, 2, 3, 4, 5, 6, 7, 8].map(days));
    const context = fixedContext(workshop);
    const record = await decide(script, { deps: { context } });
    expect(record).toMatchObject({ ...unfinished("loop_cap_hit"), ...askedModel });
    expect(script.sent).toHaveLength(6);
    expect(traceOf(record).map((row) => row.outcome)).toEqual(["read", "read", "read", "read", "read", "unread"]);
    expect(context.asked.filter((need) => need.name.startsWith("log"))).toHaveLength(5);
    expect(record.bodies["context"]).toHaveLength(6);
  });

  it("stops early where the same thing is asked for twice", async () => {
    const script = steps(lamp, days(1), lamp);
    const record = await decide(script);
    expect(record).toMatchObject(unfinished("loop_no_progress"));
    expect(script.sent).toHaveLength(3);
    expect(traceOf(record).at(-1)).toMatchObject({ tool: "lamps", outcome: "unread", resultDigest: null });
  });

  it("ends with a person where too little was looked at, also where code cannot say", async () => {
    const record = await decide(steps(ends(burnt)));
    expect(record).toMatchObject({ ...unfinished("loop_not_enough"), proposal: null });
    const thrower = () => {
      throw new Error("broken");
    };
    expect(await decide(steps(lamp, ends(burnt)), { looped: { enough: thrower } })).toMatchObject(unfinished("loop_not_enough"));
  });

  it("ends by its own smaller number of steps", async () => {
    const script = steps(lamp, days(1), ends(burnt));
    expect(await decide(script, { looped: { maxSteps: 2 } })).toMatchObject(unfinished("loop_cap_hit"));
    expect(script.sent).toHaveLength(2);
  });

  it.each([
    ["tokens", { tokens: 1 }, /1 tokens were used up/],
    ["time", { ms: 1_000 }, /time of 1000 ms was used up/],
    ["cost", { costMicros: 5 }, /may cost was used up/],
  ] as const)("ends by its cap on %s before the next step", async (_what, cap, says) => {
    const clock = fixedClock(testTime);
    const script = steps(lamp, ends(burnt));
    const context = fixedContext(workshop);
    const slow: Deps["context"] = {
      ...context,
      readRecords: async (need, asker) => {
        if (need.name === "lamps_1") clock.advance(1_000);
        return context.readRecords(need, asker);
      },
    };
    const caps = { ms: 60_000, tokens: 100_000, costMicros: 1_000, ...cap };
    const record = await decide(script, { looped: { caps }, deps: { clock, model: priced(script), context: slow } });
    expect(record).toMatchObject({ ...unfinished("loop_cap_hit"), stop: { detail: expect.stringMatching(says) } });
    expect(script.sent).toHaveLength(1);
    expect(traceOf(record)).toHaveLength(1);
  });

  it("names no model where it ended before one was asked", async () => {
    const { cancel, fire } = cancelSwitch();
    const tools = createTools({ permit: shippedPolicy, context: fixedContext(workshop) });
    const find: typeof tools.find = (capability) => {
      fire();
      return tools.find(capability);
    };
    const record = await decide(steps(lamp), { deps: { cancel, tools: { ...tools, find } } });
    expect(record).toMatchObject({ stop: { reason: "cancelled", node: "llm_decision" }, calls: [], loop: { steps: 0 } });
    expect(record).toMatchObject({ model: "none", prompt: "none" });
  });

  it("ends a tool that its time does not allow", async () => {
    const context = fixedContext(workshop);
    const readRecords: Deps["context"]["readRecords"] = (need, asker) =>
      need.name === "lamps_1" ? new Promise(() => {}) : context.readRecords(need, asker);
    const caps = { ms: 20, tokens: 10_000, costMicros: 1_000 };
    const record = await decide(steps(lamp, ends(burnt)), { looped: { caps }, deps: { context: { ...context, readRecords } } });
    expect(traceOf(record)[0]).toMatchObject({ outcome: "failed", fault: "record_unavailable" });
  });

  it("ends where the requester cancels between two steps", async () => {
    const { cancel, fire } = cancelSwitch();
    const context = fixedContext(workshop);
    const readRecords: Deps["context"]["readRecords"] = (need, asker) => {
      if (need.name === "lamps_1") fire();
      return context.readRecords(need, asker);
    };
    const script = steps(lamp, ends(burnt));
    const record = await decide(script, { deps: { cancel, context: { ...context, readRecords } } });
    expect(record.stop).toMatchObject({ reason: "cancelled", node: "llm_decision" });
    expect(script.sent).toHaveLength(1);
    expect(traceOf(record)).toHaveLength(1);
  });

  it("ends in time and within its list, whatever the model replies", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyReply, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        async (script) => {
          const context = fixedContext(workshop);
          const model = scripted(script.map((replies, place) => ({ purpose: "step", step: place + 1, when: /./, replies })));
          const record = await decide(model, { deps: { context } });
          expect(["decided", "stopped"]).toContain(record.kind);
          expect(model.sent.length).toBeLessThanOrEqual(6 * 3);
          expect(traceOf(record).length).toBeLessThanOrEqual(6);
          for (const need of context.asked)
            expect(["projectors.byId", "lamps.ofProjector", "log.ofProjector", ...words(need)]).toContain(
              "query" in need ? need.query : need.kind,
            );
          if (record.kind === "decided") expect(traceOf(record).at(-1)?.outcome).toBe("final");
          if (record.stop?.reason === "loop_unfinished") expect(record.route).toBe("hitl_required");
        },
      ),
      { numRuns: 300 },
    );
  });
});

const anyReply = fc.oneof(
  fc.constantFrom(lamp, ends(burnt), ends({ cause: "war" }), "", "null", "[]", "{}", '{"next":null}', '{"next":{"tool":7}}'),
  fc.integer({ min: -1, max: 32 }).map(days),
  fc.string({ maxLength: 120 }).map((text) => asks("manual", { words: text })),
  fc
    .tuple(fc.constantFrom("lamps", "log", "manual", "orders", "__proto__"), fc.jsonValue())
    .map(([name, args]) => JSON.stringify({ next: { tool: name, arguments: args } })),
  fc.jsonValue().map((next) => JSON.stringify({ next })),
  fc.string(),
);

/** A search's query is what the model wrote, within the limits of the tool. */
function words(need: FixedContext["asked"][number]): string[] {
  return need.kind === "passages" && need.query.length <= 100 ? [need.query] : [];
}
