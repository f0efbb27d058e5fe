import { everything } from "countersign";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context, Need } from "../../src/contract/context.ts";
import type { DecisionRecord, DecisionRequest } from "../../src/contract/decision.ts";
import { graph } from "../../src/decide/graph.ts";
import { intakeFor } from "../../src/decide/intake.ts";
import { propose } from "../../src/decide/run.ts";
import { createTools } from "../../src/decide/tools.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDecidingHelpdesk } from "../../test/setup/deciding-helpdesk.ts";
import { shippedPolicy } from "../../test/setup/policy.ts";
import { people } from "./people.ts";
import project from "./project.ts";
import { sentences } from "./sentences.ts";

let deciding: Awaited<ReturnType<typeof openDecidingHelpdesk>>;
const { name: _name, title: _title, ...asker } = people.employee;
const principal = { ...asker, attributes: {}, onBehalfOf: null, allow: everything };

beforeAll(async () => {
  deciding = await openDecidingHelpdesk({ tenant: principal.tenant });
});
afterAll(async () => deciding?.close());

function requestFor(capability: string, text: string): DecisionRequest {
  return { decisionId: "d", entryId: "e", principal, capability, inputs: { text }, idempotencyKey: null, cause: null };
}

function decide(capability: (typeof project.capabilities)[number], text: string): Promise<DecisionRecord> {
  return propose({ graph, request: requestFor(capability.name, text), deps: { ...deciding.deps, capability } });
}

function pickFor(text: string): Promise<DecisionRecord> {
  return decide(intakeFor({ project, permitted: project.capabilities, text }), text);
}

async function ask(name: keyof typeof sentences): Promise<DecisionRecord> {
  const picked = (await pickFor(sentences[name])).label;
  const capability = project.capabilities.find((one) => one.name === picked);
  if (capability === undefined) throw new Error(`intake picked \`${picked}\` for: ${sentences[name]}`);
  return decide(capability, sentences[name]);
}

/** What a reader of the demo's table would see. */
function shown({ proposal, route, rule, stop, model, calls }: DecisionRecord) {
  return {
    route,
    rule,
    stop: stop?.reason ?? null,
    calls: calls.length,
    model,
    claims: proposal?.claims.map((claim) => claim.source) ?? [],
    refusal: proposal?.refusal ?? null,
    effects: proposal?.effects.map((effect) => effect.key) ?? [],
    loweredBy: proposal?.routing.loweredBy ?? [],
  };
}

describe("the demo's sentences: questions", () => {
  it.each([
    "answerLaptopAge",
    "answerVpnAbroad",
    "answerHelpDeskHours",
    "answerPasswordChange",
    "answerMyLaptop",
    "answerAfterRetry",
  ] as const)("%s is answered, each claim with its source", async (name) => {
    const record = await ask(name);
    expect(shown(record)).toMatchObject({ route: "auto", rule: "no_effects", stop: null, refusal: null, effects: [] });
    expect(record.verified).toBe(true);
    expect(record.proposal?.claims.length).toBeGreaterThan(0);
    expect(record.proposal?.droppedClaims).toEqual([]);
    expect(record.calls.length).toBe(name === "answerAfterRetry" ? 2 : 1);
  });

  it("renders a record's value itself", async () => {
    const { proposal } = await ask("answerMyLaptop");
    expect(proposal?.claims[0]?.text).toMatch(/^Your laptop is a Halden Book 13, bought on \d{4}-\d{2}-\d{2}\.$/);
  });

  it("stops before the model where the sources hold nothing", async () => {
    expect(shown(await ask("notInSources"))).toMatchObject({ stop: "not_in_sources", calls: 0, claims: [] });
  });

  it("refuses where the passages that were found do not say it", async () => {
    expect(shown(await ask("silentSources"))).toMatchObject({
      stop: null,
      calls: 1,
      claims: [],
      refusal: "The sources do not say.",
    });
  });

  it.each(["inventedSource", "wrongNumber"] as const)("%s is rejected by verification", async (name) => {
    expect(shown(await ask(name))).toMatchObject({ route: "reject", rule: "not_verified" });
  });

  it("blocks what a colleague holds", async () => {
    expect(shown(await ask("leaksColleague"))).toMatchObject({ stop: "blocked_by_guard" });
  });
});

