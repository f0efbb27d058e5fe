import { describe, expect, it } from "vitest";
import type { Principal } from "../../contract/principal.ts";
import { policy } from "./policy.ts";

const person = (id: string, roles: string[], more: Partial<Principal> = {}): Principal => ({
  tenant: "acme",
  id,
  roles,
  attributes: {},
  onBehalfOf: null,
  ...more,
});
const signing = { tenant: "acme", requestedBy: "erin", onBehalfOf: null, risk: "medium" } as const;

describe("policy", () => {
  it("opens a capability to its roles, and one that names no role to nobody", () => {
    expect(policy.mayUse(person("erin", ["employee"]), { name: "c", openTo: ["employee"] }).kind).toBe("permitted");
    expect(policy.mayUse(person("erin", ["employee"]), { name: "c", openTo: ["manager"] }).kind).toBe("refused");
    expect(policy.mayUse(person("erin", ["employee"]), { name: "c", openTo: [] }).kind).toBe("refused");
    expect(policy.mayUse(person("erin", []), { name: "c", openTo: ["employee"] }).kind).toBe("refused");
  });

  it("gives labels for the tenant, each role and the person", () => {
    expect(policy.scopes(person("erin", ["employee", "lead"]))).toEqual([
      "tenant:all",
      "role:employee",
      "role:lead",
      "person:erin",
    ]);
  });

  it.each([
    ["an approver", person("ada", ["approver"]), {}, "permitted"],
    ["an employee", person("ada", ["employee"]), {}, "approver_signs"],
    ["who asked", person("erin", ["approver"]), {}, "requester_never_signs"],
    ["who was asked for", person("ada", ["approver"]), { requestedBy: "bot", onBehalfOf: "ada" }, "requester_never_signs"],
    ["an approver of another tenant", person("ada", ["approver"], { tenant: "globex" }), {}, "same_tenant"],
    ["an agent for an approver", person("bot", ["approver"], { onBehalfOf: "ada" }), {}, "signs_in_person"],
    ["one approver alone at high risk", person("ada", ["approver"]), { risk: "high" }, "high_risk_two_people"],
  ] as const)("answers whether %s may sign", (_who, principal, change, answer) => {
    const ruling = policy.maySign({ principal, ...signing, ...change });
    expect(ruling.kind === "permitted" ? "permitted" : ruling.rule).toBe(answer);
  });

  it("lets a requester and an approver see a decision, nobody else", () => {
    const of = { requestedBy: "erin", onBehalfOf: null };
    expect(policy.maySee({ principal: person("erin", ["employee"]), ...of }).kind).toBe("permitted");
    expect(policy.maySee({ principal: person("ada", ["approver"]), ...of }).kind).toBe("permitted");
    expect(policy.maySee({ principal: person("bob", ["employee"]), ...of }).kind).toBe("refused");
  });

  it("lets an owner in person open a slice", () => {
    expect(policy.mayOpenSlice(person("oda", ["owner"])).kind).toBe("permitted");
    expect(policy.mayOpenSlice(person("ada", ["approver"])).kind).toBe("refused");
    expect(policy.mayOpenSlice(person("bot", ["owner"], { onBehalfOf: "oda" })).kind).toBe("refused");
  });

  it("passes low risk alone, no other", () => {
    expect(policy.mayPassAlone("low").kind).toBe("permitted");
    expect(policy.mayPassAlone("medium").kind).toBe("refused");
    expect(policy.mayPassAlone("high").kind).toBe("refused");
  });
});
