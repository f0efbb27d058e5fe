import { describe, expect, test } from "vitest";
import { contact, digest, literal, payBob, request, rules } from "../../../test/guard/provenance-samples.ts";
import type { Slot } from "../../contract/plan.ts";
import { checkPlan } from "./check-plan.ts";

describe("a plan is refused", () => {
  test.each<[string, Slot]>([
    ["whose literal is no span of the request", { ...payBob, args: { ...payBob.args, to: literal("US133000000121212121212") } }],
    ["whose literal is part of a longer word", { ...payBob, args: { ...payBob.args, amount: literal("40") } }],
    ["whose literal is of another type", { ...payBob, args: { ...payBob.args, to: literal("noon") } }],
    [
      "whose target is the planner's own word",
      { ...payBob, args: { ...payBob.args, to: { kind: "constant", value: "GB29NWBK60161331926819" } } },
    ],
    [
      "whose amount is calculated from the planner's own number",
      {
        ...payBob,
        args: {
          ...payBob.args,
          amount: { kind: "calculation", name: "add", of: [literal("40.00"), { kind: "constant", value: 1 }] },
        },
      },
    ],
    ["whose target is written text", { ...payBob, args: { ...payBob.args, to: { kind: "compose", from: [] } } }],
    ["that lacks an argument", { ...payBob, args: { to: literal("GB29NWBK60161331926819") } }],
    ["with an argument that the tool does not take", { ...payBob, args: { ...payBob.args, cc: literal("noon") } }],
    ["that names a slot after it", { ...payBob, args: { ...payBob.args, amount: { kind: "ref", slot: "later", path: "/x" } } }],
    ["for a tool that is not there", { ...payBob, tool: "transfer" }],
    [
      "with a calculation that is not there",
      { ...payBob, args: { ...payBob.args, amount: { kind: "calculation", name: "eval", of: [] } } },
    ],
    ["with an item of no list", { ...payBob, args: { ...payBob.args, amount: { kind: "item", path: "/x" } } }],
  ])("%s", (_, slot) => {
    expect(checkPlan({ slots: [slot], outside: "refuse" }, { request, rules, digest }).kind).toBe("faults");
  });

  test("and its digest moves with the request, the declarations and every slot", () => {
    const digestOf = (slots: readonly Slot[], of = request, declared = rules) => {
      const checked = checkPlan({ slots, outside: "refuse" }, { request: of, rules: declared, digest });
      return checked.kind === "plan" ? checked.plan.digest : checked.faults;
    };
    const own = digestOf([payBob]);
    expect(digestOf([payBob], `${request} `)).not.toEqual(own);
    expect(digestOf([payBob], request, rules.slice(1))).not.toEqual(own);
    expect(digestOf([payBob, contact])).not.toEqual(own);
    expect(digestOf([payBob])).toEqual(own);
  });
});
