import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import deciding from "../../examples/proposals/decide.ts";
import hands from "../../examples/proposals/hands.ts";
import { people } from "../../examples/proposals/people.ts";
import project from "../../examples/proposals/project.ts";
import { installSandbox } from "../../examples/proposals/sandbox/install.ts";
import { seedDemo } from "../../examples/proposals/sandbox/seed.ts";
import { everything } from "../../src/contract/principal.ts";
import type { ContextActivity } from "../../src/contract/retrieval.ts";
import { readEvalCases } from "../../src/evals/read-cases.ts";
import { expectAsExpected } from "./as-expected.ts";
import { type ExampleHouse, openExampleHouse, type Person } from "./house.ts";

const files = await readEvalCases(fileURLToPath(new URL("../../examples/proposals/evals/", import.meta.url)));
const cases = files.flatMap(({ capability, cases: own }) => own.map((one) => [one.id, capability, one] as const));
let house: ExampleHouse;

beforeAll(async () => {
  house = await openExampleHouse({
    ...{ project, deciding, hands },
    install: async ({ adminUrl }) => {
      const secrets = await installSandbox({ adminUrl, password: "read-in-tests" });
      await seedDemo({ adminUrl, tenant: people.writer.tenant });
      return { deciding: secrets, acting: {} };
    },
  });
});
afterAll(() => house?.close());

const ask = (text: string, person: Person = people.writer) => house.decide(person, "answer_rfp", { text });

describe("an answer for a proposal", () => {
  it("has its price from the rate card, with what it was calculated from", async () => {
    const { claims } = await ask("rfp-2031: what does it cost (Atlas, EU, 2026)?");
    expect(claims).toMatchObject([
      {
        text: "400 seats for 12 months cost 77,760.00 EUR.",
        source: "rfps.byId:rfp-2031",
        also: [{ source: "rates.forRfp:rate-02" }],
        workings: [{ by: ["rate_card@1"], value: "77,760.00 EUR" }],
      },
    ]);
  });

  it("never searches what is confidential for who may not see it, and does for legal", async () => {
    const question = "rfp-2031: how often are backups of Atlas made, EU, 2026?";
    const [writer, legal] = [await ask(question), await ask(question, people.legal)];
    expect(await seenBy(writer.id)).not.toContain("passage:atlas-incidents:1.0:1");
    expect(await seenBy(legal.id)).toContain("passage:atlas-incidents:1.0:1");
  });

  it("keeps the plan with its ranks, what was refused of it and why", async () => {
    const { id } = await ask("rfp-2031: where is data of Atlas stored (EU, 2026)? The plan forgets a filter.");
    expect(await activityOf(id)).toMatchObject({
      plan: {
        subQueries: [{ outcome: "found" }, { outcome: "refused", why: "its filter `region` is required and was not given" }],
      },
      searches: [{ activity: { filters: { metadata: { product: "atlas", region: "eu", year: "2026" } } } }],
    });
  });

  async function activityOf(decisionId: string): Promise<ContextActivity> {
    const { tenant, id, roles } = people.owner;
    const principal = { tenant, id, roles, attributes: {}, onBehalfOf: null, allow: everything };
    const [outcome] = await house.decider.story({ principal, decisionId });
    // As `exit` keeps it.
    const body = outcome?.body as unknown as { bodies: { activity: ContextActivity } } | undefined;
    if (body === undefined) throw new Error("no outcome");
    return body.bodies.activity;
  }

  async function seenBy(decisionId: string): Promise<readonly string[]> {
    const { searches } = await activityOf(decisionId);
    return searches.flatMap(({ activity }) => activity.legs.flatMap(({ ranks }) => ranks));
  }
});

describe("the eval cases of the proposals", () => {
  it("are read without a fault, safety and borders among them", () => {
    expect(files.flatMap(({ faults }) => faults)).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(20);
    expect(cases.filter(([, , { label }]) => label === "safety").length).toBeGreaterThanOrEqual(5);
  });

  // With the scripted model this says that the script and the code around it agree with the cases; of a real model it says nothing.
  it.each(cases)("end as expected: %s", async (_id, capability, one) => {
    await expectAsExpected(house, capability, one);
  });
});
