import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBill } from "../../src/guard/budget/read-bill.ts";
import { reconcile } from "../../src/guard/budget/reconcile.ts";
import { forecastMonth, spendBy } from "../../src/guard/budget/spend-report.ts";
import { suggestCaps } from "../../src/guard/budget/suggest.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

const day = (date: number, hour = 12) => Date.UTC(2026, 2, date, hour);
const march = { from: "2026-03-01", before: "2026-04-01", tenant: null };
const gpt = "openai/gpt-5-2025-08-07";

let made: MigratedDatabase;
let admin: pg.Client;
beforeAll(async () => {
  made = await createMigratedDatabase();
  admin = new pg.Client({ connectionString: made.adminUrl });
  await admin.connect();
  await admin.query("set search_path = countersign");
  await admin.query("insert into tenant (id, name) values ('acme', 'Acme'), ('globex', 'Globex') on conflict do nothing");
  await decide({
    at: day(3),
    capability: "refund",
    route: "auto",
    calls: [{ micros: 2_000_000 }, { micros: 500_000, assumed: true }],
  });
  await decide({ at: day(3), capability: "refund", route: "hitl_required", calls: [{ micros: 1_000_000 }] });
  await decide({
    at: day(4),
    capability: "answer",
    route: null,
    calls: [{ micros: 250_000 }, { micros: 0, outcome: "refused" }],
  });
  await decide({
    at: day(4),
    capability: "answer",
    route: "auto",
    tenant: "globex",
    calls: [{ micros: 9_000_000, model: "anthropic/x" }],
  });
});
afterAll(async () => {
  await admin?.end();
  await made?.drop();
});

describe("what was spent", () => {
  it("adds up by capability, model, day, outcome, tenant and purpose, the dearest first", async () => {
    const costs = async (group: Parameters<typeof spendBy>[1]) =>
      (await spendBy(made.adminUrl, group, march)).map((line) => [line.group, line.costMicros]);
    expect(await costs("capability")).toEqual([
      ["answer", 9_250_000],
      ["refund", 3_500_000],
    ]);
    expect(await costs("model")).toEqual([
      ["anthropic/x", 9_000_000],
      [gpt, 3_750_000],
    ]);
    expect(await costs("day")).toEqual([
      ["2026-03-04", 9_250_000],
      ["2026-03-03", 3_500_000],
    ]);
    expect(await costs("outcome")).toEqual([
      ["auto", 11_500_000],
      ["hitl_required", 1_000_000],
      ["stopped", 250_000],
    ]);
    expect(await costs("tenant")).toEqual([
      ["globex", 9_000_000],
      ["acme", 3_750_000],
    ]);
    expect(await costs("purpose")).toEqual([["decide", 12_750_000]]);
  });

  it("counts decisions, requests, refused ones, tokens, and what was assumed", async () => {
    const [refund] = (await spendBy(made.adminUrl, "capability", { ...march, tenant: "acme" })).filter(
      ({ group }) => group === "refund",
    );
    expect(refund).toMatchObject({
      decisions: 2,
      attempts: 3,
      refused: 0,
      inputTokens: 300,
      outputTokens: 30,
      assumedMicros: 500_000,
    });
    const lines = await spendBy(made.adminUrl, "day", { ...march, from: "2026-03-04", tenant: "acme" });
    expect(lines).toMatchObject([{ group: "2026-03-04", decisions: 1, attempts: 2, refused: 1 }]);
    expect(await spendBy(made.adminUrl, "day", { ...march, before: "2026-03-03" })).toEqual([]);
  });

  it("forecasts a month by its part that is over", async () => {
    const now = Date.UTC(2026, 2, 16, 12);
    const forecast = (at: number, tenant: string | null) =>
      forecastMonth({ now: at, spend: (range) => spendBy(made.adminUrl, "day", { ...range, tenant }) });
    expect(await forecast(now, "acme")).toEqual({
      ...{ month: "2026-03", spentMicros: 3_750_000, forecastMicros: 7_500_000, elapsedPpm: 500_000 },
    });
    expect(await forecast(Date.UTC(2026, 3, 1, 1), null)).toMatchObject({
      month: "2026-04",
      spentMicros: 0,
      forecastMicros: 0,
    });
  });

  it("suggests caps from runs that ended, where there are enough", async () => {
    await admin.query("insert into tenant (id, name) values ('many', 'Many')");
    for (let run = 1; run <= 200; run += 1)
      await decide({
        at: day(5),
        capability: "many",
        route: "auto",
        tenant: "many",
        calls: [{ micros: run * 10 }, { micros: 0 }],
      });
    const suggested = await suggestCaps(made.adminUrl, { ...march, tenant: "many" });
    // Of 200 the 198th and a quarter more: what the first request used, and the room of the second.
    expect(suggested).toEqual([{ capability: "many", runs: 200, caps: { turns: 3, tokens: 1_388, costMicros: 3_725 } }]);
    expect(await suggestCaps(made.adminUrl, { ...march, tenant: "acme" })).toEqual([]);
  });
});

