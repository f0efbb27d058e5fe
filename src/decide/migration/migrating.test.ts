import { expect, it } from "vitest";
import { z } from "zod";
import type { RunningMigration } from "../../contract/migration.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import { defineCapability } from "../../define/capability.ts";
import { fixedClock } from "../../testing/fixed.ts";
import { createTestDeps, testRequest, testTime } from "../../testing/test-deps.ts";
import type { Deps } from "../state.ts";
import { createMigrating } from "./migrating.ts";

const triage = defineCapability<{ text: string }, { team: string }>({
  ...{ name: "triage", version: "1", owner: "tests", description: "Says which team.", openTo: ["employee"], keepsInputs: false },
  input: z.strictObject({ text: z.string() }),
  decision: z.strictObject({ team: z.string() }),
  needs: () => [],
  deciding: {
    ...{ kind: "prompt", version: "1", model: { provider: "old", id: "m-1", effort: "none", temperature: 0 } },
    prompt: ({ inputs }) => ({ system: "Say which team.", messages: [{ role: "user", text: inputs.text }] }),
  },
  checks: [],
  label: ({ team }) => team,
  propose: ({ decision }) => ({ summary: decision.team }),
});
const migration: RunningMigration = {
  ...{ id: "m", tenant: "acme", capability: "triage", from: { provider: "old", id: "m-1" }, to: { provider: "new", id: "m-2" } },
  ...{ stage: "canary_share", sharePpm: 1_000_000, usual: new Map(), grant: null },
};

/** What a decision goes by: the models that it asks, first and second, and the threshold that it meets. */
async function decidedBy({ own, isGranted = true }: { own: Partial<RunningMigration>; isGranted?: boolean }) {
  const refuse = (): never => {
    throw new Error("nothing is walked beside a repeated decision");
  };
  const migrating = createMigrating({
    running: async () => [{ ...migration, ...own }],
    isGranted: () => isGranted,
    record: refuse,
    meter: { begin: refuse },
    clock: fixedClock(testTime),
    onError: refuse,
  });
  const deps = createTestDeps({ capability: triage, slices: { thresholdPpm: async () => 1 } });
  const seen: Deps[] = [];
  await migrating.run(testRequest({ capability: "triage", inputs: { text: "x" } }), deps, async (by) => {
    seen.push(by);
    return { kind: "repeated", decisionId: "d" };
  });
  await migrating.idle();
  const deciding = seen[0]?.capability.deciding;
  const slice = { tenant: "acme", capability: "triage", capabilityVersion: "1", slice: "all" };
  return {
    models: deciding?.kind === "prompt" ? [deciding.model.id, deciding.second?.id] : [],
    thresholdPpm: await seen[0]?.slices.thresholdPpm(slice),
  };
}

it("a share is decided by the new model with the old one behind it, and no threshold is open to it", async () => {
  expect(await decidedBy({ own: {} })).toEqual({ models: ["m-2", "m-1"], thresholdPpm: neverAutoPpm });
});

it.each<[string, Parameters<typeof decidedBy>[0]]>([
  ["in shadow", { own: { stage: "shadow" } }],
  ["outside of the share", { own: { sharePpm: 0 } }],
  ["without a signature", { own: {}, isGranted: false }],
  ["of another capability", { own: { capability: "other" } }],
  ["whose definition names another model by now", { own: { from: { provider: "old", id: "m-0" } } }],
])("the old model decides as before %s", async (_what, asked) => {
  expect(await decidedBy(asked)).toEqual({ models: ["m-1", undefined], thresholdPpm: 1 });
});
