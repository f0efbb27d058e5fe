import { expect, it } from "vitest";
import { z } from "zod";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { everything } from "../../src/contract/principal.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import { proposeForTest } from "../../src/testing/index.ts";

const capability = defineCapability({
  ...{ name: "close_ticket", version: "1", owner: "service-desk", description: "Close a ticket.", openTo: ["employee"] },
  input: z.strictObject({ ticket: z.string() }),
  decision: z.strictObject({ close: z.boolean() }),
  needs: () => [],
  deciding: { kind: "rule", version: "1", rule: () => ({ close: true }) },
  checks: [],
  propose: () => ({ summary: "Closed" }),
});

const inOrder = (names: readonly string[]): readonly string[] => [...names].sort();

it.each<[string, unknown, Partial<DecisionRecord>]>([
  ["decided", { ticket: "t-1" }, {}],
  ["stopped", {}, {}],
  ["ended by a loop", { ticket: "t-1" }, { loop: { steps: 2, digest: "0".repeat(64) } }],
  ["planned", { ticket: "t-1" }, { loop: { steps: 2, digest: "0".repeat(64), plan: "1".repeat(64) } }],
  ["asked for by an account with limits", { ticket: "t-1" }, { policies: { use: ["a"], propose: ["b"] } }],
])("writes the facts of a decision that was %s in canonical order, which spares sorting them", async (_what, inputs, own) => {
  const made = await proposeForTest({ capability, inputs });
  const principal = { ...made.request.principal, allow: { ...everything, effects: [] } };
  const record = { ...made, ...own, request: own.policies === undefined ? made.request : { ...made.request, principal } };
  const { facts } = decisionDraft(record, "0".repeat(64));
  const written = (value: unknown): unknown => (typeof value === "object" && value !== null ? Object.keys(value) : null);
  expect(Object.keys(facts)).toEqual(inOrder(Object.keys(facts)));
  for (const part of [facts["stop"], facts["loop"], facts["policies"], facts["allow"], ...[facts["signals"]].flat()])
    expect(written(part)).toEqual(typeof part === "object" && part !== null ? inOrder(Object.keys(part)) : null);
});