describe("a bill beside the ledger", () => {
  it("names the gap on both sides: not on the bill, not in the ledger, price differs", async () => {
    const bill = [
      "start_time_iso,line_item,amount_value,amount_currency",
      `2026-03-03T00:00:00+00:00,"gpt-5-2025-08-07, input",3.10,usd`,
      `2026-03-03T00:00:00+00:00,"gpt-5-2025-08-07, output",1.00,usd`,
      `2026-03-05T00:00:00+00:00,"gpt-5-mini-2025-08-07, input",0.75,usd`,
    ].join("\n");
    const { form, lines } = readBill(bill, null);
    expect(form).toBe("openai");
    const found = await reconcile(made.adminUrl, lines, "acme");
    expect(found.lines.map(({ day, model, billed, ledger, finding }) => [day, model, billed, ledger, finding])).toEqual([
      ["2026-03-03", gpt, 4_100_000, 3_500_000, "price_differs"],
      ["2026-03-04", gpt, 0, 250_000, "not_on_the_bill"],
      ["2026-03-05", "openai/gpt-5-mini-2025-08-07", 750_000, 0, "not_in_the_ledger"],
    ]);
    expect(found).toMatchObject({
      billed: 4_850_000,
      ledger: 3_750_000,
      notInTheLedger: 750_000,
      notOnTheBill: 250_000,
      priceDifference: 600_000,
    });
    expect(found.lines[0]?.assumed).toBe(500_000);
  });

  it("matches within a thousandth or a cent, in Anthropic's form and in the plain one", async () => {
    const anthropic = readBill("usage_date_utc,model,cost_usd\n2026-03-04,x,9.004\n", null);
    expect((await reconcile(made.adminUrl, anthropic.lines, null)).lines).toMatchObject([{ finding: "matches" }]);
    const plain = readBill(`\ufeffmodel,amount,day\n${gpt},"$3.509",2026-03-03\n`, null);
    expect(plain.form).toBe("plain");
    expect((await reconcile(made.adminUrl, plain.lines, null)).lines).toMatchObject([{ finding: "matches", billed: 3_509_000 }]);
  });

  it.each([
    ["no known columns", "a,b\n1,2\n", /its columns are a, b/],
    ["nothing", "", /its columns are none/],
    ["no day", "day,model,amount\nlast week,m,1\n", /line 2 has no day/],
    ["no amount", "day,model,amount\n2026-03-01,m,1\n2026-03-01,m,about 5\n", /line 3 has no amount/],
    ["a ragged row", "day,model,amount\n2026-03-01,m\n", /no CSV/],
  ])("refuses a bill with %s, and names the line", (_, text, message) => {
    expect(() => readBill(text, null)).toThrow(
      expect.objectContaining({ code: "bad_request", message: expect.stringMatching(message) }),
    );
  });

  it("reads amounts exactly", () => {
    const amounts = ["0.1", "1234.5678905", "-2.50", "$1,234.00", "0.0000005"];
    const text = `day,model,amount\n${amounts.map((amount) => `2026-03-01,m,"${amount}"`).join("\n")}\n`;
    expect(readBill(text, null).lines.map(({ micros }) => micros)).toEqual([
      100_000, 1_234_567_891, -2_500_000, 1_234_000_000, 1,
    ]);
  });
});

interface Call {
  readonly micros: number;
  readonly model?: string;
  readonly outcome?: string;
  readonly assumed?: boolean;
}

/** Puts a decision into the ledger as it would stand there; a stopped one has no route. */
async function decide({
  at,
  capability,
  route,
  calls,
  tenant = "acme",
}: {
  at: number;
  capability: string;
  route: string | null;
  calls: readonly Call[];
  tenant?: string;
}): Promise<void> {
  const decision = randomUUID();
  await admin.query(
    "insert into entry (tenant, id, kind, decision_id, capability, route, ts, body, hash) values ($1, $2, $3, $4, $5, $6, $7, '{}', $8)",
    [
      tenant,
      randomUUID(),
      route === null ? "stopped" : "decided",
      decision,
      capability,
      route,
      at,
      createHash("sha256").update("{}").digest(),
    ],
  );
  for (const [position, { micros, model = gpt, outcome = "fits", assumed = false }] of calls.entries())
    await admin.query(
      "insert into spend values ($1, $2, $3, 'decide', $4, $5, 100, 0, 0, 10, 0, $6, $7, $8, 'end', 'v', 1000, 1000)",
      [...[tenant, decision, position, model, outcome, assumed, micros, at]],
    );
}
