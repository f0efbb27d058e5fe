import { afterAll, beforeAll, expect, it } from "vitest";
import { tellDueModels } from "../../src/act/tell-models.ts";
import { type KeptStanding, keepStandings } from "../../src/ledger/model-standings.ts";
import { type LedgerFixture, openLedger } from "./ledger-fixture.ts";

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const standing = (own: Partial<KeptStanding> = {}): KeptStanding => ({
  ...{ model: "openai/gpt-9-2026-01-01", state: "deprecated", shutdownOn: dayIn(60), source: "http://list", isDue: true },
  ...{ owners: ["service-desk"], isPinned: true, lastTrainingOn: null },
  ...own,
});
const notices = async () =>
  (
    await ledger.owner.query<{ tenant: string; to_kind: string; to_name: string }>(
      "select tenant, to_kind, to_name from countersign.notice where kind = 'model_ending' and decision_id is null order by tenant, to_name, id",
    )
  ).rows;
const tell = () =>
  tellDueModels(ledger.acting, (thrown) => {
    throw thrown;
  });

it("the deciding half keeps how models stand, each once, and drops what is named no more", async () => {
  await keepStandings(ledger.deciding, [
    standing(),
    standing({ model: "local/small:7b", state: "unknown", shutdownOn: null, isDue: false }),
  ]);
  await keepStandings(ledger.deciding, [standing({ state: "retired" })]);
  const { rows } = await ledger.owner.query("select model, state from countersign.model_standing");
  expect(rows).toEqual([{ model: "openai/gpt-9-2026-01-01", state: "retired" }]);
  // Only the half that has the keys says how they stand.
  await expect(keepStandings(ledger.acting, [standing()])).rejects.toThrow(/permission denied/);
});

it("owners are told in every tenant, once for each milestone, however often somebody looks", async () => {
  await keepStandings(ledger.deciding, [
    standing(),
    standing({ model: "openai/gpt-10-2026-01-01", isDue: false, owners: ["finance"] }),
  ]);
  await tell();
  await tell();
  const { rows } = await ledger.owner.query<{ count: number }>("select count(*)::int as count from countersign.tenant");
  const tenants = rows[0]?.count ?? 0;
  expect(tenants).toBeGreaterThan(1);
  const told = await notices();
  expect(told).toHaveLength(tenants);
  expect(new Set(told.map(({ to_kind, to_name }) => `${to_kind} ${to_name}`))).toEqual(new Set(["owner service-desk"]));
  // The next milestone: fewer than 30 days.
  await keepStandings(ledger.deciding, [standing({ shutdownOn: dayIn(20) })]);
  await tell();
  expect(await notices()).toHaveLength(tenants * 2);
  await keepStandings(ledger.deciding, [standing({ shutdownOn: null, state: "retired" })]);
  await tell();
  await tell();
  expect(await notices()).toHaveLength(tenants * 3);
});

it("nobody is told before the window, and what is told later is not taken for what was told before", async () => {
  const model = "openai/gpt-11-2026-01-01";
  const told = async () => {
    await tell();
    return (await notices()).filter(({ tenant, to_name }) => tenant === "acme" && to_name === "gpt-11").length;
  };
  const put = (own: Partial<KeptStanding>) => keepStandings(ledger.deciding, [standing({ model, owners: ["gpt-11"], ...own })]);
  await put({ shutdownOn: dayIn(400), isDue: true });
  expect(await told()).toBe(0);
  // An end without a day; that day; its last weeks; and that it is gone.
  await put({ shutdownOn: null });
  expect(await told()).toBe(1);
  const end = dayIn(5);
  await put({ shutdownOn: end });
  expect(await told()).toBe(2);
  await put({ shutdownOn: end, state: "retired" });
  expect(await told()).toBe(3);
  await put({ shutdownOn: null, state: "retired" });
  expect(await told()).toBe(4);
});
