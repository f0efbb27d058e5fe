/** Calls, their declarations and slots, for tests of plans. */
import { createHash } from "node:crypto";
import type { Json } from "../../src/contract/json.ts";
import type { Binding, CallRule, PlanDraft, ProposedCall, Slot } from "../../src/contract/plan.ts";
import { checkPlan } from "../../src/guard/provenance/check-plan.ts";
import { openPlanned } from "../../src/guard/provenance/session.ts";

export const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };
export const request =
  "Please send 40.00 to GB29NWBK60161331926819, mail 'See you at noon.' to bob@our.example and delete file 13. Tell Sara Baker too.";

export const rules: readonly CallRule[] = [
  {
    name: "find_contact",
    description: "Finds contacts by name.",
    kind: "read",
    space: "own",
    reversible: true,
    args: { name: { class: "selector", type: "text" } },
    fields: { "/*/name": "directory", "/*/email": "directory", "/*/about": "third", "/*/pin": "secret" },
  },
  {
    name: "list_files",
    description: "Lists files.",
    kind: "read",
    space: "own",
    reversible: true,
    args: {},
    fields: { "/*/id": "system", "/*/size": "system", "/*/text": "third" },
  },
  {
    name: "pay",
    description: "Sends money.",
    kind: "write",
    space: "external",
    reversible: false,
    args: {
      to: { class: "target", type: "iban" },
      amount: { class: "amount", type: "number" },
      note: { class: "memo", type: "text" },
    },
    fields: {},
  },
  {
    name: "mail",
    description: "Sends mail.",
    kind: "write",
    space: "external",
    reversible: false,
    args: {
      to: { class: "target", type: "email", many: true },
      body: { class: "content", type: "text" },
      urgent: { class: "flag", type: "text", optional: true, constants: ["yes", "no"] },
    },
    fields: {},
  },
  {
    name: "delete_file",
    description: "Deletes a file.",
    kind: "write",
    space: "own",
    reversible: false,
    args: { id: { class: "selector", type: "id" } },
    fields: {},
  },
  {
    name: "create_file",
    description: "Creates a file.",
    kind: "write",
    space: "own",
    reversible: true,
    args: { name: { class: "param", type: "text" }, text: { class: "content", type: "text" } },
    fields: {},
  },
  {
    name: "get_page",
    description: "Gets a page.",
    kind: "send",
    space: "external",
    reversible: false,
    args: { url: { class: "target", type: "url" } },
    fields: {},
  },
];

export const literal = (text: string): Binding => ({ kind: "literal", text });
export const payBob: Slot = {
  id: "pay",
  tool: "pay",
  args: { to: literal("GB29NWBK60161331926819"), amount: literal("40.00"), note: { kind: "constant", value: "Refund" } },
};
export const contact: Slot = { id: "contact", tool: "find_contact", args: { name: literal("Sara Baker") } };
export const toContact: Binding = {
  kind: "list",
  of: [{ kind: "ref", slot: "contact", where: [{ field: "/name", is: "equals", value: literal("Sara Baker") }], path: "/email" }],
};

export function begin(slots: readonly Slot[] | null, outside: PlanDraft["outside"] = "refuse") {
  if (slots === null) return openPlanned({ request, rules, plan: null });
  const checked = checkPlan({ slots, outside }, { request, rules, digest });
  if (checked.kind === "faults") throw new Error(checked.faults.join("; "));
  return openPlanned({ request, rules, plan: checked.plan });
}
export const call = (tool: string, args: { [arg: string]: Json }): ProposedCall => ({ tool, args });
export const paid = { to: "GB29NWBK60161331926819", amount: 40, note: "Refund" };
