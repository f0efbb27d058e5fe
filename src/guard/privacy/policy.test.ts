import { expect, it } from "vitest";
import { readPrivacyPolicy, shippedRules, treatmentFor } from "./policy.ts";

const rule = { class: "card", jurisdiction: "*", region: "*", treatment: "drop" };

it("gives everything a stand-in, except organisations and secrets, where a project says nothing", () => {
  const { rules, dates } = readPrivacyPolicy(null);
  const of = (name: "person" | "card" | "organisation" | "secret" | "url_credential") =>
    treatmentFor(rules, { class: name, jurisdiction: null, region: "eu" });
  expect([of("person"), of("card"), of("organisation")]).toEqual(["tokenise", "tokenise", "allow"]);
  expect([of("secret"), of("url_credential")]).toEqual(["mask", "mask"]);
  expect(dates).toBe("scattered");
});

it("puts a file's rule in the place of the shipped one for the same, and organisations under stand-ins where asked", () => {
  const rules = [{ ...rule, class: "secret", treatment: "allow" }];
  const policy = readPrivacyPolicy({ version: 1, rules, organisations: true, dates: "in_order" });
  const of = (name: "organisation" | "secret") => treatmentFor(policy.rules, { class: name, jurisdiction: null, region: "eu" });
  expect([of("organisation"), of("secret")]).toEqual(["tokenise", "allow"]);
  expect(policy.dates).toBe("in_order");
});

it("lets the most specific rule hold, and of equal ones the strictest", () => {
  const treatment = (rules: Parameters<typeof treatmentFor>[0], jurisdiction: string | null = "us") =>
    treatmentFor(rules, { class: "card", jurisdiction, region: "eu" });
  const any = { class: "*", jurisdiction: "*", region: "*" } as const;
  expect(
    treatment([
      { ...any, treatment: "drop" },
      { ...any, class: "card", treatment: "allow" },
    ]),
  ).toBe("allow");
  expect(
    treatment([
      { ...any, region: "eu", treatment: "allow" },
      { ...any, jurisdiction: "us", treatment: "mask" },
      { ...any, class: "card", treatment: "hash" },
    ]),
  ).toBe("mask");
  expect(treatment([{ ...any, jurisdiction: "us", treatment: "allow" }], null)).toBe("tokenise");
  expect(treatment([{ ...any, region: "us", treatment: "allow" }])).toBe("tokenise");
  expect(treatment([])).toBe("tokenise");
});

it.each([
  [{ version: 2, rules: [] }, "/version"],
  [{ version: 1 }, "/rules"],
  [{ version: 1, rules: [], name: "x" }, "/name"],
  [{ version: 1, rules: [rule, { ...rule, sort: 1 }] }, "/rules/1/sort"],
  [{ version: 1, rules: [{ ...rule, class: "cards" }] }, "/rules/0/class"],
  [{ version: 1, rules: [{ ...rule, jurisdiction: "US" }] }, "/rules/0/jurisdiction"],
  [{ version: 1, rules: [{ ...rule, region: "" }] }, "/rules/0/region"],
  [{ version: 1, rules: [{ ...rule, treatment: "encrypt" }] }, "/rules/0/treatment"],
  [{ version: 1, rules: [rule, { ...rule, treatment: "mask" }] }, "/rules/1"],
  ["tokenise", "/"],
])("refuses %j and says where", (json, place) => {
  expect(() => readPrivacyPolicy(json)).toThrow(
    expect.objectContaining({ code: "definition_invalid", message: expect.stringContaining(`at \`${place}\``) }),
  );
});

it("cannot be changed once it is read", () => {
  const { rules } = readPrivacyPolicy(null);
  expect(Object.isFrozen(rules) && rules.every(Object.isFrozen) && Object.isFrozen(shippedRules)).toBe(true);
});
