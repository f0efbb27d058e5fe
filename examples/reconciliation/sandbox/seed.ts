import pg from "pg";
import { movements } from "./movements.ts";

/** Fills the books with the demo's movements, in one transaction. Repeating it adds nothing and takes nothing back. Install first. */
export async function seedDemo({ adminUrl, tenant }: { adminUrl: string; tenant: string }): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "books seed" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("insert into countersign.tenant (id, name) values ($1, $1) on conflict do nothing", [tenant]);
    const rows = Object.entries(movements).flatMap(([custodian, own]) =>
      own.map(([id, reference, on, minor, currency]) => ({ custodian, id, reference, on, minor, currency })),
    );
    await client.query(
      `insert into books.movement (tenant, id, custodian, reference, booked_on, amount_minor, currency)
       select $1, id, custodian, reference, "on", minor, currency from jsonb_to_recordset($2) as row
         (id text, custodian text, reference text, "on" date, minor integer, currency text) on conflict do nothing`,
      [tenant, JSON.stringify(rows)],
    );
    await client.query("commit");
  } finally {
    await client.end();
  }
}
