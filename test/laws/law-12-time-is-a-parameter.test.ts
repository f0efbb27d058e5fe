import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Context } from "../../src/contract/context.ts";
import type { FactNeed } from "../../src/contract/fact.ts";
import type { Envelope } from "../../src/contract/principal.ts";
import { createTools } from "../../src/decide/tools.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineTool } from "../../src/define/tool.ts";
import { openFacts } from "../../src/know/facts/facts.ts";
import { openMemory } from "../../src/know/memory/memory.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { systemClock } from "../../src/store/clock.ts";
import { fixedClock, proposeForTest, testPrincipal } from "../../src/testing/index.ts";
import { clock, type FactHouse, openFactHouse } from "../know/temporal/fact-house.ts";
import { shippedPolicy } from "../setup/policy.ts";

// Law 12: time is a parameter. A question about state has a reference time, or it is an error; it comes from the request or the
// envelope's clock, and a model names none.
const day = 86_400_000;
const past = Date.UTC(2024, 5, 1);

let house: FactHouse;
let context: Context;
beforeAll(async () => {
  house = await openFactHouse();
  const told = { subject: "employee:e-1", scopes: ["tenant:all", "employee"] };
  await house.write([
    { ...told, object: "department:sales", validFrom: Date.UTC(2024, 0, 1), validTo: Date.UTC(2025, 0, 1) },
    { ...told, object: "department:stores", validFrom: Date.UTC(2025, 0, 1), validTo: null },
  ]);
  const database = house.deciding;
  context = {
    ...openSearch({ database, clock: systemClock }),
    readRecords: async () => [],
    ...openFacts(database),
    ...openMemory({ database, readNotes: async () => [] }),
  };
});
afterAll(() => house?.close());

const envelope = (at: unknown): Envelope => ({
  ...{ principal: { ...testPrincipal, tenant: "acme" }, scopes: ["tenant:all"], environment: "test" },
  at: at as number, // what a caller in plain JavaScript may leave out
});
const need = (at: unknown): FactNeed => ({
  ...{ kind: "facts", name: "where", subject: "employee:e-1", predicates: ["department"], limit: 5, isRequired: true },
  at: at as number, // as above
});
const noTimes = [undefined, null, Number.NaN, Number.POSITIVE_INFINITY, "2026-06-01", 1e16] as const;
const missing = expect.objectContaining({ code: expect.stringMatching(/^reference_time_(missing|invalid)$/) });

describe("a question without a time", () => {
  it.each(noTimes)("is an error of facts: %s", async (at) => {
    await expect(context.readFacts(need(at), envelope(clock))).rejects.toEqual(missing);
  });

  it.each(noTimes)("is an error of passages: %s", async (at) => {
    const asked = { kind: "passages", name: "p", query: "department", limit: 1, minimumScore: 0 } as const;
    await expect(context.findPassages(asked, envelope(at))).rejects.toEqual(missing);
  });

  it.each(noTimes)("is an error of memory: %s", async (at) => {
    const rule = { of: "episode", scope: "user", most: 5, keepMs: day } as const;
    await expect(
      context.recall({ kind: "memory", name: "m", of: "episode", scope: "user", limit: 5, rule }, envelope(at)),
    ).rejects.toEqual(missing);
  });

  it("does not compile", () => {
    // @ts-expect-error: a need of facts has a time
    const timeless: FactNeed = { kind: "facts", name: "n", subject: "s", predicates: "all", limit: 1, isRequired: true };
    expect(timeless).not.toHaveProperty("at");
  });

  it("stops its decision before any model is asked, and says why", async () => {
    const record = await decide(undefined);
    expect(record.stop).toMatchObject({ node: "context_load", reason: "knowledge_unavailable" });
    expect(record.stop?.detail).toContain("reference_time_missing");
    expect(record.calls).toEqual([]);
  });
});

describe("a question with a time", () => {
  it("is answered as of then, whatever holds today, and the decision keeps the time and the window", async () => {
    const record = await decide(past);
    expect(record.bodies["context"]).toMatchObject([
      {
        kind: "fact",
        object: "department:sales",
        at: past,
        validFrom: Date.UTC(2024, 0, 1),
        validTo: Date.UTC(2025, 0, 1),
        hasLater: true,
      },
    ]);
    expect((await decide(clock)).bodies["context"]).toMatchObject([{ object: "department:stores", at: clock, hasLater: false }]);
  });

  it("of which nothing is known is refused, not answered with the nearest", async () => {
    expect((await decide(Date.UTC(2023, 0, 1))).stop).toMatchObject({ reason: "not_in_sources" });
  });

  it("is not asked by a model: a tool's time is the request's, whatever the arguments say", async () => {
    const tool = defineTool({
      name: "department",
      description: "Where somebody works.",
      sideEffect: "read",
      args: z.looseObject({ at: z.number().optional() }),
      need: (args) => ({
        kind: "facts",
        subject: "employee:e-1",
        predicates: ["department"],
        limit: 5,
        isRequired: false,
        ...args,
      }),
      at: ({ inputs }) => (inputs as { asOf: number }).asOf,
    });
    const tools = createTools({ context, permit: shippedPolicy });
    const capability = { deciding: { kind: "loop", tools: [tool] } } as unknown as Parameters<typeof tools.call>[0]["capability"];
    const asked = { capability, tool: "department", step: 1, inputs: { asOf: past }, envelope: envelope(clock) };
    for (const args of [{}, { at: clock }, { at: 0, asKnownAt: 0 }, { at: Number.NaN }])
      expect(await tools.call({ ...asked, arguments: args })).toMatchObject(
        "at" in args && Number.isNaN(args.at)
          ? { kind: "misfits" }
          : { kind: "found", items: [{ object: "department:sales", at: past }] },
      );
  });
});

function decide(at: unknown) {
  const capability = defineCapability({
    ...{ name: "where", version: "1", owner: "people", description: "Says where somebody works.", openTo: ["employee"] },
    input: z.strictObject({}),
    decision: z.strictObject({}),
    needs: () => [need(at)],
    deciding: { kind: "rule", version: "1", rule: () => ({}) },
    checks: [],
    propose: () => ({ summary: "told" }),
  });
  return proposeForTest({ capability, deps: { context, clock: fixedClock(clock) }, inputs: {} });
}
