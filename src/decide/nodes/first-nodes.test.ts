import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerRooms, envelope, lendProjector, passage, projector, sampleContext } from "../../../test/decide/samples.ts";
import type { Capability } from "../../contract/capability.ts";
import type { Context, Need, RecordRow } from "../../contract/context.ts";
import { CountersignError } from "../../contract/errors.ts";
import { foundBefore } from "../../contract/found-passages.ts";
import { createTestDeps, fixedClock, testPrincipal, testRequest, testTime } from "../../testing/index.ts";
import { contextLoad } from "./context-load.ts";
import { entry } from "./entry.ts";
import { preCheck } from "./pre-check.ts";

const good = { text: "a projector for room r1", days: 3 };

describe("entry", () => {
  it("adds what was received, who asks with which scopes, and one reading of the clock", async () => {
    const clock = fixedClock(testTime);
    const request = testRequest({ capability: "lend_projector", inputs: good });
    const deps = createTestDeps({ capability: lendProjector(), clock, environment: "production" });
    expect(await entry({ request }, deps)).toEqual({ received: good, envelope: { ...envelope, environment: "production" } });
    clock.advance(5);
    expect(await entry({ request }, deps)).toMatchObject({ envelope: { principal: testPrincipal, at: testTime + 5 } });
  });
});

describe("pre_check", () => {
  it("passes inputs that fit, as a frozen copy", async () => {
    const added = await check({ ...good });
    expect(added).toEqual({ inputs: good });
    expect(Object.isFrozen("inputs" in added && added.inputs)).toBe(true);
  });

  it.each([
    [{ ...good, days: "3" }, "/days: Invalid input"],
    [{ ...good, force: true }, "/: Unrecognized key"],
    [{ text: "" }, "/text: "],
    [null, "/: Invalid input"],
    [{ ...good, days: Number.NaN }, "/days: "],
  ])("stops at %j and says what does not fit", async (received, detail) => {
    const stop = await check(received);
    expect(stop).toMatchObject({
      kind: "stop",
      node: "pre_check",
      reason: "input_invalid",
      detail: expect.stringContaining(detail),
    });
  });

  it("names five issues at most", async () => {
    const wide = lendProjector({
      input: z.strictObject(Object.fromEntries([..."abcdefg"].map((key) => [key, z.string()]))) as never,
    }); // any schema
    const stop = await check({}, wide);
    expect(stop).toMatchObject({ detail: expect.stringMatching(/^([^;]*; ){4}[^;]*$/) });
  });

  it.each<[string, z.ZodType, unknown]>([
    ["a Date", z.any(), new Date(0)],
    ["a BigInt", z.any(), 10n],
    ["NUL", z.any(), { text: "a\0b" }],
    ["half of a character", z.any(), { text: "\uD800" }],
    ["a cycle", z.any(), cycle()],
    ["a schema that makes a Date", z.coerce.date(), "2026-03-02"],
  ])("stops at %s, which JSON would lose", async (_what, input, received) => {
    expect(await check(received, lendProjector({ input: input as never }))).toMatchObject({
      kind: "stop",
      reason: "input_invalid",
    }); // any schema
  });

  it("stops where the schema itself throws", async () => {
    const input = z.any().refine(() => {
      throw new Error("broken");
    });
    expect(await check(good, lendProjector({ input }))).toMatchObject({ kind: "stop", reason: "input_invalid" });
  });

  it("stops where the capability's own check says so, with its reason", async () => {
    const capability = lendProjector({
      preCheck: ({ inputs }) => ({ kind: "stop", reason: "reference_unresolved", detail: `no room in ${inputs.days}` }),
    });
    expect(await check(good, capability)).toEqual({
      kind: "stop",
      node: "pre_check",
      reason: "reference_unresolved",
      detail: "no room in 3",
      route: null,
      rule: null,
    });
  });

  function check(received: unknown, capability: Capability = lendProjector()) {
    return preCheck({ received, envelope }, createTestDeps({ capability }));
  }
});

