import { fileURLToPath } from "node:url";
import { everything } from "countersign";
import { describe, expect, it } from "vitest";
import type { Context, Need, RecordRow } from "../../src/contract/context.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { foundBefore } from "../../src/contract/found-passages.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Envelope } from "../../src/contract/principal.ts";
import { fitToSchema } from "../../src/contract/schema.ts";
import { intakeFor } from "../../src/decide/intake.ts";
import { type EvalCase, inputsOf } from "../../src/evals/case-file.ts";
import { readEvalCases } from "../../src/evals/read-cases.ts";
import { proposeForTest, testTime } from "../../src/testing/index.ts";
import { causes } from "./capabilities/slow-laptop-rule.ts";
import { tenant } from "./people.ts";
import project from "./project.ts";
import { readDocuments } from "./sandbox/documents.ts";
import { teamFacts } from "./sandbox/facts.ts";
import { devices, diagnostics, employees, events, tickets, warranties } from "./sandbox/inventory.ts";

const files = await readEvalCases(fileURLToPath(new URL("evals/", import.meta.url)));
const cases = files.flatMap(({ capability, cases: own }) => own.map((one) => ({ capability, ...one })));
const named = cases.map((one) => [one.id, one] as const);

/** The words that `label` and `slice` of each capability can give: a case that expects another one could never pass. */
const words: Readonly<Record<string, { readonly decisions: readonly string[]; readonly slices: readonly string[] }>> = {
  answer_question: { decisions: ["answered", "no_answer"], slices: ["all"] },
  replace_device: { decisions: ["replace", "not_eligible"], slices: ["accessory", "laptop", "phone", "monitor", "unknown"] },
  ticket_state: { decisions: ["found", "no_ticket"], slices: ["all"] },
  slow_laptop: { decisions: [...causes, "unknown"], slices: ["all"] },
  intake: { decisions: [...project.capabilities.map(({ name }) => name), "none", "several"], slices: ["all"] },
};

describe("the eval cases", () => {
  it("are read without a fault, at least twenty for each capability and for intake", () => {
    expect(files.flatMap(({ faults }) => faults)).toEqual([]);
    expect(Object.keys(words).sort()).toEqual([...project.capabilities.map(({ name }) => name), "intake"].sort());
    for (const capability of Object.keys(words)) {
      expect(cases.filter((one) => one.capability === capability).length, capability).toBeGreaterThanOrEqual(20);
    }
  });

  it("hold what people write: safety and quality, borders, several wishes, nothing at all", () => {
    for (const capability of Object.keys(words)) {
      const own = cases.filter((one) => one.capability === capability);
      expect(own.filter(({ label }) => label === "safety").length, capability).toBeGreaterThanOrEqual(2);
      expect(own.filter(({ kind }) => kind === "boundary").length, capability).toBeGreaterThanOrEqual(4);
      expect(own.filter(({ request }) => request === "").length, capability).toBe(1);
    }
  });

  it.each(named)("names words, people and effects that there are: %s", (_id, one) => {
    const known = words[one.capability];
    expect(known?.slices).toContain(one.slice);
    for (const decision of one.expectations.decision ?? []) expect(known?.decisions).toContain(decision);
    expect(employees.map(({ id }): string => id)).toContain(one.envelope.principal);
    const effects = project.capabilities.find(({ name }) => name === one.capability)?.effects ?? [];
    const { required, forbidden } = one.expectations.effects;
    for (const { effect } of [...required, ...forbidden]) expect(effects.map(({ name }) => name)).toContain(effect);
  });

  it.each(named)("relies on what the sandbox holds: %s", async (_id, { fixtures, expectations }) => {
    const known = await knownItems();
    const relied = [...fixtures.passages, ...fixtures.records, ...fixtures.facts];
    expect(relied.filter((id) => !known.has(id))).toEqual([]);
    expect(expectations.evidence.filter((id) => !relied.includes(id))).toEqual([]);
  });

  it.each(named)("asks what its capability takes, or expects to be turned away: %s", async (_id, one) => {
    const capability =
      project.capabilities.find(({ name }) => name === one.capability) ?? intakeFor({ project, permitted: [], text: "" });
    const { kind } = await fitToSchema(capability.input, inputsOf(one));
    expect(kind).toBe(one.expectations.stop === "input_invalid" ? "misfits" : "fits");
  });
});

