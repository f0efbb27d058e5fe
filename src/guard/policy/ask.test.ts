import { readFileSync } from "node:fs";
import type { AuthorizationAnswer } from "@cedar-policy/cedar-wasm/nodejs";
import { describe, expect, it } from "vitest";
import { everything, type Principal } from "../../contract/principal.ts";
import { type Engine, openAsk, strictEngine } from "./ask.ts";
import { compilePolicies } from "./compile.ts";
import { openPolicy } from "./policy.ts";
import { schemaFile } from "./policy-text.ts";

const schema = { file: schemaFile, text: readFileSync(new URL(`../../../policies/${schemaFile}`, import.meta.url), "utf8") };
const oda: Principal = { tenant: "acme", id: "oda", roles: ["owner"], attributes: {}, onBehalfOf: null, allow: everything };
const stop = { principal: oda, action: "stop", resource: { id: "acme", attributes: { tenant: "acme" } } } as const;
const permits = `@id("first")\npermit (principal, action == Action::"stop", resource);\n@id("second") @refusal("not now")\npermit (principal, action, resource) when { principal.roles.contains("owner") };\n`;
const open = (text: string, engine: Engine = strictEngine) =>
  openAsk(compilePolicies([schema, { file: "own.cedar", text }]), engine);
const unavailable = { kind: "refused", rule: "policy_unavailable", policies: [] };

describe("a question to policies", () => {
  it("is answered by every policy that decides, in the order of the files", () => {
    expect(open(permits)(stop)).toEqual({ kind: "permitted", rule: "first", policies: ["first", "second"] });
  });

  it("is refused by one forbid, whatever permits", () => {
    const text = `${permits}@id("no") @refusal("never")\nforbid (principal, action, resource);`;
    expect(open(text)(stop)).toEqual({ kind: "refused", rule: "no", reason: "never", policies: ["no"] });
  });

  it("is refused with the sentence of the first permit that did not apply, or where there is none", () => {
    const ask = open(permits);
    const clerk = { ...oda, roles: ["clerk"] };
    expect(ask({ ...stop, principal: clerk, action: "seeStops" })).toEqual({
      ...{ kind: "refused", rule: "second", reason: "not now", policies: [] },
    });
    expect(open("")(stop)).toMatchObject({ kind: "refused", rule: "no_policy", policies: [] });
  });

  it("sees an account's attributes as tags, and lists and objects not at all", () => {
    const text = `@id("floor")\npermit (principal, action == Action::"stop", resource)\nwhen { principal.hasTag("floor") && principal.getTag("floor") == "3" };`;
    const ask = open(text);
    const on = (floor: Principal["attributes"][string]) => ask({ ...stop, principal: { ...oda, attributes: { floor } } }).kind;
    expect([on("3"), on(3), on("4"), on(["3"]), on({ n: "3" })]).toEqual([
      ...["permitted", "permitted", "refused", "refused", "refused"],
    ]);
  });

  it("is refused where the policies cannot be evaluated, and never throws", () => {
    const failing: readonly Engine[] = [
      () => {
        throw new Error("unreachable");
      },
      () => ({ type: "failure", errors: [], warnings: [] }),
      // A permit beside a policy that failed: what that one might have forbidden is not known.
      () => allowing(["first"], [{ policyId: "second", error: fault }]),
      // An allow that no policy stands behind.
      () => undefined as unknown as AuthorizationAnswer,
    ];
    for (const engine of failing) expect(open(permits, engine)(stop)).toMatchObject(unavailable);
    expect(open(permits, () => allowing([], []))(stop)).toMatchObject({ kind: "refused", policies: [] });
  });

  it.each([
    ["an action that there is not", { ...stop, action: "erase" }],
    ["a resource of another form", { ...stop, resource: { id: "acme", attributes: { tenant: 7 } } }],
    ["roles that are none", { ...stop, principal: { ...oda, roles: "owner" } }],
    ["a value that is no JSON", { ...stop, principal: { ...oda, roles: [1n] } }],
    ["no principal", { ...stop, principal: undefined }],
  ])("is refused for %s", (_what, question) => {
    expect(open(permits)(question as never)).toMatchObject(unavailable);
  });

  it("asks the engine once for the same question, and again for another", () => {
    let count = 0;
    const counting: Engine = () => {
      count += 1;
      return allowing(["first"], []);
    };
    const ask = open(permits, counting);
    for (const tenant of ["acme", "acme", "globex", "acme"]) ask({ ...stop, principal: { ...oda, tenant } });
    expect(count).toBe(2);
  });

  it("rests on overflow, not errors, in evaluation: an error in a policy is a no", () => {
    const text = `${permits}@id("sum")\npermit (principal, action == Action::"sign", resource) when { resource.effects + 9223372036854775807 > 0 };`;
    const resource = { id: "decision", attributes: { tenant: "acme", requestedBy: "erin", effects: 1 } };
    expect(open(text)({ principal: oda, action: "sign", resource })).toMatchObject(unavailable);
  });
});

describe("allow-lists", () => {
  const folder = new URL("../../../policies/", import.meta.url);
  const files = ["capabilities.cedar", "allow-lists.cedar", "reading.cedar"];
  const texts = files.map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));
  const policy = openPolicy({ texts: [schema, ...texts] });
  const effects = [{ name: "refund", before: { query: "orders.byId" } }];
  const capability = { name: "refunds", openTo: ["owner"], effects };
  const limited = (change: Partial<Principal["allow"]>) => ({ ...oda, allow: { ...everything, ...change } });

  it.each([
    ["everything", {}, "permitted"],
    [
      "the capability, its effect and what that reads",
      { capabilities: ["refunds"], effects: ["refund"], records: ["orders.byId"] },
      "permitted",
    ],
    ["no capability", { capabilities: [] }, "refused"],
    ["another capability", { capabilities: ["answers"] }, "refused"],
    ["no effect", { effects: [] }, "refused"],
    ["another query than its effect reads", { records: ["orders.byCustomer"] }, "refused"],
  ])("of %s", (_what, change, kind) => {
    expect(policy.mayUse(limited(change), capability).kind).toBe(kind);
  });

  it("hold for each query and each effect by itself, and an empty list is nothing", () => {
    expect(policy.mayRead(limited({ records: ["a"] }), "a").kind).toBe("permitted");
    expect(policy.mayRead(limited({ records: ["a"] }), "b")).toMatchObject({ rule: "not_on_allow_list" });
    expect(policy.mayRead(limited({ records: [] }), "a").kind).toBe("refused");
    expect(policy.mayPropose(limited({ effects: ["a"] }), { name: "a", risk: "low" }).kind).toBe("permitted");
    expect(policy.mayPropose(limited({ effects: [] }), { name: "a", risk: "low" }).kind).toBe("refused");
  });
});

const fault = { message: "overflow", help: null, code: null, url: null, severity: null };

function allowing(reason: string[], errors: { policyId: string; error: typeof fault }[]): AuthorizationAnswer {
  return { type: "success", response: { decision: "allow", diagnostics: { reason, errors } }, warnings: [] };
}
