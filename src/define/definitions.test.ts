import { describe, expect, it } from "vitest";
import { z } from "zod";
import { envelope, lend, lendProjector, projector } from "../../test/decide/samples.ts";
import type { Connector, RecordQuery } from "../contract/connector.ts";
import { defineConnector, hiddenValuesSource, recordSource } from "./connector.ts";
import { defineDeciding } from "./deciding.ts";
import { defineEffect, effectDraft } from "./effect.ts";
import { defineProject } from "./project.ts";
import { from } from "./source.ts";

describe("defineEffect", () => {
  it("fills in defaults, takes a risk as a word, and freezes both forms", () => {
    const effect = defineEffect({ ...basic, risk: "medium" });
    expect(effect).toMatchObject({ requires: [], timeoutMs: 10_000, environments: ["demo"] });
    expect(effect.risk({ id: "x" })).toBe("medium");
    expect(effect.erased.name).toBe("rename");
    expect([effect, effect.erased].every(Object.isFrozen)).toBe(true);
  });

  it("hands params and sources on in a draft of the erased effect", () => {
    const effect = defineEffect({ ...basic, risk: "low" });
    const draft = effectDraft(effect, { params: { id: "x" }, sources: { "/id": from.constant() } });
    expect(draft).toEqual({ effect: effect.erased, params: { id: "x" }, sources: { "/id": from.constant() } });
    expect(draft.effect).toBe(effect.erased);
  });

  it.each<[string, Partial<Parameters<typeof defineEffect<{ id: string }>>[0]>, RegExp]>([
    ["a name that is no id", { name: "Re Name" }, /form of an id/],
    ["no owner", { owner: "" }, /owner/],
    ["half a millisecond", { settleMs: 0.5 }, /settleMs/],
    ["a negative wait", { settleMs: -1 }, /settleMs/],
    ["no time to apply", { timeoutMs: 0 }, /time limits/],
    ["time without end", { timeoutMs: Number.NaN }, /time limits/],
    ["no time to observe", { expect: { state: () => ({}), mayChange: [], deadlineMs: 0 } }, /time limits/],
    [
      "an endless time to observe",
      { expect: { state: () => ({}), mayChange: [], deadlineMs: Number.POSITIVE_INFINITY } },
      /time limits/,
    ],
    ["observing alone without a wait", { dedupe: "observe", settleMs: 0 }, /settleMs/],
  ])("refuses %s", (_what, part, says) => {
    expect(() => defineEffect({ ...basic, risk: "low", ...part })).toThrow(says);
  });
});

describe("defineProject", () => {
  it("collects each effect once, also where two capabilities share it", () => {
    const project = defineProject({ name: "desk", capabilities: [lendProjector(), lendProjector({ name: "lend_again" })] });
    expect(project).toMatchObject({ effects: [lend.erased], intake: [], intakeModel: null });
    expect(Object.isFrozen(project)).toBe(true);
  });

  it.each<[string, () => unknown, RegExp]>([
    ["a name that is no id", () => defineProject({ name: "My Desk", capabilities: [] }), /form of an id/],
    [
      "two capabilities of one name",
      () => defineProject({ name: "desk", capabilities: [lendProjector(), lendProjector()] }),
      /two capabilities are named/,
    ],
    [
      "two effects of one name",
      () => defineProject({ name: "desk", capabilities: [lendProjector(), withOtherEffect()] }),
      /two effects are named/,
    ],
    [
      "a rule that names nothing",
      () => defineProject({ name: "desk", capabilities: [], intake: [{ name: "r", capability: "x", matches: () => true }] }),
      /unknown capability/,
    ],
  ])("refuses %s", (_what, define, says) => {
    expect(define).toThrow(says);
    expect(define).toThrow(expect.objectContaining({ code: "definition_invalid" }));
  });

  it.each(["intake", "none", "several"])("refuses a capability named `%s`, which is intake's own word", (name) => {
    expect(() => defineProject({ name: "desk", capabilities: [lendProjector({ name })] })).toThrow(/a word of intake/);
  });
});

