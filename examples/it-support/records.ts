import type { HiddenSearch, JsonObject, RecordQuery } from "countersign";
import type pg from "pg";
import type { Helpdesk } from "./connectors.ts";

/** What a person may see is part of each query: `$1` the tenant, `$2` who asks, `$3` whether an IT lead asks. */
const visible = (column: string) => `(${column} = $2 or $3)`;

/** The devices that a person holds. */
const devicesOfPerson = {
  name: "devices.ofPerson",
  title: "Device register",
  key: "id",
  labels: {
    ...system("id", "asset_tag", "category", "model", "bought_on", "state", "depot", "replacements", "replacement_model"),
    holder: "directory",
  },
  params: ["person"],
  sql: `select d.id, d.asset_tag, d.category, d.model, d.bought_on::text as bought_on, d.state, d.depot, d.replacements, d.holder,
      c.model as replacement_model
    from helpdesk.device d join helpdesk.catalogue c using (category)
    where d.tenant = $1 and ${visible("d.holder")} and d.holder = $4 order by d.id`,
} as const satisfies QueryText;

/** The warranties of the devices that a person holds. */
const warrantiesOfPerson = {
  name: "warranties.ofPerson",
  title: "Warranty list",
  key: "device",
  labels: system("device", "provider", "ends_on"),
  params: ["person"],
  sql: `select w.device, w.provider, w.ends_on::text as ends_on
    from helpdesk.warranty w join helpdesk.device d on d.tenant = w.tenant and d.id = w.device
    where w.tenant = $1 and ${visible("d.holder")} and d.holder = $4 order by w.device`,
} as const satisfies QueryText;

const ticketColumns = `select t.id, t.kind, t.status, to_char(t.updated_at, 'YYYY-MM-DD') as updated_on, t.device, d.model as device_model,
      o.model as ordered_model, o.status as order_status
    from helpdesk.ticket t
    left join helpdesk.device d on d.tenant = t.tenant and d.id = t.device
    left join helpdesk.replacement_order o on o.tenant = t.tenant and o.ticket = t.ref`;
const ticketLabels = system("id", "kind", "status", "updated_on", "device", "device_model", "ordered_model", "order_status");

/** A person's tickets, the latest first. */
const ticketsOfPerson = {
  name: "tickets.ofPerson",
  title: "Ticket list",
  key: "id",
  labels: ticketLabels,
  params: ["person"],
  sql: `${ticketColumns} where t.tenant = $1 and ${visible("t.requester")} and t.requester = $4 order by t.updated_at desc, t.id desc limit 20`,
} as const satisfies QueryText;

/** One ticket by its number. */
const ticketsById = {
  name: "tickets.byId",
  title: "Ticket list",
  key: "id",
  labels: ticketLabels,
  params: ["id"],
  sql: `${ticketColumns} where t.tenant = $1 and ${visible("t.requester")} and t.id = $4`,
} as const satisfies QueryText;

/** One ticket by its own name, as the effect `create_ticket` sees it. The note was written by a person. */
const ticketsByRef = {
  name: "tickets.byRef",
  title: "Ticket list",
  key: "ref",
  labels: { ...system("ref", "requester", "device", "kind", "status", "reason"), note: "third" },
  params: ["ref"],
  sql: `select t.ref, t.requester, t.device, t.kind, t.status, t.reason, t.note
    from helpdesk.ticket t where t.tenant = $1 and ${visible("t.requester")} and t.ref = $4`,
} as const satisfies QueryText;

/** A device with the order of the given name, as the effect `order_replacement` sees it. */
const ordersForDevice = {
  name: "orders.forDevice",
  title: "Order list",
  key: "device",
  labels: system("device", "device_state", "replacements", "ordered", "ticket", "model", "status"),
  params: ["device", "ref"],
  sql: `select d.id as device, d.state as device_state, d.replacements, o.id is not null as ordered, o.ticket, o.model, o.status
    from helpdesk.device d
    left join helpdesk.replacement_order o on o.tenant = d.tenant and o.device = d.id and o.ref = $5
    where d.tenant = $1 and ${visible("d.holder")} and d.id = $4`,
} as const satisfies QueryText;