describe("context_load", () => {
  it("loads only what the capability needs, with a digest over it, frozen", async () => {
    const context = sampleContext();
    const added = await load(context, answerRooms());
    expect(added).toMatchObject({
      loaded: {
        items: [
          { kind: "passage", id: passage.id, need: "rules" },
          { kind: "record", id: "rooms.all:r1", need: "room" },
        ],
      },
    });
    expect(context.asked.map((need) => need.name)).toEqual(["rules", "room"]);
    const again = await load(sampleContext(), answerRooms());
    expect(again).toEqual(added);
    const items = "loaded" in added ? added.loaded.items : [];
    expect([items, items[0], items[1], items[1]?.kind === "record" && items[1].row].every(Object.isFrozen)).toBe(true);
  });

  it("gives another digest when one value of one item differs", async () => {
    const rows = await load(withRows({ ...projector }));
    const other = await load(withRows({ ...projector, row: { ...projector.row, state: "lent" } }));
    expect(digestOf(rows)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf(other)).not.toBe(digestOf(rows));
  });

  it("keeps a copy, so that nobody can change an item afterwards or is left with a frozen one", async () => {
    const nested = { list: [1] };
    const added = await load(withRows({ ...projector, row: Object.freeze({ nested }) }));
    nested.list.push(2);
    expect(added).toMatchObject({ loaded: { items: [{ row: { nested: { list: [1] } } }] } });
  });

  it.each([
    ["stops where no passage reaches the bar", 0.19, "not_in_sources"],
    ["goes on where one is at the bar", 0.2, null],
    ["stops at a score that is no number", Number.NaN, "not_in_sources"],
  ])("%s", async (_what, score, reason) => {
    const findPassages: Context["findPassages"] = async () =>
      foundBefore([{ ...passage, kind: "passage", need: "rules", score }], 0);
    const added = await load({ ...sampleContext(), findPassages }, answerRooms());
    expect("reason" in added ? added.reason : null).toBe(reason);
  });

  it("lists no source where the sources do not say", async () => {
    const added = await load({ ...sampleContext(), findPassages: async () => foundBefore([], 0) }, answerRooms());
    expect(added).toEqual({
      kind: "stop",
      node: "context_load",
      reason: "not_in_sources",
      detail: "The sources do not say.",
      route: null,
      rule: null,
      left: { activity: expect.objectContaining({ plan: null, leftOut: [] }) },
    });
  });

  it.each([
    ["old enough to use", testTime - 30_000, null],
    ["too old", testTime - 30_001, "record_unavailable"],
    ["read after the request", testTime + 5, null],
    ["of an unknown age", Number.NaN, "record_unavailable"],
  ])("weighs the age of a row that is %s", async (_what, readAt, reason) => {
    const added = await load(withRows({ ...projector, readAt }));
    expect("reason" in added ? added.reason : null).toBe(reason);
  });

  it.each<[string, Partial<Context>, string]>([
    [
      "records",
      { readRecords: () => Promise.reject(new CountersignError("record_unavailable", "secret-host is down")) },
      "record_unavailable",
    ],
    ["knowledge", { findPassages: () => Promise.reject(new Error("secret-host is down")) }, "knowledge_unavailable"],
    [
      "values that JSON cannot keep",
      { readRecords: async () => [{ ...projector, row: { due: new Date(0) as never } }] },
      "context_invalid",
    ],
  ])("stops where %s cannot be had, without the port's own words", async (_what, broken, reason) => {
    const stop = await load({ ...sampleContext(), ...broken }, answerRooms());
    expect(stop).toMatchObject({ kind: "stop", node: "context_load", reason });
    expect(JSON.stringify(stop)).not.toContain("secret-host");
  });

  function load(context: Context, capability: Capability = lendProjector()) {
    return contextLoad({ inputs: good, envelope }, createTestDeps({ capability, context }));
  }

  function withRows(...rows: readonly RecordRow[]): Context {
    return { ...sampleContext(), readRecords: async (_need: Need) => rows };
  }

  function digestOf(added: Awaited<ReturnType<typeof load>>): string {
    return "loaded" in added ? added.loaded.digest : "stopped";
  }
});

function cycle(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
