import { defineSqlQuery } from "countersign";
import { z } from "zod";

const params = z.strictObject({ rfp: z.string() });

/** A request for a proposal as the sales system has it: for what product, region and year, how many seats, how long. */
const requestById = defineSqlQuery({
  ...{ name: "rfps.byId", title: "Sales system", key: "id", params, limit: 1 },
  row: z.strictObject({
    ...{ id: z.string(), customer: z.string(), product: z.string(), region: z.string(), year: z.string() },
    ...{ seats: z.int(), months: z.int() },
  }),
  labels: {
    ...({ id: "system", customer: "system", product: "system", region: "system", year: "system" } as const),
    ...({ seats: "system", months: "system" } as const),
  },
  sql: `select r.id, r.customer, r.product, r.region, r.year, r.seats, r.months
    from sales.rfp r where r.tenant = :tenant and r.id = :rfp`,
});

/** The line of the rate card that holds for a request: the one of the most seats that it reaches. */
const rateForRequest = defineSqlQuery({
  ...{ name: "rates.forRfp", title: "Rate card", key: "id", params, limit: 1 },
  row: z.strictObject({
    ...{ id: z.string(), price_minor: z.int(), currency: z.string(), discount_percent: z.int(), from_seats: z.int() },
  }),
  labels: { id: "system", price_minor: "system", currency: "system", discount_percent: "system", from_seats: "system" },
  units: { price_minor: { unit: { field: "currency" }, minor: true }, discount_percent: { unit: "percent" } },
  sql: `select c.id, c.price_minor, c.currency, c.discount_percent, c.from_seats
    from sales.rate c join sales.rfp r on r.tenant = c.tenant and r.product = c.product and r.region = c.region and r.year = c.year
    where c.tenant = :tenant and r.id = :rfp and c.from_seats <= r.seats order by c.from_seats desc limit 1`,
});

/** What is read to answer; nothing of it is changed. */
export const records = [requestById, rateForRequest];
