import { afterAll, beforeAll, expect, it } from "vitest";
import type { CallRecord } from "../../src/contract/model.ts";
import { type PrivacyRange, privacyReport } from "../../src/ledger/privacy-report.ts";
import { type LedgerFixture, openLedger, record, request } from "./ledger-fixture.ts";

const day = (date: number) => Date.UTC(2026, 2, date, 12);
const march: PrivacyRange = { from: "2026-03-01", before: "2026-04-01", tenant: null };
let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger();
  const policy = { privacyPolicy: "ab".repeat(32) };
  const on = { isScripted: false, boundary: "on", ...policy } as const;
  const replaced = { ...on, replacedCounts: { email: { tokenise: 2 }, secret: { mask: 1 } } };
  // Asked twice: what was replaced in each request counts.
  await decide({ capability: "refund", at: day(3) }, [replaced, { ...replaced, attempt: 2 }]);
  await decide({ capability: "refund", at: day(4), tenant: "globex" }, [{ ...on, replacedCounts: { person: { tokenise: 7 } } }]);
  await decide({ capability: "answer", at: day(5) }, [on, { isScripted: false, boundary: "off" }]);
  await decide({ capability: "answer", at: day(6) }, [{}]);
  await decide({ capability: "refund", at: day(40) }, [replaced]);
});
afterAll(() => ledger?.close());

it("counts what was sent by capability, class and treatment, over the calls of each decision", async () => {
  expect(await privacyReport(ledger.database.adminUrl, march)).toEqual([
    { capability: "answer", decisions: 1, unbounded: 1, replaced: [] },
    {
      ...{ capability: "refund", decisions: 2, unbounded: 0 },
      replaced: [
        { class: "person", treatment: "tokenise", count: 7 },
        { class: "email", treatment: "tokenise", count: 4 },
        { class: "secret", treatment: "mask", count: 2 },
      ],
    },
  ]);
});

it("is of one tenant where one is asked for, and of the days that are named", async () => {
  const { adminUrl } = ledger.database;
  const of = async (range: Partial<PrivacyRange>) =>
    (await privacyReport(adminUrl, { ...march, ...range })).map(({ capability, decisions }) => `${capability} ${decisions}`);
  expect(await of({ tenant: "globex" })).toEqual(["refund 1"]);
  expect(await of({ from: "2026-03-04", before: "2026-03-05" })).toEqual(["refund 1"]);
  expect(await of({ from: "2027-01-01", before: "2027-02-01" })).toEqual([]);
});

async function decide(
  { capability, at, tenant = "acme" }: { capability: string; at: number; tenant?: string },
  calls: readonly Partial<CallRecord>[],
): Promise<void> {
  const of = request({ capability, tenant });
  const [one] = record(of).calls;
  if (one === undefined) throw new Error("the sample record has a call");
  await ledger.journal.open(of, at);
  await ledger.journal.close(record(of, { at, calls: calls.map((call) => ({ ...one, ...call })) }));
}