/** The record queries that both halves have, for a reading or an observing connector. */
export const records: readonly RecordQuery<Helpdesk>[] = [
  devicesOfPerson,
  warrantiesOfPerson,
  ticketsOfPerson,
  ticketsById,
  ticketsByRef,
  ordersForDevice,
].map((text) => ({
  name: text.name,
  title: text.title,
  key: (row) => String(row[text.key]),
  labels: text.labels,
  run: async (client, params, { principal }) =>
    select(client, text, {
      tenant: principal.tenant,
      person: principal.id,
      seesAll: principal.roles.includes("it-lead"),
      params,
    }),
}));

/** The forms of what other people can be reached by, as the tables check them. A longer word that holds one is searched for too. */
const reachable = {
  email: /[a-z0-9.]+@[a-z0-9.]*[a-z0-9]/g,
  phone: /\+\d{2} \d{2} \d{4} \d{3}/g,
  assetTag: /[a-z]{2}-\d{4}/g,
} as const;

/**
 * E-mail addresses, phone numbers and asset tags of other people in a text, which only an IT lead may be told. Each is looked up by
 * an index: this runs for every decision, whatever the number of employees.
 */
export async function findHidden(client: Helpdesk, { texts, envelope: { principal } }: HiddenSearch): Promise<readonly string[]> {
  const said = texts.join("\n");
  const emails = said.match(reachable.email) ?? [];
  const phones = said.match(reachable.phone) ?? [];
  const assetTags = (said.match(reachable.assetTag) ?? []).map((tag) => tag.toUpperCase());
  if (principal.roles.includes("it-lead") || emails.length + phones.length + assetTags.length === 0) return [];
  const { rows } = await client.query<{ value: string }>(
    `select email as value from helpdesk.employee where tenant = $1 and id <> $2 and email = any ($3)
     union all select phone from helpdesk.employee where tenant = $1 and id <> $2 and phone = any ($4)
     union all select asset_tag from helpdesk.device where tenant = $1 and holder <> $2 and asset_tag = any ($5)`,
    [principal.tenant, principal.id, emails, phones, assetTags],
  );
  return rows.map(({ value }) => value);
}

/** The ticket of a given name as the observing login sees it, whoever asked for it. */
export async function readTicket(
  client: Helpdesk,
  { tenant, ref }: { tenant: string; ref: string },
): Promise<readonly JsonObject[]> {
  return select(client, ticketsByRef, { tenant, person: "", seesAll: true, params: { ref } });
}

/** A device with the order of a given name as the observing login sees it, whoever holds it. */
export async function readOrder(
  client: Helpdesk,
  { tenant, ...params }: { tenant: string; device: string; ref: string },
): Promise<readonly JsonObject[]> {
  return select(client, ordersForDevice, { tenant, person: "", seesAll: true, params });
}

interface QueryText {
  readonly name: string;
  /** What a person reads as the source. */
  readonly title: string;
  /** The field that identifies a row. */
  readonly key: string;
  readonly labels: RecordQuery<Helpdesk>["labels"];
  /** Names of the params, in the order of their places from `$4` on. */
  readonly params: readonly string[];
  readonly sql: string;
}

async function select(
  client: Helpdesk,
  { sql, params: names }: QueryText,
  { tenant, person, seesAll, params }: { tenant: string; person: string; seesAll: boolean; params: JsonObject },
): Promise<readonly JsonObject[]> {
  // Columns are text, whole numbers, truth values and null: JSON as it stands.
  const { rows } = await client.query<pg.QueryResultRow & JsonObject>(sql, [
    tenant,
    person,
    seesAll,
    ...names.map((name) => params[name] ?? null),
  ]);
  return rows;
}

function system(...fields: readonly string[]): RecordQuery<Helpdesk>["labels"] {
  return Object.fromEntries(fields.map((field) => [field, "system" as const]));
}
