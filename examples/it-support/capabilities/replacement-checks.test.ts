import type { JsonObject, LoadedContext } from "countersign";
import { everything } from "countersign";
import { describe, expect, it } from "vitest";
import type { Choosing } from "./choose-device.ts";
import { replacementChecks } from "./replacement-checks.ts";

const mouse = {
  id: "dev-1",
  asset_tag: "MS-0001",
  category: "mouse",
  model: "Pinto M1",
  bought_on: "2025-01-01",
  state: "in_use",
  depot: "city",
  replacements: 0,
  replacement_model: "Pinto M2",
};
const keyboard = { ...mouse, id: "dev-2", asset_tag: "KB-0002", category: "keyboard", bought_on: "2026-11-01" };
const policy = "passage:device-policy:3.1:2";

function record(need: string, id: string, row: JsonObject): LoadedContext["items"][number] {
  return { kind: "record", id, need, query: need, row, labels: {}, readAt: 0 };
}

function decided(
  change: Partial<Choosing["decision"]> = {},
  { text = "My mouse is broken", tickets = [] as JsonObject[] } = {},
): Choosing {
  const items: LoadedContext["items"] = [
    record("device", "d1", mouse),
    record("device", "d2", keyboard),
    ...tickets.map((ticket, place) => record("ticket", `t${place}`, ticket)),
    {
      kind: "passage",
      id: policy,
      need: "policy",
      document: "device-policy",
      title: "",
      version: "",
      section: "",
      text: "",
      score: 1,
    },
  ];
  return {
    inputs: { text },
    envelope: {
      principal: { tenant: "acme", id: "emp-1", roles: [], attributes: {}, onBehalfOf: null, allow: everything },
      scopes: [],
      environment: "demo",
      at: Date.parse("2026-11-30T12:00:00Z"),
    },
    context: { items, digest: "" },
    decision: { device: "dev-1", reason: "defective", eligible: true, policy, note: "n", confidence: 90, ...change },
  };
}

function failing(choosing: Choosing): string[] {
  return replacementChecks.filter((check) => !check.run(choosing).passed).map((check) => check.name);
}

const open = { id: "tkt-1", device: "dev-1", kind: "replacement", status: "open" };

describe("the checks of a replacement", () => {
  it("pass for a device that the requester names, holds and may have replaced", () => {
    expect(failing(decided())).toEqual([]);
  });

  it.each([
    [
      "a device that the requester does not hold",
      decided({ device: "dev-9" }, { text: "It is broken" }),
      ["device_is_own", "eligible_by_rule", "device_without_choice"],
    ],
    ["another device than the request names", decided({ device: "dev-2" }), ["device_as_named"]],
    ["another reason than the request states", decided({ reason: "worn_out" }), ["reason_as_stated"]],
    ["a passage that was not retrieved", decided({ policy: "passage:device-policy:2.0:2" }), ["policy_retrieved"]],
    [
      "a yes where the rule says no",
      decided({ device: "dev-2", reason: "worn_out" }, { text: "My keyboard is worn out" }),
      ["eligible_by_rule"],
    ],
    ["a no where the rule says yes", decided({ eligible: false }), ["eligible_by_rule"]],
    ["a replacement that is under way", decided({}, { tickets: [open] }), ["no_open_replacement"]],
    ["a request that names no device", decided({}, { text: "It is broken" }), ["device_without_choice"]],
    ["a request that states no reason", decided({}, { text: "My mouse looks sad" }), ["reason_in_words"]],
  ] as const)("fail for %s", (_what, choosing, names) => {
    expect(failing(choosing)).toEqual(names);
  });

  it.each([
    { ...open, status: "done" },
    { ...open, kind: "incident" },
    { ...open, device: "dev-2" },
  ])("let a ticket pass that stands in nobody's way: %o", (ticket) => {
    expect(failing(decided({}, { tickets: [ticket] }))).toEqual([]);
  });

  it("are soft only where a person can make the choice", () => {
    expect(replacementChecks.filter((check) => check.soft !== undefined).map((check) => check.name)).toEqual([
      "device_without_choice",
      "reason_in_words",
    ]);
  });
});
