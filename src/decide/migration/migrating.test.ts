import { expect, it } from "vitest";
import { z } from "zod";
import type { Capability } from "../../contract/capability.ts";
import type { MigrationTrial, RunningMigration } from "../../contract/migration.ts";
import type { Model, ModelFault } from "../../contract/model.ts";
import { fitToSchema, type Schema } from "../../contract/schema.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import { defineCapability } from "../../define/capability.ts";
import { fixedClock } from "../../testing/fixed.ts";
import { fixedModel } from "../../testing/fixed-model.ts";
import { createTestDeps, testRequest, testTime } from "../../testing/test-deps.ts";
import { graph } from "../graph.ts";
import { propose } from "../run.ts";
import type { Deps } from "../state.ts";
import { createMigrating } from "./migrating.ts";
import { tryModel } from "./try-model.ts";

const choice = (provider: string, id: string) => ({ provider, id, effort: "none", temperature: 0 }) as const;
const triage = defineCapability<{ text: string }, { team: string }>({
  ...{ name: "triage", version: "1", owner: "tests", description: "Says which team.", openTo: ["employee"], keepsInputs: false },
  input: z.strictObject({ text: z.string() }),
  decision: z.strictObject({ team: z.string() }),
  needs: () => [],
  deciding: {
    ...{ kind: "prompt", version: "1", model: choice("old", "m-1") },
    prompt: ({ inputs }) => ({ system: "Say which team.", messages: [{ role: "user", text: inputs.text }] }),
  },
  checks: [],
  judge: { ratePpm: 0, version: "1", model: choice("judge", "m-1"), prompt: () => ({ system: "Judge.", messages: [] }) },
  label: ({ team }) => team,
  propose: ({ decision }) => ({ summary: decision.team }),
});
/** The same with a second model, which is asked where the first gives no reply. */
const spared = defineCapability({
  ...triage,
  deciding: triage.deciding.kind === "prompt" ? { ...triage.deciding, second: choice("spare", "m-1") } : triage.deciding,
});
const migration: RunningMigration = {
  ...{ id: "m", tenant: "acme", capability: "triage", from: { provider: "old", id: "m-1" }, to: { provider: "new", id: "m-2" } },
  ...{ stage: "canary_share", sharePpm: 1_000_000, usual: new Map(), grant: null },
};

const refuse = (): never => {
  throw new Error("nothing is walked beside a repeated decision");
};

/** What a decision goes by: the models that it asks, first and second, and the threshold that it meets. */
async function decidedBy({
  own,
  isGranted = true,
  capability = triage,
  onError = refuse,
}: {
  own: Partial<RunningMigration>;
  isGranted?: boolean;
  capability?: Capability;
  onError?: (thrown: unknown) => void;
}) {
  const migrating = createMigrating({
    running: async () => [{ ...migration, ...own }],
    isGranted: () => isGranted,
    record: refuse,
    meter: { begin: refuse },
    clock: fixedClock(testTime),
    onError,
  });
  const deps = createTestDeps({ capability, slices: { thresholdPpm: async () => 1 } });
  const seen: Deps[] = [];
  await migrating.run(testRequest({ capability: "triage", inputs: { text: "x" } }), deps, async (by) => {
    seen.push(by);
    return { kind: "repeated", decisionId: "d" };
  });
  await migrating.idle();
  const deciding = seen[0]?.capability.deciding;
  const slice = { tenant: "acme", capability: "triage", capabilityVersion: "1", slice: "all" };
  return {
    models:
      deciding?.kind === "prompt"
        ? [deciding.model, deciding.second].flatMap((model) => (model ? `${model.provider}/${model.id}` : []))
        : [],
    thresholdPpm: await seen[0]?.slices.thresholdPpm(slice),
  };
}

it("a share is decided by the new model with the old one behind it, and no threshold is open to it", async () => {
  expect(await decidedBy({ own: {} })).toEqual({ models: ["new/m-2", "old/m-1"], thresholdPpm: neverAutoPpm });
  expect((await decidedBy({ own: {}, capability: spared })).models).toEqual(["new/m-2", "spare/m-1"]);
});

it.each<[string, Parameters<typeof decidedBy>[0]]>([
  ["in shadow", { own: { stage: "shadow" } }],
  ["outside of the share", { own: { sharePpm: 0 } }],
  ["without a signature", { own: {}, isGranted: false }],
  ["of another capability", { own: { capability: "other" } }],
  ["where a judge is exchanged", { own: { from: { provider: "judge", id: "m-1" } } }],
  ["whose definition names another model by now", { own: { from: { provider: "old", id: "m-0" } } }],
])("the old model decides as before %s", async (_what, asked) => {
  expect(await decidedBy(asked)).toEqual({ models: ["old/m-1"], thresholdPpm: 1 });
});

