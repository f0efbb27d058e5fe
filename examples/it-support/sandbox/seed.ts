import pg from "pg";
import { catalogue, devices, diagnostics, employees, events, faults, tickets, warranties } from "./inventory.ts";

type Seeding = { readonly client: pg.Client; readonly tenant: string };

/**
 * Fills the help desk with the demo's data, in one transaction. Repeating it adds nothing and takes nothing back that happened since. The
 * tables must exist: migrate and install first. The documents are the business of the project's document source.
 */
export async function seedDemo({ adminUrl, tenant }: { adminUrl: string; tenant: string }): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "demo seed" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("insert into countersign.tenant (id, name) values ($1, $1) on conflict do nothing", [tenant]);
    await seedInventory({ client, tenant });
    await seedMeasurements({ client, tenant });
    await seedTickets({ client, tenant });
    await seedFaults({ client, tenant });
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function seedInventory({ client, tenant }: Seeding): Promise<void> {
  await client.query(
    `insert into helpdesk.employee (tenant, id, name, email, phone, team)
     select $1, id, name, email, phone, team from jsonb_to_recordset($2) as row (id text, name text, email text, phone text, team text)
     on conflict do nothing`,
    [tenant, JSON.stringify(employees)],
  );
  await client.query(
    `insert into helpdesk.catalogue (category, model)
     select category, model from jsonb_to_recordset($1) as row (category text, model text) on conflict do nothing`,
    [JSON.stringify(catalogue)],
  );
  await client.query(
    `insert into helpdesk.device (tenant, id, asset_tag, serial, category, model, holder, bought_on, state, depot)
     select $1, id, "assetTag", serial, category, model, holder, current_date - make_interval(months => "monthsOld"), 'in_use', depot
     from jsonb_to_recordset($2) as row
       (id text, "assetTag" text, serial text, category text, model text, holder text, "monthsOld" integer, depot text)
     on conflict do nothing`,
    [tenant, JSON.stringify(devices)],
  );
  await client.query(
    `insert into helpdesk.warranty (tenant, device, provider, ends_on)
     select $1, row.device, provider, device.bought_on + make_interval(months => months)
     from jsonb_to_recordset($2) as row (device text, provider text, months integer)
     join helpdesk.device on device.tenant = $1 and device.id = row.device
     on conflict do nothing`,
    [tenant, JSON.stringify(warranties)],
  );
}

async function seedMeasurements({ client, tenant }: Seeding): Promise<void> {
  await client.query(
    `insert into helpdesk.diagnostics
       (tenant, device, measured_on, disk_free_percent, memory_used_percent, temperature_c, is_throttled, battery_health_percent)
     select $1, device, current_date, "diskFree", "memoryUsed", temperature, "isThrottled", "batteryHealth"
     from jsonb_to_recordset($2) as row
       (device text, "diskFree" integer, "memoryUsed" integer, temperature integer, "isThrottled" boolean, "batteryHealth" integer)
     on conflict do nothing`,
    [tenant, JSON.stringify(diagnostics)],
  );
  await client.query(
    `insert into helpdesk.device_event (tenant, id, device, happened_on, kind, note)
     select $1, id, device, current_date - make_interval(months => "monthsAgo"), kind, note
     from jsonb_to_recordset($2) as row (id text, device text, "monthsAgo" integer, kind text, note text)
     on conflict do nothing`,
    [tenant, JSON.stringify(events)],
  );
}

/** Old tickets came in by mail and have no business key. */
async function seedTickets({ client, tenant }: Seeding): Promise<void> {
  await client.query(
    `insert into helpdesk.ticket (tenant, id, requester, device, kind, status, note, created_at, updated_at)
     select $1, id, requester, device, kind, status, note, now() - make_interval(days => "daysAgo" + 1), now() - make_interval(days => "daysAgo")
     from jsonb_to_recordset($2) as row
       (id text, requester text, device text, kind text, status text, note text, "daysAgo" integer)
     on conflict do nothing`,
    [tenant, JSON.stringify(tickets)],
  );
}

/** After the tickets, which would meet the faults otherwise. */
async function seedFaults({ client }: Seeding): Promise<void> {
  await client.query(
    `insert into helpdesk.fault (depot, remaining)
     select depot, remaining from jsonb_to_recordset($1) as row (depot text, remaining integer) on conflict do nothing`,
    [JSON.stringify(faults)],
  );
}
