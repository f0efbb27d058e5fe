import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { everything, type Principal } from "../../contract/principal.ts";
import { openPolicy } from "./policy.ts";

const folder = new URL("../../../policies/", import.meta.url);
const texts = readdirSync(folder)
  .filter((file) => /[.]cedar(?:schema)?$/.test(file))
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));
const policy = openPolicy({ texts });

const person = (id: string, roles: string[], more: Partial<Principal> = {}): Principal => ({
  tenant: "acme",
  id,
  roles,
  attributes: {},
  onBehalfOf: null,
  allow: everything,
  ...more,
});
const signing = { tenant: "acme", requestedBy: "erin", onBehalfOf: null, risk: "medium", editedBy: null } as const;

describe("policy", () => {
  it("opens a capability to its roles, and one that names no role to nobody", () => {
    expect(policy.mayUse(person("erin", ["employee"]), { name: "c", openTo: ["employee"], effects: [] }).kind).toBe("permitted");
    expect(policy.mayUse(person("erin", ["employee"]), { name: "c", openTo: ["manager"], effects: [] }).kind).toBe("refused");
    expect(policy.mayUse(person("erin", ["employee"]), { name: "c", openTo: [], effects: [] }).kind).toBe("refused");
    expect(policy.mayUse(person("erin", []), { name: "c", openTo: ["employee"], effects: [] }).kind).toBe("refused");
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
    ["one of two approvers at high risk", person("ada", ["approver"]), { risk: "high" }, "permitted"],
    ["who edited it", person("ada", ["approver"]), { editedBy: "ada" }, "permitted"],
    ["who edited it at high risk", person("ada", ["approver"]), { risk: "high", editedBy: "ada" }, "editor_never_signs_high"],
  ] as const)("answers whether %s may sign", (_who, principal, change, answer) => {
    const ruling = policy.maySign({ principal, ...signing, ...change });
    expect(ruling.kind === "permitted" ? "permitted" : ruling.rule).toBe(answer);
  });

  it.each([
    ["an approver, also of high risk, alone", person("ada", ["approver"]), { risk: "high" }, "permitted"],
    ["who asked", person("erin", ["approver"]), {}, "requester_never_signs"],
    ["who was asked for", person("ada", ["approver"]), { requestedBy: "bot", onBehalfOf: "ada" }, "requester_never_signs"],
    ["an owner who approves nothing", person("oda", ["owner"]), {}, "approver_signs"],
    ["an agent for an approver", person("bot", ["approver"], { onBehalfOf: "ada" }), {}, "signs_in_person"],
    ["who edited it at high risk", person("ada", ["approver"]), { risk: "high", editedBy: "ada" }, "editor_never_signs_high"],
  ] as const)("answers whether %s may say what became of it", (_who, principal, change, answer) => {
    const ruling = policy.mayResolve({ principal, ...signing, ...change });
    expect(ruling.kind === "permitted" ? "permitted" : ruling.rule).toBe(answer);
  });

  it("lets an owner in person stop and resume, nobody else", () => {
    expect(policy.mayStop(person("oda", ["owner"])).kind).toBe("permitted");
    for (const role of ["employee", "approver", "auditor"])
      expect(policy.mayStop(person("ada", [role]))).toMatchObject({ kind: "refused", rule: "owner_stops" });
    expect(policy.mayStop(person("bot", ["owner"], { onBehalfOf: "oda" }))).toMatchObject({ rule: "stops_in_person" });
  });

  it("shows what is stopped and why to who signs, audits or owns", () => {
    for (const role of ["owner", "approver", "auditor"])
      expect(policy.maySeeStops(person("ada", ["employee", role])).kind).toBe("permitted");
    expect(policy.maySeeStops(person("erin", ["employee"])).kind).toBe("refused");
  });

  const erins = { requestedBy: "erin", onBehalfOf: null, route: "hitl_required", effects: 1 } as const;
  const answer = { route: "auto", effects: 0 } as const;
  const agent = person("bot", ["employee"], { onBehalfOf: "erin" });
  it.each([
    ["who asked, what is theirs", person("erin", ["employee"]), {}, "requester"],
    ["who was asked for, what is theirs", person("erin", ["employee"]), { requestedBy: "bot", onBehalfOf: "erin" }, "requester"],
    ["an approver who asked, no more than that", person("erin", ["approver"]), {}, "requester"],
    ["an auditor who asked, no more than that", person("erin", ["auditor"]), {}, "requester"],
    ["an owner for whom an agent asked", person("erin", ["owner"]), { requestedBy: "bot", onBehalfOf: "erin" }, "requester"],
    ["a colleague", person("bob", ["employee"]), {}, null],
    ["an approver, what was routed to a person", person("ada", ["approver"]), {}, "reviewer"],
    ["an approver, an answer that waits for review", person("ada", ["approver"]), { effects: 0 }, "reviewer"],
    ["an approver, what policy let through", person("ada", ["approver"]), { route: "auto" }, "reviewer"],
    ["an approver, an answer to somebody else", person("ada", ["approver"]), answer, null],
    ["an approver, what did not pass the checks", person("ada", ["approver"]), { route: "reject" }, null],
    ["an approver, what stopped", person("ada", ["approver"]), { route: null, effects: 0 }, null],
    ["an auditor, an answer to somebody else", person("aud", ["auditor"]), answer, "auditor"],
    ["an owner, an answer to somebody else", person("oda", ["owner"]), answer, "auditor"],
    ["an agent of an owner", person("bot", ["owner"], { onBehalfOf: "oda" }), answer, null],
    ["an agent, what its person asked for", agent, answer, "requester"],
    ["an agent, what it asked for another person", agent, { ...answer, requestedBy: "bot", onBehalfOf: "bob" }, null],
  ] as const)("shows %s", (_who, principal, change, sight) => {
    const seeing = { principal, tenant: "acme", ...erins, ...change };
    expect(policy.sightOf(seeing)).toBe(sight);
    expect(policy.maySee(seeing).kind).toBe(sight === null ? "refused" : "permitted");
    expect(policy.mayAudit(seeing).kind).toBe(sight === "auditor" ? "permitted" : "refused");
  });

  it("lets an owner in person open a slice", () => {
    expect(policy.mayOpenSlice(person("oda", ["owner"])).kind).toBe("permitted");
    expect(policy.mayOpenSlice(person("ada", ["approver"])).kind).toBe("refused");
    expect(policy.mayOpenSlice(person("bot", ["owner"], { onBehalfOf: "oda" })).kind).toBe("refused");
  });

  it("passes low risk alone, no other", () => {
    expect(policy.mayPassAlone(person("erin", []), { name: "e", risk: "low" }).kind).toBe("permitted");
    expect(policy.mayPassAlone(person("erin", []), { name: "e", risk: "medium" }).kind).toBe("refused");
    expect(policy.mayPassAlone(person("erin", []), { name: "e", risk: "high" }).kind).toBe("refused");
  });
});
