/**
 * What is acted on: one capability with one effect, and a target that answers at once from the memory of the worker's process. All that
 * stands around the target is the shipped engine.
 */
import * as z from "zod";
import { defineHands, type Hands } from "../../src/act/hands.ts";
import { implementEffect, through } from "../../src/act/implement.ts";
import type { Snapshot } from "../../src/contract/effect.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { type DefinedEffect, defineEffect } from "../../src/define/effect.ts";
import { defineProject, type Project } from "../../src/define/project.ts";

/** The params of the one effect. */
export type Replacement = { readonly device: string; readonly note: string; readonly days: number };

/** The target of one process; it counts what reached it. */
export interface Target {
  readonly devices: Map<string, Snapshot>;
  applied: number;
  observed: number;
}

/** The names under which the vault gives the two connectors what they need; the target asks for no secret. */
export const secrets = { OPERATIONS_WRITE: "none", OPERATIONS_OBSERVE: "none" } as const;

/** Defines the project anew: each process has definitions of its own. */
export function operationsProject(): { project: Project; replacement: DefinedEffect<Replacement> } {
  const replacement = defineEffect<Replacement>({
    name: "order_replacement",
    version: "1",
    owner: "it-desk",
    params: z.strictObject({ device: z.string().max(40), note: z.string().max(200), days: z.int().min(1).max(60) }),
    paramRules: {
      device: { class: "target", sources: ["principal"] },
      note: { class: "content", sources: ["principal"] },
      days: { class: "amount", sources: ["principal"] },
    },
    sideEffect: "mutating",
    risk: "low",
    reversible: true,
    describe: ({ device, days }) => `Order a replacement for ${device} within ${days} days`,
    key: ({ device }) => `replacement:${device}`,
    dedupe: "key",
    settleMs: 1_000,
    before: {
      query: "devices.byId",
      params: ({ device }) => ({ device }),
      project: (rows) => (rows[0] === undefined ? null : { note: rows[0]["note"] ?? null, state: rows[0]["state"] ?? null }),
    },
    expect: { state: ({ note }) => ({ note, state: "replaced" }), mayChange: [], deadlineMs: 60_000 },
  });
  const capability = defineCapability({
    name: "replace_device",
    version: "1",
    owner: "it-desk",
    description: "Replace a device.",
    openTo: ["employee"],
    input: z.strictObject({}),
    decision: z.strictObject({}),
    needs: () => [],
    deciding: { kind: "rule", version: "1", rule: () => ({}) },
    checks: [],
    effects: [replacement.erased],
    propose: () => ({ summary: "-" }),
  });
  return { project: defineProject({ name: "operations", capabilities: [capability] }), replacement };
}

/**
 * The hands over a target in memory. An operation that one process applied and another would observe is not there for the other: it
 * would not become complete, and a stretch in which that happened is refused.
 */
export function operationsHands({ replacement, target }: { replacement: DefinedEffect<Replacement>; target: Target }): Hands {
  const [open, close] = [async () => target, async () => {}];
  const writer = defineConnector({ name: "target-writer", side: "writes", secret: "OPERATIONS_WRITE", open, close });
  const observer = defineConnector({ name: "target-observer", side: "observes", secret: "OPERATIONS_OBSERVE", open, close });
  return defineHands({
    records: [
      recordSource(observer, [
        {
          name: "devices.byId",
          key: (row) => String(row["device"]),
          labels: { device: "system", note: "system", state: "system" },
          run: async ({ devices }, { device }) => {
            const found = devices.get(String(device)) ?? null;
            return found === null ? [] : [{ device: String(device), ...found }];
          },
        },
      ]),
    ],
    hands: [
      implementEffect(replacement, {
        apply: through(writer, async (at, { device, note }) => {
          at.applied += 1;
          at.devices.set(device, { note, state: "replaced" });
          return { targetId: device };
        }),
        observe: through(observer, async (at, { device }) => {
          at.observed += 1;
          return at.devices.get(device) ?? null;
        }),
      }),
    ],
  });
}
