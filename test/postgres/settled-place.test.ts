import { afterAll, beforeAll, expect, test } from "vitest";
import { admitProposals } from "../../src/approve/admit.ts";
import type { Admitting } from "../../src/approve/policy-grant.ts";
import { isCountersignError } from "../../src/contract/errors.ts";
import { refusePlaceAhead } from "../../src/ledger/settled-place.ts";
import { type LedgerFixture, one, openLedger } from "./ledger-fixture.ts";

// A dump keeps the transaction ids of entries; the server that it is restored into counts from its own.
let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const isBroken = expect.toSatisfy((thrown: unknown) => isCountersignError(thrown, "ledger_broken"));
const refuse = (xid: string) => ledger.acting.inTenant("acme", (tx) => refusePlaceAhead({ tx, tenant: "acme", xid }));

test("a place that the server has reached is good, and one that it has not is refused", async () => {
  const reached = String(await one(ledger.owner, "select pg_current_xact_id()::text"));
  await expect(refuse("0")).resolves.toBeUndefined();
  await expect(refuse(reached)).resolves.toBeUndefined();
  await expect(refuse(String(BigInt(reached) + 1_000_000n))).rejects.toEqual(isBroken);
});

test("admission refuses to go on from such a place", async () => {
  const nothing = {} as Admitting; // not reached: there is no proposal to look at
  const admit = () => ledger.acting.inTenant("acme", (tx) => admitProposals({ tx, tenant: "acme", now: 0, limit: 8 }, nothing));
  expect(await admit()).toBe(0);
  await ledger.owner.query("update countersign.progress set xid = '1000000000000' where tenant = 'acme' and reader = 'admit'");
  await expect(admit()).rejects.toEqual(isBroken);
});
