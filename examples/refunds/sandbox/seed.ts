import pg from "pg";
import { customers, notes, purchases, type troubles } from "./goods.ts";

type Seeding = { readonly client: pg.Client; readonly tenant: string };

/**
 * Fills the shop with the demo's data, in one transaction. Repeating it adds nothing and takes nothing back that happened since. The
 * tables must exist: migrate and install first. The documents are the business of the project's document source.
 */
export async function seedDemo({ adminUrl, tenant }: { adminUrl: string; tenant: string }): Promise<void> {
  await asAdministrator(adminUrl, async (client) => {
    await client.query("begin");
    await client.query("insert into countersign.tenant (id, name) values ($1, $1) on conflict do nothing", [tenant]);
    await seedShop({ client, tenant });
    await client.query("commit");
  });
}

/** Switches a trouble of the shop on, for the next so many replies or for as long as it is above 0, in one order; or off, by 0. */
export async function makeTrouble(
  adminUrl: string,
  { name, order, remaining }: { name: (typeof troubles)[number]; order: string; remaining: number },
): Promise<void> {
  await asAdministrator(adminUrl, async (client) => {
    await client.query(
      `insert into shop.trouble (name, purchase, remaining) values ($1, $2, $3)
       on conflict (name, purchase) do update set remaining = excluded.remaining`,
      [name, order, remaining],
    );
  });
}

async function seedShop({ client, tenant }: Seeding): Promise<void> {
  const rows = (sql: string, list: readonly object[]) => client.query(sql, [tenant, JSON.stringify(list)]);
  await rows(
    `insert into shop.customer (tenant, id, name, email)
     select $1, id, name, email from jsonb_to_recordset($2) as row (id text, name text, email text) on conflict do nothing`,
    customers,
  );
  await rows(
    `insert into shop.purchase (tenant, id, customer, placed_on, status, promised_on, delivered_on, payment, currency, parcel)
     select $1, id, customer, current_date - ("promisedAgo" + 4), status, current_date - "promisedAgo", current_date - "deliveredAgo",
       'pay-' || right(id, 4), currency, 'parcel-' || right(id, 4)
     from jsonb_to_recordset($2) as row
       (id text, customer text, status text, "promisedAgo" integer, "deliveredAgo" integer, currency text) on conflict do nothing`,
    purchases,
  );
  await rows(
    `insert into shop.purchase_line (tenant, purchase, line, product, total_minor, is_final_sale)
     select $1, purchase, line, product, total, final from jsonb_to_recordset($2) as row
       (purchase text, line integer, product text, total integer, final boolean) on conflict do nothing`,
    purchases.flatMap(({ id, lines, isFinalSale = false }) =>
      lines.map(([product, total], place) => ({ purchase: id, line: place + 1, product, total, final: isFinalSale })),
    ),
  );
  await rows(
    `insert into shop.scan (tenant, id, parcel, scanned_on, place, event)
     select $1, 'scan-' || right(id, 4), 'parcel-' || right(id, 4), current_date - (scan ->> 0)::integer, scan ->> 1, scan ->> 2
     from jsonb_to_recordset($2) as row (id text, scan jsonb) where jsonb_typeof(scan) = 'array' on conflict do nothing`,
    purchases,
  );
  await rows(
    `insert into shop.purchase_note (tenant, id, purchase, written_on, written_by, note)
     select $1, id, purchase, current_date - "daysAgo", by, note from jsonb_to_recordset($2) as row
       (id text, purchase text, "daysAgo" integer, by text, note text) on conflict do nothing`,
    notes,
  );
}

async function asAdministrator(adminUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "shop seed" });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
