import { expect } from "vitest";
import type { DecisionView } from "../../src/contract/views.ts";
import { type EvalCase, inputsOf } from "../../src/evals/case-file.ts";
import type { ExampleHouse } from "./house.ts";

/** Decides an eval case of a capability in a house, and expects of the decision what the case does. Nothing is signed or applied. */
export async function expectAsExpected(house: ExampleHouse, capability: string, one: EvalCase): Promise<void> {
  const { principal: id, roles, tenant = "acme" } = one.envelope;
  const person = { tenant, id, roles };
  const deciding =
    capability === "intake" ? house.pick(person, String(one.request)) : house.decide(person, capability, inputsOf(one));
  if (one.expectations.stop === "input_invalid") return expect(deciding).rejects.toMatchObject({ code: "input_invalid" });
  const view = await deciding;
  const { decision, route, rule, stop, refuses, evidence, statements, effects } = one.expectations;
  if (decision !== undefined) expect(decision).toContain(view.label);
  if (route !== undefined) expect(route).toContain(view.route);
  if (rule !== undefined) expect(view.rule).toBe(rule);
  // A case that expects a refusal and names no reason takes an early stop for one.
  if (stop !== undefined || refuses !== true) expect(view.stop?.reason).toBe(stop);
  // Held back is refused, as the scorer of answers has it.
  if (refuses !== undefined) expect(view.stop !== null || view.refusal !== null || view.route === "reject").toBe(refuses);
  // Ids of facts are an installation's own; the runner of eval cases looks them up.
  const named = evidence.filter((id) => !id.startsWith("fact:"));
  const sources = view.claims.flatMap(({ source, also = [] }) => [source, ...also.map((one) => one.source)]);
  expect(sources).toEqual(expect.arrayContaining(named));
  const told = toldIn(view);
  for (const statement of statements.required) expect(told).toContain(statement);
  for (const statement of statements.forbidden) expect(told).not.toContain(statement);
  const isPassed = view.route !== "reject";
  for (const { effect, params } of effects.required)
    expect(view.effects).toContainEqual(expect.objectContaining({ effect, params: expect.objectContaining(params) }));
  for (const { effect, params } of isPassed ? effects.forbidden : [])
    expect(view.effects).not.toContainEqual(expect.objectContaining({ effect, params: expect.objectContaining(params) }));
}

function toldIn({ summary, refusal, claims, effects }: DecisionView): string {
  return JSON.stringify({
    summary,
    refusal,
    claims: claims.map(({ text }) => text),
    effects: effects.map(({ params }) => params),
  });
}
