import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createDecider, type Decider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { effectDraft } from "../../src/define/effect.ts";
import { defineProject } from "../../src/define/project.ts";
import { from } from "../../src/define/source.ts";
import { systemClock } from "../../src/store/clock.ts";
import { scriptedProvider } from "../../src/testing/index.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { House, people } from "../postgres/acting/house.ts";
import { sampleProject, sampleReads } from "../postgres/acting/project.ts";
import { shippedPolicy } from "../setup/policy.ts";

// A run of two decisions: the first changes the world, the second asks a model that fails. Whoever retries the run retries all of it.
const { add, close } = sampleProject();
const input = z.strictObject({ name: z.string().max(100) });
type Input = z.infer<typeof input>;
const common = { version: "1", owner: "service-desk", openTo: ["employee"], input, needs: () => [], checks: [] };
const project = defineProject({
  name: "sample",
  capabilities: [
    defineCapability<Input, Record<string, never>>({
      ...{ ...common, name: "raise_ticket", description: "Raises a ticket.", decision: z.strictObject({}) },
      deciding: { kind: "rule", version: "1", rule: () => ({}) },
      effects: [add.erased, close.erased],
      propose: ({ inputs: { name } }) => ({
        summary: `Raise ${name}`,
        effects: [
          effectDraft(add, {
            params: { name, note: "risky" },
            sources: { "/name": from.principal("/name"), "/note": from.model() },
          }),
        ],
      }),
    }),
    defineCapability<Input, { text: string }>({
      ...{ ...common, name: "comment", description: "Comments it.", decision: z.strictObject({ text: z.string() }) },
      deciding: {
        ...{ kind: "prompt", version: "1" },
        model: { provider: "scripted", id: "failing-2026-01-01", effort: "none", temperature: null },
        prompt: ({ inputs }) => ({ system: "You comment.", messages: [{ role: "user", text: inputs.name }] }),
      },
      propose: ({ decision }) => ({ summary: decision.text }),
    }),
  ],
});
const sample = { add, close, project };

let house: House;
let decider: Decider;
beforeAll(async () => {
  house = await House.build();
  decider = await createDecider({
    policy: shippedPolicy,
    ...{ project, database: house.deciding, clock: systemClock, ids: house.ids, environment: "demo" },
    // Answers with what does not fit, as often as it is asked.
    parts: {
      providers: [scriptedProvider({ name: "scripted", lines: [{ purpose: "decide", when: /./, replies: ["not JSON"] }] })],
      ...{ records: [sampleReads()], hiddenValues: null },
    },
    vault: environmentVault({
      side: "deciding",
      env: { SANDBOX_READ: house.store.adminUrl },
      declared: { reads: ["SANDBOX_READ"] },
    }),
    payloadKey: house.payloadKey,
    onError: () => {},
  });
});
afterAll(async () => {
  await decider?.close();
  await house?.close();
});

/** The whole run: raise, have it signed and carried out, comment. Throws where the comment is not there, as a caller's code would. */
async function wholeRun(name: string, key: string | null): Promise<string> {
  const keyOf = (step: string) => (key === null ? null : `${key}/${step}`);
  const asking = { principal: people.erin, inputs: { name } };
  const raised = await decider.decide({ ...asking, capability: "raise_ticket", idempotencyKey: keyOf("raise") });
  expect(raised.stop, JSON.stringify(raised.stop)).toBeNull();
  if (raised.state === "waiting") await house.desk({ project }).approve({ principal: people.ada, decisionId: raised.id });
  await house.worker({ sample }).runOnce();
  const { stop } = await decider.decide({ ...asking, capability: "comment", idempotencyKey: keyOf("comment") });
  if (stop !== null) throw new Error(`${stop.reason} after ${raised.id}`);
  return raised.id;
}

it("a model error after an effect: the retry of the whole run under its keys finds the effect done and repeats nothing", async () => {
  const ends = [1, 2, 3].map(() => () => wholeRun("retried", "run-1"));
  const thrown: string[] = [];
  for (const run of ends) thrown.push(await run().catch((error: Error) => error.message));
  expect(new Set(thrown).size).toBe(1);
  expect(thrown[0]).toMatch(/^non_conforming_output after /);
  expect(await house.tickets("retried")).toHaveLength(1);
  const { rows } = await house.admin.query("select generation, attempts from countersign.operation where key = 'ticket:retried'");
  expect(rows).toEqual([{ generation: 1, attempts: 1 }]);
});

it("a model error after an effect: a retry without keys is another decision of the same change, which is not made again", async () => {
  const thrown: string[] = [];
  for (const _ of [1, 2]) thrown.push(await wholeRun("retried-anew", null).catch((error: Error) => error.message));
  expect(new Set(thrown).size).toBe(2);
  expect(await house.tickets("retried-anew")).toHaveLength(1);
});
