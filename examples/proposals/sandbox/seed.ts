import pg from "pg";

/** What customers ask for: id, customer, product, region, year, seats, months. */
const requests = [
  ["rfp-2031", "Brightwater", "atlas", "eu", "2026", 400, 12],
  ["rfp-2032", "Halden", "atlas", "us", "2026", 50, 24],
  ["rfp-2033", "Kestrel", "borealis", "eu", "2026", 120, 12],
] as const;

/** The rate card: id, product, region, year, from how many seats, cents for a seat and month, percent of discount. */
const rates = [
  ["rate-01", "atlas", "eu", "2026", 1, 1800, 0],
  ["rate-02", "atlas", "eu", "2026", 250, 1800, 10],
  ["rate-03", "atlas", "us", "2026", 1, 2150, 0],
  ["rate-04", "borealis", "eu", "2026", 1, 900, 0],
  ["rate-05", "borealis", "eu", "2026", 100, 900, 5],
] as const;

/** Fills the sales system with the demo's data, in one transaction. Repeating it adds nothing. Install first. */
export async function seedDemo({ adminUrl, tenant }: { adminUrl: string; tenant: string }): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "sales seed" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("insert into countersign.tenant (id, name) values ($1, $1) on conflict do nothing", [tenant]);
    for (const row of requests) {
      const into = "insert into sales.rfp (tenant, id, customer, product, region, year, seats, months)";
      await client.query(`${into} values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`, [tenant, ...row]);
    }
    for (const row of rates) {
      const into =
        "insert into sales.rate (tenant, id, product, region, year, from_seats, price_minor, discount_percent, currency)";
      await client.query(`${into} values ($1, $2, $3, $4, $5, $6, $7, $8, 'EUR') on conflict do nothing`, [tenant, ...row]);
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
}