describe("the demo's sentences: replacements", () => {
  it.each([
    ["mouseByPolicy", "dev-2001"],
    ["headsetLostReply", "dev-2003"],
  ] as const)("%s goes through by policy: every value was chosen by code or stands in the request", async (name, device) => {
    const record = await ask(name);
    expect(shown(record)).toMatchObject({
      route: "auto",
      rule: "at_or_above_threshold",
      loweredBy: [],
      effects: [`ticket:replacement:${device}:0`, `order:replacement:${device}:0`],
    });
    const sources = record.proposal?.effects.flatMap((effect) => Object.values(effect.sources)) ?? [];
    expect(sources.filter((source) => source.chosenBy === "model")).toEqual([]);
  });

  it("laptopByPerson waits for a person, pre-filled, because its risk is not low", async () => {
    expect(shown(await ask("laptopByPerson"))).toMatchObject({
      route: "hitl_recommended",
      rule: "within_margin",
      loweredBy: ["risk_not_low"],
    });
  });

  it("monitorUnsure waits for a person who decides from scratch; the device was the model's choice", async () => {
    const record = await ask("monitorUnsure");
    expect(shown(record)).toMatchObject({ route: "hitl_required", rule: "below_margin" });
    expect(record.proposal?.routing.loweredBy).toContain("source_not_trusted");
    expect(record.proposal?.effects[0]?.sources["/device"]).toMatchObject({ kind: "record", chosenBy: "model" });
  });

  it("phoneUnderWarranty is told why not, and nothing would be changed", async () => {
    const record = await ask("phoneUnderWarranty");
    expect(record.verified).toBe(true);
    expect(shown(record)).toMatchObject({ effects: [], refusal: expect.stringContaining("under warranty") });
  });

  it.each(["keyboardTooYoung", "deviceOfAnother"] as const)(
    "%s is rejected by verification and proposes nothing",
    async (name) => {
      expect(shown(await ask(name))).toMatchObject({ route: "reject", rule: "not_verified", effects: [] });
    },
  );

  it.each(["prose", "fenced", "numberAsText", "extraKey", "doubledKey"] as const)(
    "%s never fits and fails closed after three calls",
    async (name) => {
      expect(shown(await ask(name))).toMatchObject({
        route: "reject",
        rule: "non_conforming_output",
        stop: "non_conforming_output",
        calls: 3,
      });
    },
  );
});

describe("the demo's sentences: intake and tickets", () => {
  it("asks back for several wishes and where nothing fits", async () => {
    expect((await pickFor(sentences.severalWishes)).label).toBe("several");
    expect((await pickFor(sentences.noneFits)).label).toBe("none");
  });

  it.each(["ticketByNumber", "ticketLatest"] as const)("%s is told from the record, without a model", async (name) => {
    const record = await ask(name);
    expect(record.model).toBe("none");
    const id = name === "ticketByNumber" ? "tkt-1001" : "tkt-1003";
    expect(record.proposal?.claims[0]?.text).toMatch(new RegExp(`^Ticket ${id} is [a-z ]+ since \\d{4}-\\d{2}-\\d{2}\\.$`));
  });

  it("does not tell the state of somebody else's ticket", async () => {
    expect(shown(await ask("ticketOfAnother"))).toMatchObject({ claims: [], refusal: "No ticket of yours was found." });
  });

  it("picks by the written rule where a ticket is named, without a call", async () => {
    expect((await pickFor(sentences.ticketByNumber)).calls).toEqual([]);
    expect((await pickFor("Please replace the mouse of tkt-1001, is it ready?")).calls).toHaveLength(1);
  });

  it("proposes the same twice, byte for byte: same request, same context, same replies", async () => {
    const capability = project.capabilities.find((one) => one.name === "replace_device");
    if (capability === undefined) throw new Error("the project cannot replace devices");
    const now = Date.now();
    const context = remembered(deciding.deps.context);
    const clock = { ...systemClock, now: () => now };
    const deps = { ...deciding.deps, capability, clock, context, tools: createTools({ permit: shippedPolicy, context }) };
    const request = requestFor(capability.name, sentences.mouseByPolicy);
    const digests = [await propose({ graph, request, deps }), await propose({ graph, request, deps })].map(
      ({ proposal }) => proposal?.digest,
    );
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(digests[1]).toBe(digests[0]);
  });
});

/** Gives the first answer to each need again, so that two runs see one snapshot. */
function remembered({ findPassages, readRecords, readFacts, recall }: Context): Context {
  const answers = new Map<string, Promise<unknown>>();
  const once = <T>(need: Need, ask: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(need);
    const answer = answers.get(key) ?? ask();
    answers.set(key, answer);
    return answer as Promise<T>; // kept under the need that it answers
  };
  return {
    findPassages: (need, envelope) => once(need, () => findPassages(need, envelope)),
    readRecords: (need, envelope) => once(need, () => readRecords(need, envelope)),
    ...{ readFacts, recall },
  };
}
