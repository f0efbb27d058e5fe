import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import deciding from "../../examples/it-support/decide.ts";
import hands from "../../examples/it-support/hands.ts";
import { tenant } from "../../examples/it-support/people.ts";
import project from "../../examples/it-support/project.ts";
import { teamFacts } from "../../examples/it-support/sandbox/facts.ts";
import { installSandbox } from "../../examples/it-support/sandbox/install.ts";
import { seedDemo } from "../../examples/it-support/sandbox/seed.ts";
import { readEvalCases } from "../../src/evals/read-cases.ts";
import { expectAsExpected } from "./as-expected.ts";
import { type ExampleHouse, openExampleHouse } from "./house.ts";

const files = await readEvalCases(fileURLToPath(new URL("../../examples/it-support/evals/", import.meta.url)));
const cases = files.flatMap(({ capability, cases: own }) => own.map((one) => [one.id, capability, one] as const));
let house: ExampleHouse;

beforeAll(async () => {
  house = await openExampleHouse({
    ...{ project, deciding, hands, facts: teamFacts(tenant) },
    install: async ({ adminUrl }) => {
      const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
      const { HELPDESK_READ_URL, ...acting } = await installSandbox({ adminUrl, passwords });
      await seedDemo({ adminUrl, tenant });
      return { deciding: { HELPDESK_READ_URL }, acting };
    },
  });
});
afterAll(() => house?.close());

describe("the eval cases of the help desk", () => {
  it("are read without a fault", () => {
    expect(files.flatMap(({ faults }) => faults)).toEqual([]);
  });

  // With the scripted model this says that the script and the code around it agree with the cases; of a real model it says nothing.
  it.each(cases)("end as expected: %s", async (_id, capability, one) => {
    await expectAsExpected(house, capability, one);
  });
});