describe("connectors", () => {
  it("open with the secret that they are handed, run queries by name over one client, and close it", async () => {
    const seen: string[] = [];
    const source = recordSource(connector(seen), [query]);
    expect(source.connector).toEqual({ name: "desk", side: "reads", secret: "DESK_URL" });
    expect(source.queries.map(({ name, labels }) => [name, labels])).toEqual([["rooms.all", { id: "system" }]]);
    expect(JSON.stringify(source)).not.toContain("the-secret");
    const opened = await source.open("the-secret");
    expect(await opened.run("rooms.all", { floor: 1 }, envelope)).toEqual([{ id: "emp-1", floor: 1 }]);
    await expect(opened.run("rooms.none", {}, envelope)).rejects.toMatchObject({
      code: "definition_invalid",
      facts: { name: "rooms.none" },
    });
    await opened.close();
    expect(seen).toEqual(["opened with the-secret", "closed"]);
  });

  it("find hidden values through the reading connector", async () => {
    const seen: string[] = [];
    const hidden = hiddenValuesSource(connector(seen), async (_client, { texts, envelope: { principal } }) =>
      texts.map((text) => `${text} is not for ${principal.id}`),
    );
    const opened = await hidden.open("the-secret");
    expect(await opened.findHidden({ texts: ["it"], envelope })).toEqual(["it is not for emp-1"]);
    await opened.close();
    expect(seen).toEqual(["opened with the-secret", "closed"]);
  });

  it("are parts of the deciding half, which are frozen", () => {
    const parts = defineDeciding({ providers: [], records: [recordSource(connector([]), [query])], hiddenValues: null });
    expect(Object.isFrozen(parts)).toBe(true);
    expect(Object.isFrozen(connector([]))).toBe(true);
  });
});

describe("the times of a project's models", () => {
  it.each([
    [0, 60_000],
    [30_000, 20_000],
    [1.5, 60_000],
    [30_000, 600_001],
    [Number.NaN, 60_000],
  ])("are whole, in order and bounded: %d and %d are refused", (sendMs, callMs) => {
    const parts = { providers: [], records: [], hiddenValues: null, modelTimes: { sendMs, callMs } };
    expect(() => defineDeciding(parts)).toThrow(/modelTimes/);
    expect(() => defineDeciding({ ...parts, modelTimes: { sendMs: 120_000, callMs: 600_000 } })).not.toThrow();
  });
});

describe("from", () => {
  it("says where a value comes from and who chose it", () => {
    expect(from.record(projector, "/id")).toEqual({ kind: "record", chosenBy: "code", ref: projector.id, at: "/id" });
    expect(from.record(projector, "/id", "model")).toMatchObject({ chosenBy: "model" });
    expect(from.principal("/text")).toEqual({ kind: "principal", chosenBy: "principal", ref: "inputs", at: "/text" });
    expect(from.requester()).toEqual({ kind: "principal", chosenBy: "code", ref: "principal", at: "/id" });
    expect(from.constant()).toEqual({ kind: "constant", chosenBy: "code", ref: null, at: null });
    expect(from.calculation("sum")).toEqual({ kind: "calculation", chosenBy: "code", ref: "sum", at: null });
    expect(from.model()).toEqual({ kind: "model", chosenBy: "model", ref: null, at: null });
  });
});

const basic = {
  name: "rename",
  version: "1",
  owner: "desk",
  params: z.strictObject({ id: z.string() }),
  paramRules: {},
  sideEffect: "mutating",
  reversible: true,
  describe: () => "Rename",
  key: ({ id }: { id: string }) => id,
  dedupe: "key",
  settleMs: 0,
  before: { query: "rooms.all", params: () => ({}), project: () => null },
  expect: { state: () => ({}), mayChange: [], deadlineMs: 1 },
} as const;

const query: RecordQuery<{ closed: () => void }> = {
  name: "rooms.all",
  key: (row) => String(row["id"]),
  labels: { id: "system" },
  run: async (_client, params, { principal }) => [{ id: principal.id, ...params }],
};

function connector(seen: string[]): Connector<"reads", { closed: () => void }> {
  return defineConnector({
    name: "desk",
    side: "reads",
    secret: "DESK_URL",
    open: async (secret) => {
      seen.push(`opened with ${secret}`);
      return { closed: (): void => void seen.push("closed") };
    },
    close: async (client) => {
      client.closed();
    },
  });
}

function withOtherEffect() {
  const { erased: _, ...other } = lend;
  return lendProjector({ name: "other", effects: [defineEffect(other).erased] });
}
