import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Binding, CallRule, Slot } from "../../contract/plan.ts";
import { checkPlan } from "./check-plan.ts";
import { afterUse, judgeCall } from "./judge-call.ts";
import { openPlanned } from "./session.ts";

const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };
const request = "Read Dora's and Eve's pages and tell Dora and Eve what you think.";
const rules: readonly CallRule[] = [
  {
    name: "read_page",
    description: "Reads a page.",
    kind: "read",
    space: "own",
    reversible: true,
    args: { of: { class: "selector", type: "user" } },
    fields: { "": "third" },
  },
  {
    name: "tell",
    description: "Sends a message.",
    kind: "write",
    space: "external",
    reversible: false,
    args: { to: { class: "target", type: "user" }, body: { class: "content", type: "text" } },
    fields: {},
  },
];
const literal = (text: string): Binding => ({ kind: "literal", text });
const slots: readonly Slot[] = [
  { id: "page", tool: "read_page", args: { of: literal("Eve") } },
  { id: "to_dora", tool: "tell", args: { to: literal("Dora"), body: { kind: "compose", from: ["page"] } } },
  { id: "to_eve", tool: "tell", args: { to: literal("Eve"), body: { kind: "compose", from: ["page"] } } },
];

test("what a person permits uses up the slot that the call fits best, so that it does not pass a second time alone", () => {
  const checked = checkPlan({ slots, outside: "refuse" }, { request, rules, digest });
  if (checked.kind === "faults") throw new Error(checked.faults.join("; "));
  const session = openPlanned({ request, rules, plan: checked.plan });
  const ruling = judgeCall(session, { tool: "tell", args: { to: "Eve", body: "Nice." } });
  expect(ruling).toMatchObject({ kind: "ask", rule: "unresolved", slot: "to_eve" });
  expect(afterUse(session, ruling).used).toEqual(new Set(["to_eve"]));
});
