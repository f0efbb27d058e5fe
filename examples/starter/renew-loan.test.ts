import assert from "node:assert/strict";
import { test } from "node:test";
import { fixedContext, fixedModel, proposeForTest, testTime } from "countersign/testing";
import { renewedUntil } from "./extend-loan.ts";
import { renewLoan } from "./renew-loan.ts";

// The whole graph, from the request to the proposal, over records and a reply that stand here. Nothing is written.
const labels = { id: "system", title: "system", due_on: "system", version: "system", is_reserved: "system" } as const;

function renew({ says, isReserved = false }: { says: string | null; isReserved?: boolean }) {
  const row = { id: "loan-1", title: "The Life of Bees", due_on: "2026-12-24", version: 3, is_reserved: isReserved };
  const loan = { id: "loans.ofRequester:loan-1", row, labels, readAt: testTime };
  return proposeForTest({
    capability: renewLoan,
    inputs: { text: "Please renew the book about bees" },
    deps: {
      context: fixedContext({ records: { "loans.ofRequester": [loan], "loans.byId": [loan] } }),
      model: fixedModel({ loan: says, note: "Bees are named." }),
    },
  });
}

test("proposes fourteen more days, and leaves them to a person", async () => {
  const { proposal, route } = await renew({ says: "loan-1" });
  assert.deepEqual(proposal?.effects[0]?.params, { loan: "loan-1", version: 3, until: "2027-01-07" });
  assert.match(route ?? "", /^hitl_/);
});

test("proposes nothing for a loan that the model made up", async () => {
  const { route } = await renew({ says: "loan-9" });
  assert.equal(route, "reject");
});

test("refuses a book that somebody waits for, whatever the model says", async () => {
  const { proposal } = await renew({ says: "loan-1", isReserved: true });
  assert.deepEqual(proposal?.effects, []);
  assert.match(proposal?.refusal ?? "", /Somebody else waits/);
});

test("counts days over the end of a year and a leap day", () => {
  assert.deepEqual(["2026-12-24", "2028-02-20"].map(renewedUntil), ["2027-01-07", "2028-03-05"]);
});
