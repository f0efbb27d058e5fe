/** What the release matrix tries the effects on: people and devices that nothing else uses, put in and counted by the administrator. */
import type { ReleasePlace, ReleaseSamples } from "countersign";
import pg from "pg";
import { z } from "zod";
import { orderRef, ticketRef } from "../effects.ts";

/** Both effects' params name the device and how often it was replaced; a business key is made of these. */
const deviceParams = z.looseObject({ device: z.string(), replacements: z.int() });

/** Tickets for new devices. Stale is one for which somebody opened a ticket of that name by hand. */
export const createTicketSamples: ReleaseSamples = {
  permitted: async (place) => {
    const { device, person } = await addDevice(place);
    const rest = { category: "mouse", replacements: 0, kind: "replacement", reason: "defective", note: "The wheel is stuck" };
    return { params: { requester: person, device, ...rest }, askedBy: { id: person, roles: ["employee"] } };
  },
  count: async ({ tenant, adminUrl }, params) => {
    const sql = "select from helpdesk.ticket where tenant = $1 and ref = $2 and idempotency_key is not null";
    return query(adminUrl, sql, [tenant, ticketRef(deviceParams.parse(params))]);
  },
  makeStale: async (place, params) => {
    await openTicket(place, ticketRef(deviceParams.parse(params)));
  },
};

/** Orders for new devices. Denied is a device in repair; stale is one that went into repair since. */
export const orderReplacementSamples: ReleaseSamples = {
  permitted: async (place) => orderFor(place),
  count: async ({ tenant, adminUrl }, params) => {
    const sql = "select from helpdesk.replacement_order where tenant = $1 and ref = $2";
    return query(adminUrl, sql, [tenant, orderRef(deviceParams.parse(params))]);
  },
  denied: async (place) => {
    const sample = await orderFor(place);
    await repair(place);
    return sample;
  },
  makeStale: (place) => repair(place),
};

async function orderFor(place: ReleasePlace) {
  const { device, person } = await addDevice(place);
  const ticket = ticketRef({ device, replacements: 0 });
  await openTicket(place, ticket);
  const params = { ticket, device, category: "mouse", replacements: 0, model: "Pinto M2" };
  return { params, askedBy: { id: person, roles: ["employee"] } };
}

async function addDevice(place: ReleasePlace): Promise<{ device: string; person: string }> {
  const { tenant, run, adminUrl } = place;
  const { device, person } = namesOf(place);
  const tag = `RL-${String(run).padStart(4, "0")}`;
  const employee = "insert into helpdesk.employee (tenant, id, name, email, phone, team) values ($1, $2, $2, $3, $4, 'Release')";
  await query(adminUrl, employee, [tenant, person, `release.${run}@acme.example`, "+00 20 5550 999"]);
  await query(
    adminUrl,
    `insert into helpdesk.device (tenant, id, asset_tag, serial, category, model, holder, bought_on, state, depot)
     values ($1, $2, $3, $3, 'mouse', 'Pinto M1', $4, current_date - 700, 'in_use', 'city')`,
    [tenant, device, tag, person],
  );
  return { device, person };
}

async function openTicket(place: ReleasePlace, ref: string): Promise<void> {
  const { device, person } = namesOf(place);
  const sql = `insert into helpdesk.ticket (tenant, requester, device, kind, status, reason, note, ref)
    values ($1, $2, $3, 'replacement', 'open', 'lost', 'Opened by hand', $4)`;
  await query(place.adminUrl, sql, [place.tenant, person, device, ref]);
}

async function repair(place: ReleasePlace): Promise<void> {
  const sql = "update helpdesk.device set state = 'in_repair' where tenant = $1 and id = $2";
  await query(place.adminUrl, sql, [place.tenant, namesOf(place).device]);
}

/** Far from the numbers of the demo's own people and devices. */
function namesOf({ run }: ReleasePlace): { device: string; person: string } {
  return { device: `dev-${90_000 + run}`, person: `emp-${90_000 + run}` };
}

/** Runs one statement as the administrator; returns how many rows it found or changed. */
async function query(adminUrl: string, sql: string, values: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "helpdesk release" });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
