/**
 * What is measured: one capability with one effect, decided by the shipped graph over the shipped gateway and policy, with an
 * instant scripted provider and context from memory. About 2 KB of state, as in the peer.
 */

import * as z from "zod";
import { openPolicies } from "../../src/cli/open-policies.ts";
import type { Context, RecordRow } from "../../src/contract/context.ts";
import type { DecisionRecord, DecisionRequest } from "../../src/contract/decision.ts";
import { foundBefore } from "../../src/contract/found-passages.ts";
import type { Ids, Slices } from "../../src/contract/ports.ts";
import { everything } from "../../src/contract/principal.ts";
import { graph } from "../../src/decide/graph.ts";
import { propose } from "../../src/decide/run.ts";
import type { Deps } from "../../src/decide/state.ts";
import { createTools } from "../../src/decide/tools.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { from } from "../../src/define/source.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { scriptedProvider } from "../../src/testing/index.ts";

const policy = openPolicies();

/** One decision of one tenant, from request to record; what writes it is the caller's. */
export interface Workload {
  readonly request: (tenant: string) => DecisionRequest;
  readonly propose: (request: DecisionRequest) => Promise<DecisionRecord>;
}

const hidden = ["grace@example.com", "+31 6 1234 5678"];

/** Builds the workload over the given thresholds. */
export function createWorkload({ slices, ids }: { slices: Slices; ids: Ids }): Workload {
  const deps: Deps = {
    capability: replaceDevice,
    environment: "demo",
    clock: systemClock,
    deadline: systemDeadline,
    digest: sha256Digest,
    model: createGateway({
      providers: [scriptedProvider({ name: "scripted", lines: [line] })],
      clock: systemClock,
      deadline: systemDeadline,
      random: Math.random,
    }),
    context,
    tools: createTools({ permit: policy, context }),
    slices,
    permit: policy,
    hiddenValues: {
      findHidden: async ({ texts }) => hidden.filter((value) => texts.some((text) => text.includes(value))),
    },
    spans: null,
    canaries: ["canary-7f3a"],
    cancel: { isCancelled: () => false, onCancel: () => {} },
  };
  return {
    request: (tenant) => ({
      decisionId: ids.next(),
      entryId: ids.next(),
      principal: { tenant, id: "emp-1", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything },
      capability: replaceDevice.name,
      inputs: { text: "The battery of my laptop is swollen, I need a new one before Thursday.", days: 5 },
      idempotencyKey: ids.next(),
      cause: null,
    }),
    propose: (request) => propose({ graph, request, deps }),
  };
}

const params = z.strictObject({ device: z.string(), employee: z.string(), days: z.int().min(1).max(60), note: z.string() });

const replacement = defineEffect({
  name: "order_replacement",
  version: "1",
  owner: "it-desk",
  params,
  paramRules: {
    device: { class: "target", sources: ["record"] },
    employee: { class: "target", sources: ["principal"] },
    days: { class: "amount", sources: ["principal"] },
    note: { class: "content", sources: ["principal", "model"] },
  },
  sideEffect: "mutating",
  risk: () => "low",
  reversible: true,
  describe: ({ device, days }) => `Order a replacement for ${device} within ${days} days`,
  key: ({ device }) => `replacement:${device}`,
  dedupe: "key",
  settleMs: 1000,
  before: { query: "devices.byId", params: ({ device }) => ({ id: device }), project: (rows) => rows[0] ?? null },
  expect: { state: () => ({ state: "replaced" }), mayChange: [], deadlineMs: 1000 },
});

const decision = z.strictObject({
  device: z.string().regex(/^lt-\d+$/),
  verdict: z.enum(["replace", "repair"]),
  note: z.string().max(200),
  sure: z.int().min(0).max(100),
});

const replaceDevice = defineCapability<{ text: string; days: number }, z.infer<typeof decision>>({
  name: "replace_device",
  version: "1",
  owner: "it-desk",
  description: "Replace a device.",
  openTo: ["employee"],
  input: z.strictObject({ text: z.string().min(1).max(500), days: z.int().min(1).max(60) }),
  decision,
  needs: ({ inputs }) => [
    { kind: "passages", name: "rules", query: inputs.text, limit: 3, minimumScore: 0.2 },
    { kind: "records", name: "device", query: "devices.mine", params: {}, maxAgeMs: 30_000 },
  ],
  deciding: {
    kind: "prompt",
    version: "p1",
    model: { provider: "scripted", id: "overhead-2026-02-01", effort: "none", temperature: 0 },
    prompt: ({ inputs, context: { items } }) => ({
      system: "You decide whether a device is replaced.",
      messages: [{ role: "user", text: `${inputs.text} (${items.length} items)` }],
    }),
  },
  checks: [
    { name: "may_be_replaced", run: ({ decision: { verdict } }) => ({ passed: verdict === "replace", evidence: verdict }) },
  ],
  effects: [replacement.erased],
  modelConfidence: ({ sure }) => sure,
  propose: ({ inputs, envelope: { principal }, decision: { device, note } }) => ({
    summary: `Replace ${device}`,
    effects: [
      effectDraft(replacement, {
        params: { device, employee: principal.id, days: inputs.days, note },
        sources: {
          "/device": from.record(row, "/id"),
          "/employee": from.requester(),
          "/days": from.principal("/days"),
          "/note": from.model(),
        },
      }),
    ],
  }),
});

const line = {
  purpose: "decide",
  when: /battery/,
  replies: [
    JSON.stringify({
      device: "lt-1042",
      verdict: "replace",
      note: "The battery is swollen; the warranty has run out.",
      sure: 91,
    }),
  ],
} as const;

const row: RecordRow = {
  kind: "record",
  id: "devices.mine:lt-1042",
  need: "device",
  query: "devices.mine",
  row: { id: "lt-1042", model: "X1 Carbon", state: "active", warranty_until: "2026-01-02", keeper: "emp-1", remark: "dented" },
  labels: { id: "system", model: "system", state: "system", warranty_until: "system", keeper: "directory", remark: "third" },
  readAt: 0,
};

const rule =
  "A device is replaced when it is broken beyond repair, unsafe, or older than four years and out of warranty. The owner of the cost center signs above 1,500 euros.";

/** Answers at once and from memory: searching is not what is measured here. */
const context: Context = {
  findPassages: async ({ name, limit }, { at }) =>
    foundBefore(
      [1, 2, 3].slice(0, limit).map((part) => ({
        ...{ kind: "passage", id: `device-policy:3.1:${part}`, need: name, document: "device-policy", title: "Device policy" },
        ...{ version: "3.1", section: `Replacement, part ${part}`, text: rule, score: 4 - part },
      })),
      at,
    ),
  readFacts: async () => [],
  recall: async () => [],
  readRecords: async ({ name, query }) => [{ ...row, id: `${query}:lt-1042`, need: name, query, readAt: systemClock.now() }],
};