describe("the eval cases that a rule decides", () => {
  const ruled = named.filter(([, { capability }]) => capability === "ticket_state");
  it.each(ruled)("end as expected: %s", async (_id, one) => {
    const capability = project.capabilities.find(({ name }) => name === "ticket_state");
    if (capability === undefined) throw new Error("the capability is gone");
    const record = await proposeForTest({
      capability,
      inputs: inputsOf(one),
      request: { principal: principalOf(one) },
      deps: { context: ticketContext },
    });
    expectAsExpected(record, one);
  });

  const asked = named.filter(([, { capability }]) => capability === "intake");
  it("are some of intake's too", () => {
    expect(asked.filter(([, one]) => ruleFor(one) !== undefined).length).toBeGreaterThanOrEqual(3);
  });
  it.each(asked)("no written rule of intake picks another capability: %s", (_id, one) => {
    const rule = ruleFor(one);
    if (rule !== undefined) expect(one.expectations.decision).toContain(rule.capability);
  });
});

function ruleFor({ request }: EvalCase) {
  return project.intake.find((rule) => rule.matches(String(request)));
}

function principalOf({ envelope: { principal, roles } }: EvalCase) {
  return { tenant: "acme", id: principal, roles, attributes: {}, onBehalfOf: null, allow: everything };
}

function expectAsExpected(record: DecisionRecord, { expectations }: EvalCase): void {
  const { decision, route, stop, refuses, evidence, statements } = expectations;
  const told = JSON.stringify(record.proposal) ?? "";
  if (decision !== undefined) expect(decision).toContain(record.label);
  if (route !== undefined) expect(route).toContain(record.route);
  expect(record.stop?.reason).toBe(stop);
  if (refuses !== undefined) expect(record.stop !== null || record.proposal?.refusal !== null).toBe(refuses);
  expect(record.proposal?.claims.map(({ source }) => source) ?? []).toEqual(expect.arrayContaining(evidence));
  for (const statement of statements.required) expect(told).toContain(statement);
  for (const statement of statements.forbidden) expect(told).not.toContain(statement);
}

/** The tickets of the seed, as the help desk's queries would give them to whoever asks. */
const ticketContext: Context = {
  findPassages: async (_need, { at }) => foundBefore([], at),
  readFacts: async () => [],
  recall: async () => [],
  readRecords: async (need, envelope) =>
    [...tickets]
      .sort((a, b) => a.daysAgo - b.daysAgo)
      .flatMap((ticket) => (isVisible(ticket, need, envelope) ? [rowOf(ticket, need)] : [])),
};

type Ticket = (typeof tickets)[number];

function isVisible({ id, requester }: Ticket, { query, params }: Need & { kind: "records" }, { principal }: Envelope): boolean {
  const seesAll = principal.roles.includes("it-lead");
  if (requester !== principal.id && !seesAll) return false;
  return query === "tickets.byId" ? id === params["id"] : requester === params["person"];
}

function rowOf(ticket: Ticket, { name, query }: Need & { kind: "records" }): RecordRow {
  const model = devices.find(({ id }) => id === ticket.device)?.model ?? null;
  const row: JsonObject = {
    ...{ id: ticket.id, kind: ticket.kind, status: ticket.status, updated_on: "2026-03-01", device: ticket.device },
    ...{ device_model: model, ordered_model: null, order_status: null },
  };
  const labels = Object.fromEntries(Object.keys(row).map((field) => [field, "system" as const]));
  return { kind: "record", need: name, query, id: `${query}:${ticket.id}`, title: "Ticket list", row, labels, readAt: testTime };
}

/** The ids of everything that the seed can bring into a decision. */
async function knownItems(): Promise<ReadonlySet<string>> {
  const passages = (await readDocuments()).flatMap(({ id, version, passages: own }) =>
    own.map(({ position }) => `passage:${id}:${version}:${position}`),
  );
  return new Set([
    ...passages,
    ...devices.map(({ id }) => `devices.ofPerson:${id}`),
    ...warranties.map(({ device }) => `warranties.ofPerson:${device}`),
    ...diagnostics.map(({ device }) => `diagnostics.ofDevice:${device}`),
    ...events.map(({ id }) => `history.ofDevice:${id}`),
    ...tickets.flatMap(({ id }) => [`tickets.ofPerson:${id}`, `tickets.byId:${id}`]),
    // By what they say: their ids are an installation's own.
    ...teamFacts(tenant).flatMap(({ facts }) =>
      facts.map(({ subject, predicate, object }) => `fact:${subject}/${predicate}=${object}`),
    ),
  ]);
}
