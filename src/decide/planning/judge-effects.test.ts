import { expect, test } from "vitest";
import type { RecordRow } from "../../contract/context.ts";
import type { CallRuling, Plan } from "../../contract/plan.ts";
import type { ProposedEffect } from "../../contract/proposal.ts";
import type { LoopStep } from "../../contract/tool.ts";
import { withPlannedSources } from "./judge-effects.ts";

const plan = {
  ...{ version: 1, outside: "refuse", madeFrom: "", digest: "" },
  slots: [
    { id: "list", tool: "list", args: {} },
    { id: "each", tool: "find", args: {}, forEach: { kind: "ref", slot: "list", path: "" } },
  ],
} as const satisfies Plan;

const found = (id: string): RecordRow => ({ kind: "record", id, need: "n", query: "q", row: {}, labels: {}, readAt: 0 });
const read = (slot: string, ...ids: readonly string[]): LoopStep => ({
  ...{
    step: 0,
    slot,
    tool: "find",
    arguments: {},
    outcome: "read",
    fault: null,
    resultDigest: null,
    tokens: 0,
    costMicros: 0,
    ms: 0,
  },
  found: ids.map(found),
});
const steps = [
  read("list", "l1", "l2"),
  { ...read("each"), outcome: "failed" as const },
  read("each", "ann"),
  read("each", "zoe"),
];

test.each([
  ["list", "/1/id", { ref: "l2", at: "/id" }],
  ["each", "/1/result/0/email", { ref: "zoe", at: "/email" }],
  ["each", "/0/result/0/email", { ref: "ann", at: "/email" }],
  ["each", "/1/item/id", { ref: "where it says", at: null }],
])("a value of slot %s at %s comes from the record that was read there", (slot, pointer, expected) => {
  const ruling: CallRuling = {
    ...{ kind: "auto", rule: "as_planned", slot: "s" },
    sources: [{ arg: "to", label: "directory", from: "where it says", place: { slot, pointer } }],
  };
  const proposed = { params: { to: "a@our.example" }, sources: {} } as unknown as ProposedEffect; // the parts that count here
  const { sources } = withPlannedSources({ proposed, ruling, loop: { steps, digest: "", plan }, untrustedInContext: true });
  expect(sources["/to"]).toMatchObject({ kind: "directory", chosenBy: "code", ...expected });
});