it("a second model is not migrated: nobody asks it while the first replies, and a walk under another one would say nothing", async () => {
  const own = { from: { provider: "spare", id: "m-1" } };
  const models = ["old/m-1", "spare/m-1"];
  expect(await decidedBy({ own, capability: spared })).toEqual({ models, thresholdPpm: 1 });
  expect(await decidedBy({ own: { ...own, stage: "shadow" }, capability: spared })).toEqual({ models, thresholdPpm: 1 });
});

it("a row whose settings no definition takes is told, and the old model decides as before", async () => {
  const told: unknown[] = [];
  const own = { to: { provider: "new", id: "m-2", effort: "hihg" as "high" } };
  const decided = await decidedBy({ own, onError: (thrown) => told.push(thrown) });
  expect(decided).toEqual({ models: ["old/m-1"], thresholdPpm: 1 });
  expect(told).toEqual([expect.objectContaining({ code: "definition_invalid", message: expect.stringContaining("effort") })]);
});

async function valueBy<T>(schema: Schema<T>): Promise<T> {
  const fit = await fitToSchema(schema, { team: "billing" });
  if (fit.kind === "misfits") throw new Error(fit.issues.join());
  return fit.value;
}

/** Has one shadow walked by two models that say the same, but where one of them is given a fault; gives what is recorded. */
async function recordedOf({ faults = {}, isCancelled = false }: { faults?: Record<string, ModelFault>; isCancelled?: boolean }) {
  const recorded: MigrationTrial[] = [];
  const left = { reservation: null, settle: () => {}, release: () => {}, leave: () => {} };
  const noCap = { holdCall: refuse, toolCall: () => null, child: refuse };
  const migrating = createMigrating({
    running: async () => [{ ...migration, stage: "shadow" }],
    isGranted: () => false,
    record: async (trial) => {
      recorded.push(trial);
      return "shadow";
    },
    meter: { begin: async () => ({ kind: "begun", meter: noCap, ...left }) },
    clock: fixedClock(testTime),
    onError: refuse,
  });
  const asked: string[] = [];
  const model: Model = {
    call: async ({ model: { provider }, schema }) => {
      asked.push(provider);
      const fault = faults[provider];
      if (fault !== undefined) return { kind: "failed", fault, problem: "no reply", calls: [] };
      return { kind: "fits", value: await valueBy(schema), calls: [] };
    },
  };
  const deps = createTestDeps({ capability: triage, model, slices: { thresholdPpm: async () => 0 } });
  await migrating.run(testRequest({ capability: "triage", inputs: { text: "x" } }), deps, async (by) => {
    const cancel = { isCancelled: () => isCancelled, onCancel: () => {} };
    const record = await propose({
      graph,
      request: testRequest({ capability: "triage", inputs: { text: "x" } }),
      deps: { ...by, cancel },
    });
    return { kind: "decided", outcome: { decisionId: "d", entryId: "e", record } };
  });
  await migrating.idle();
  return { asked, recorded: recorded.map(({ result: { oldFailed, newFailed } }) => ({ oldFailed, newFailed })) };
}

it("a trial is recorded of what models left, a failed one too", async () => {
  expect(await recordedOf({})).toEqual({ asked: ["old", "new"], recorded: [{ oldFailed: false, newFailed: false }] });
  const down = await recordedOf({ faults: { new: "overloaded" } });
  expect(down.recorded).toEqual([{ oldFailed: false, newFailed: true }]);
});

it("a cancelled request and a spent budget say nothing of a model: nothing is recorded, and after the first nothing more is asked", async () => {
  expect(await recordedOf({ isCancelled: true })).toEqual({ asked: [], recorded: [] });
  expect(await recordedOf({ faults: { old: "over_budget" } })).toEqual({ asked: ["old"], recorded: [] });
  expect(await recordedOf({ faults: { new: "over_budget" } })).toEqual({ asked: ["old", "new"], recorded: [] });
});

it("whatever threshold a slice has, what is only tried meets one above every confidence", async () => {
  const model = fixedModel({ team: "billing" });
  const capability = defineCapability({ ...triage, review: "before_delivery" });
  const open = createTestDeps({ capability, model, slices: { thresholdPpm: async () => 0 } });
  const request = testRequest({ capability: "triage", inputs: { text: "x" } });
  expect(await propose({ graph, request, deps: open })).toMatchObject({ thresholdPpm: 0 });
  expect(await tryModel({ capability, request, deps: open })).toMatchObject({ thresholdPpm: neverAutoPpm });
});
