/** What the release matrix tries the effects on: orders that nothing else uses, put in and counted by the administrator. */
import type { ReleasePlace, ReleaseSample, ReleaseSamples } from "countersign";
import pg from "pg";
import { z } from "zod";
import { refundRef } from "../effects.ts";

const named = z.looseObject({ order: z.string(), line: z.int(), version: z.int() });
const askedBy = { id: "agt-101", roles: ["support"] } as const;
const priceMinor = 6_000;

/** Refunds of new orders. Denied is one above the cap; stale is a line of which somebody else refunded a part. */
export const refundLineSamples: ReleaseSamples = {
  permitted: (place) => refundOf(place, priceMinor),
  count: async ({ tenant, adminUrl }, params) =>
    run(adminUrl, "select from shop.refund where tenant = $1 and ref = $2", [tenant, refundRef(named.parse(params))]),
  denied: (place) => refundOf(place, 500_001),
  makeStale: async ({ tenant, adminUrl }, params) => {
    const sql = "update shop.purchase_line set refunded_minor = 1, version = version + 1 where tenant = $1 and purchase = $2";
    await run(adminUrl, sql, [tenant, named.parse(params).order]);
  },
  makePartial: async ({ tenant, adminUrl }, { name, params }) => {
    const row = named.parse(params);
    await issue({ tenant, adminUrl }, row);
    if (name === "status_missing") await book({ tenant, adminUrl }, row);
  },
};

/** Reversals of refunds that are out and booked. Denied is one that is not out; stale is one that was called back since. */
export const reverseRefundSamples: ReleaseSamples = {
  permitted: async (place) => {
    const sample = await reversalOf(place);
    const row = named.parse(sample.params);
    await issue(place, row);
    await book(place, row);
    return sample;
  },
  count: async ({ tenant, adminUrl }, params) => {
    const sql = "select from shop.refund where tenant = $1 and ref = $2 and reversal_key is not null";
    return run(adminUrl, sql, [tenant, refundRef(named.parse(params))]);
  },
  denied: (place) => reversalOf(place),
  makeStale: async ({ tenant, adminUrl }, params) => {
    await run(adminUrl, "update shop.refund set state = 'reversed' where tenant = $1 and ref = $2", [
      ...[tenant, refundRef(named.parse(params))],
    ]);
  },
};

async function refundOf(place: ReleasePlace, amountMinor: number): Promise<ReleaseSample> {
  const line = await addOrder(place, amountMinor);
  return { params: { ...line, amountMinor, refundedMinor: 0, reason: "damaged" }, askedBy };
}

async function reversalOf(place: ReleasePlace): Promise<ReleaseSample> {
  const line = await addOrder(place, priceMinor);
  return { params: { ...line, amountMinor: priceMinor, isBooked: true }, askedBy };
}

/** Far from the numbers of the demo's own orders. */
async function addOrder({ tenant, run: number, adminUrl }: ReleasePlace, totalMinor: number) {
  const [order, payment, customer] = [`ord-${8_000 + number}`, `pay-${8_000 + number}`, `cus-${80_000 + number}`];
  await run(adminUrl, "insert into shop.customer values ($1, $2, $2, $3)", [tenant, customer, `release.${number}@mail.example`]);
  await run(
    adminUrl,
    `insert into shop.purchase (tenant, id, customer, placed_on, status, promised_on, delivered_on, payment, currency)
     values ($1, $2, $3, current_date - 9, 'delivered', current_date - 5, current_date - 5, $4, 'GBP')`,
    [tenant, order, customer, payment],
  );
  await run(
    adminUrl,
    "insert into shop.purchase_line (tenant, purchase, line, product, total_minor) values ($1, $2, 1, 'sample', $3)",
    [tenant, order, totalMinor],
  );
  return { order, line: 1, version: 1, payment, currency: "GBP" };
}

type Where = Pick<ReleasePlace, "tenant" | "adminUrl">;
type Named = z.infer<typeof named>;

async function issue({ tenant, adminUrl }: Where, { order, line, version }: Named): Promise<void> {
  await run(
    adminUrl,
    `with paid as (
       update shop.purchase_line set refunded_minor = total_minor, version = version + 1
       where tenant = $1 and purchase = $2 and line = $3 returning total_minor)
     insert into shop.refund (tenant, purchase, line, payment, currency, amount_minor, reason, ref, idempotency_key)
     select $1, $2, $3, 'pay-' || right($2, 4), 'GBP', total_minor, 'damaged', $4, $4 from paid`,
    [tenant, order, line, refundRef({ order, line, version })],
  );
}

async function book({ tenant, adminUrl }: Where, row: Named): Promise<void> {
  const ref = refundRef(row);
  await run(
    adminUrl,
    `insert into shop.booking (tenant, ref, kind, account, currency, amount_minor)
     select tenant, ref, 'refund', 'refunds', currency, -amount_minor from shop.refund where tenant = $1 and ref = $2`,
    [tenant, ref],
  );
}

/** Runs one statement as the administrator; returns how many rows it found or changed. */
async function run(adminUrl: string, sql: string, values: readonly (string | number)[]): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "shop release" });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
