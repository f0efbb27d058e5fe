import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import deciding from "../../examples/reconciliation/decide.ts";
import hands from "../../examples/reconciliation/hands.ts";
import { people } from "../../examples/reconciliation/people.ts";
import project from "../../examples/reconciliation/project.ts";
import { feedsFolder, installSandbox } from "../../examples/reconciliation/sandbox/install.ts";
import { seedDemo } from "../../examples/reconciliation/sandbox/seed.ts";
import type { DecisionView } from "../../src/contract/views.ts";
import { readEvalCases } from "../../src/evals/read-cases.ts";
import { expectAsExpected } from "./as-expected.ts";
import { type ExampleHouse, openExampleHouse } from "./house.ts";

const { accountant, controller, secondController, owner } = people;
const files = await readEvalCases(fileURLToPath(new URL("../../examples/reconciliation/evals/", import.meta.url)));
const cases = files.flatMap(({ capability, cases: own }) => own.map((one) => [one.id, capability, one] as const));
const norda = "norda-2026-11-27.csv";
let house: ExampleHouse;

beforeAll(async () => {
  house = await openExampleHouse({
    ...{ project, deciding, hands },
    install: async ({ adminUrl }) => {
      const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
      const { BOOKS_READ_URL, BOOKS_WRITE_URL, BOOKS_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
      await seedDemo({ adminUrl, tenant: accountant.tenant });
      return { deciding: { BOOKS_READ_URL, FEEDS_FOLDER: feedsFolder }, acting: { BOOKS_WRITE_URL, BOOKS_OBSERVE_URL } };
    },
  });
});
afterAll(() => house?.close());

const reconcile = (line: number, file = norda) => house.decide(accountant, "reconcile_row", { file, line });

async function postings(): Promise<Record<string, unknown>[]> {
  const { rows } = await house.admin.query(
    "select kind, reference, movement, difference_minor, rule, rules_version, mapping_version, line from books.posting order by line",
  );
  return rows;
}

// First, since nothing of the books has changed yet.
describe("the eval cases of the reconciliation", () => {
  it("are read without a fault, at least twenty for each capability", () => {
    expect(files.flatMap(({ faults }) => faults)).toEqual([]);
    for (const { name } of project.capabilities) {
      expect(cases.filter(([, capability]) => capability === name).length, name).toBeGreaterThanOrEqual(20);
    }
  });

  it.each(cases)("end as expected: %s", async (_id, capability, one) => {
    await expectAsExpected(house, capability, one);
  });
});

describe("a day of reconciliation", () => {
  it("asks no model, for whatever row", async () => {
    expect(deciding.providers).toEqual([]);
    expect(await reconcile(2)).toMatchObject({ model: "none", isScripted: false });
  });

  it("waits with a match too, as long as nobody has opened its rule", async () => {
    expect(await reconcile(2)).toMatchObject({ state: "waiting", label: "exact_reference" });
  });

  it("refuses a match of a movement that changed while it waited", async () => {
    const waiting = await reconcile(1, "pelican-2026-11-27.json");
    await house.admin.query("update books.movement set amount_minor = -1550100, version = 2 where id = 'mov-3001'");
    await house.approve(controller, waiting.id);
    const refused = await house.worked(accountant, waiting.id, "refused");
    expect(refused.effects).toMatchObject([{ refusedCode: "stale_before_state" }]);
  });

  it("posts what a rule proves once its owner has opened it, and leaves every exception to people", async () => {
    for (const slice of ["exact_reference", "amount_and_date"]) {
      await house.openSlice(owner, { capability: "reconcile_row", slice, thresholdPpm: 1_000_000 });
    }
    // The decider looks at thresholds now and then, so the first rows may still find the rules closed.
    await vi.waitFor(
      async () => {
        const states = [(await reconcile(2)).state, (await reconcile(4)).state];
        expect(states).toEqual(["waiting_for_policy", "waiting_for_policy"]);
      },
      { timeout: 10_000, interval: 200 },
    );
    const day: DecisionView[] = [];
    for (let line = 2; line <= 24; line += 1) day.push(await reconcile(line));
    expect(day.map(({ label, state }) => `${label} ${state}`)).toEqual([
      ...["exact_reference waiting_for_policy", "exact_reference waiting_for_policy", "amount_and_date waiting_for_policy"],
      ...["difference waiting", "sign_flipped not_in_sources", "row_faulty not_in_sources", "row_faulty not_in_sources"],
      ...["duplicate_reference not_in_sources", "duplicate_reference not_in_sources", "exact_reference waiting_for_policy"],
      ...[
        "row_repeated not_in_sources",
        "row_faulty not_in_sources",
        "missing_in_books waiting",
        "ambiguous not_in_sources",
        "row_faulty not_in_sources",
      ],
      ...[
        "exact_reference waiting_for_policy",
        "date_differs not_in_sources",
        "amount_differs not_in_sources",
        "row_faulty not_in_sources",
      ],
      ...["row_faulty not_in_sources", "row_faulty not_in_sources", "row_faulty not_in_sources", "missing_in_books waiting"],
    ]);
    for (const { id, state } of day) if (state === "waiting_for_policy") await house.worked(accountant, id, "done");
    const versions = { rules_version: "rules-2", mapping_version: "norda-3" };
    expect(await postings()).toEqual(
      [
        { reference: "NB-10001", movement: "mov-2001", rule: "exact_reference", line: 2 },
        { reference: "NB-10002", movement: "mov-2002", rule: "exact_reference", line: 3 },
        { reference: "NB-10003", movement: "mov-2003", rule: "amount_and_date", line: 4 },
        { reference: "NB-10009", movement: "mov-2009", rule: "exact_reference", line: 11 },
        { reference: "NB-10014", movement: "mov-2014", rule: "exact_reference", line: 17 },
      ].map((one) => ({ ...one, ...versions, kind: "match", difference_minor: 0 })),
    );
  });

  it("adjusts what a person has signed, and signs nothing itself", async () => {
    const difference = await reconcile(5);
    expect(difference.effects).toMatchObject([
      { sentence: "Book -0.05 EUR for norda NB-10004: difference to mov-2004", risk: "medium", signaturesNeeded: 1 },
    ]);
    await house.worker.runOnce();
    expect((await postings()).map(({ kind }) => kind)).not.toContain("adjustment");
    await house.approve(controller, difference.id);
    await house.worked(accountant, difference.id, "done");
    expect(await postings()).toContainEqual(
      expect.objectContaining({ kind: "adjustment", movement: "mov-2004", difference_minor: -5, rule: "difference" }),
    );
  });

  it("books what was missing once, and meets it as booked the next time", async () => {
    const [first, second] = [await reconcile(14), await reconcile(14)];
    await house.approve(controller, first.id);
    await house.approve(controller, second.id);
    await house.worked(accountant, first.id, "done");
    await house.worked(accountant, second.id, "done");
    const { rows } = await house.admin.query("select amount_minor, state from books.movement where reference = 'NB-10011'");
    expect(rows).toEqual([{ amount_minor: -1_200, state: "matched" }]);
    expect(await reconcile(14)).toMatchObject({ label: "movement_matched", effects: [] });
  });

  it("takes two people for a large adjustment", async () => {
    const large = await reconcile(24);
    expect(large.effects).toMatchObject([{ risk: "high", signaturesNeeded: 2 }]);
    await house.approve(controller, large.id);
    await house.worker.runOnce();
    expect(await postings()).not.toContainEqual(expect.objectContaining({ reference: "NB-10019" }));
    await house.approve(secondController, large.id);
    await house.worked(accountant, large.id, "done");
  });

  it("reports every line of a feed that it could not take, by name", async () => {
    const report = await house.decide(accountant, "report_feed", { file: norda });
    expect(report).toMatchObject({ state: "answered", summary: `${norda}: 12 of 23 lines can be reconciled by rule` });
    expect(report.claims).toHaveLength(11);
    expect(report.claims.map(({ text }) => text)).toContain(
      'Line 7: amount_ambiguous, the amount is "15.500", not of the form 1.234,56.',
    );
  });
});
