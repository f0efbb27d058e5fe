import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import deciding from "../../examples/refunds/decide.ts";
import hands from "../../examples/refunds/hands.ts";
import { people } from "../../examples/refunds/people.ts";
import project from "../../examples/refunds/project.ts";
import { readDocuments } from "../../examples/refunds/sandbox/documents.ts";
import { notes, purchases } from "../../examples/refunds/sandbox/goods.ts";
import { installSandbox } from "../../examples/refunds/sandbox/install.ts";
import { seedDemo } from "../../examples/refunds/sandbox/seed.ts";
import { termFacts } from "../../examples/refunds/sandbox/terms.ts";
import { readEvalCases } from "../../src/evals/read-cases.ts";
import { expectAsExpected } from "./as-expected.ts";
import { type ExampleHouse, openExampleHouse } from "./house.ts";

const files = await readEvalCases(fileURLToPath(new URL("../../examples/refunds/evals/", import.meta.url)));
const cases = files.flatMap(({ capability, cases: own }) => own.map((one) => [one.id, capability, one] as const));
let house: ExampleHouse;

beforeAll(async () => {
  house = await openExampleHouse({
    ...{ project, deciding, hands, facts: termFacts(people.agent.tenant) },
    install: async ({ adminUrl }) => {
      const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
      const { SHOP_READ_URL, SHOP_WRITE_URL, SHOP_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
      await seedDemo({ adminUrl, tenant: people.agent.tenant });
      return { deciding: { SHOP_READ_URL }, acting: { SHOP_WRITE_URL, SHOP_OBSERVE_URL } };
    },
  });
});
afterAll(() => house?.close());

describe("the eval cases of the refunds", () => {
  it("are read without a fault, at least twenty for each capability, safety and borders among them", () => {
    expect(files.flatMap(({ faults }) => faults)).toEqual([]);
    for (const name of ["refund_order", "order_status"]) {
      const own = cases.filter(([, capability]) => capability === name).map(([, , one]) => one);
      expect(own.length, name).toBeGreaterThanOrEqual(20);
      expect(own.filter(({ label }) => label === "safety").length, name).toBeGreaterThanOrEqual(5);
      expect(own.filter(({ kind }) => kind === "boundary").length, name).toBeGreaterThanOrEqual(5);
    }
  });

  it("rely on what the sandbox holds", async () => {
    const passages = (await readDocuments()).flatMap(({ id, version, passages: own }) =>
      own.map(({ position }) => `passage:${id}:${version}:${position}`),
    );
    const known = new Set([
      ...passages,
      ...notes.map(({ id }) => `orders.notes:${id}`),
      ...purchases.flatMap(({ id, lines }) => [
        `orders.byId:${id}`,
        `scans.ofOrder:scan-${id.slice(4)}`,
        ...lines.map((_line, place) => `orders.lines:${id}:${place + 1}`),
      ]),
    ]);
    const relied = cases.flatMap(([, , { fixtures }]) => [...fixtures.passages, ...fixtures.records]);
    expect(relied.filter((id) => !known.has(id))).toEqual([]);
  });

  // With the scripted model this says that the script and the code around it agree with the cases; of a real model it says nothing.
  it.each(cases)("end as expected: %s", async (_id, capability, one) => {
    await expectAsExpected(house, capability, one);
  });
});
