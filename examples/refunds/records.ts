import type { HiddenSearch, JsonObject, RecordQuery } from "countersign";
import type pg from "pg";
import type { Shop } from "./connectors.ts";
import { type Currency, formatMoney } from "./money.ts";

/** What a person may see is part of each query: `$1` the tenant, `$2` who asks, `$3` whether somebody of the support asks. */
const visible = "(p.customer = $2 or $3)";

const purchaseLines = {
  name: "orders.lines",
  title: "Order system",
  key: "id",
  labels: system(
    ...["id", "order", "line", "product", "total_minor", "refunded_minor", "refundable_minor", "version", "is_final_sale"],
    ...["status", "placed_on", "promised_on", "delivered_on", "payment", "currency", "total", "refundable"],
  ),
  params: ["order"],
  sql: `select l.purchase || ':' || l.line as id, l.purchase as order, l.line, l.product, l.total_minor, l.refunded_minor,
      l.total_minor - l.refunded_minor as refundable_minor, l.version, l.is_final_sale, p.status, p.placed_on::text as placed_on,
      p.promised_on::text as promised_on, p.delivered_on::text as delivered_on, p.payment, p.currency
    from shop.purchase_line l join shop.purchase p on p.tenant = l.tenant and p.id = l.purchase
    where l.tenant = $1 and ${visible} and p.id = $4 order by l.line`,
} as const satisfies QueryText;

/** One line with the refund of the given name, what is booked for it and what its customer is shown: three systems joined. */
const refundsForLine = {
  name: "refunds.forLine",
  title: "Refunds, books and shown status",
  key: "id",
  labels: system(
    ...["id", "version", "total_minor", "refunded_minor", "refund_state", "payment", "currency", "amount_minor", "reason"],
    ...["booked_minor", "bookings", "shown_status", "shown_ref"],
  ),
  params: ["order", "line", "ref"],
  sql: `select l.purchase || ':' || l.line as id, l.version, l.total_minor, l.refunded_minor, coalesce(r.state, 'none') as refund_state,
      r.payment, r.currency, r.amount_minor, r.reason, b.booked_minor, b.bookings, s.status as shown_status, s.ref as shown_ref
    from shop.purchase_line l join shop.purchase p on p.tenant = l.tenant and p.id = l.purchase
    left join shop.refund r on r.tenant = l.tenant and r.purchase = l.purchase and r.line = l.line and r.ref = $6
    left join shop.shown_status s on s.tenant = l.tenant and s.purchase = l.purchase and s.line = l.line
    cross join lateral (
      select coalesce(sum(amount_minor), 0)::integer as booked_minor, count(*)::integer as bookings
      from shop.booking where tenant = l.tenant and ref = $6) b
    where l.tenant = $1 and ${visible} and l.purchase = $4 and l.line = $5::integer`,
} as const satisfies QueryText;

/** The record queries that both halves have, for a reading or an observing connector. */
export const records: readonly RecordQuery<Shop>[] = [purchaseLines, refundsForLine].map((text) => ({
  name: text.name,
  title: text.title,
  key: (row) => String(row[text.key]),
  labels: text.labels,
  run: async (client, params, { principal }) => {
    const seesAll = principal.roles.includes("support");
    const rows = await select(client, text, { tenant: principal.tenant, person: principal.id, seesAll, params });
    return text === purchaseLines ? rows.map(withAmounts) : rows;
  },
}));

/** The refund of a given name as the observing login sees it, whoever asked for it. */
export async function readRefund(
  client: Shop,
  { tenant, ...params }: { tenant: string; order: string; line: number; ref: string },
): Promise<readonly JsonObject[]> {
  return select(client, refundsForLine, { tenant, person: "", seesAll: true, params });
}

/** E-mail addresses of other customers in a text, which a customer may not be told. */
export async function findHidden(client: Shop, { texts, envelope: { principal } }: HiddenSearch): Promise<readonly string[]> {
  const emails = texts.join("\n").match(/[a-z0-9.]+@[a-z0-9.]*[a-z0-9]/g) ?? [];
  if (emails.length === 0 || principal.roles.includes("support")) return [];
  const { rows } = await client.query<{ email: string }>(
    "select email from shop.customer where tenant = $1 and id <> $2 and email = any ($3)",
    [principal.tenant, principal.id, emails],
  );
  return rows.map(({ email }) => email);
}

interface QueryText {
  readonly name: string;
  /** What a person reads as the source. */
  readonly title: string;
  /** The field that identifies a row. */
  readonly key: string;
  readonly labels: RecordQuery<Shop>["labels"];
  /** Names of the params, in the order of their places from `$4` on. */
  readonly params: readonly string[];
  readonly sql: string;
}

async function select(
  client: Shop,
  { sql, params: names }: QueryText,
  { tenant, person, seesAll, params }: { tenant: string; person: string; seesAll: boolean; params: JsonObject },
): Promise<readonly JsonObject[]> {
  // Columns are text, whole numbers, truth values and null: JSON as it stands.
  const { rows } = await client.query<pg.QueryResultRow & JsonObject>(sql, [
    ...[tenant, person, seesAll],
    ...names.map((name) => params[name] ?? null),
  ]);
  return rows;
}

/** Amounts as people read them, beside those that code counts with. */
function withAmounts(row: JsonObject): JsonObject {
  const currency = row["currency"] as Currency; // checked by the table
  const text = (field: string) => formatMoney({ minor: Number(row[field]), currency });
  return { ...row, total: text("total_minor"), refundable: text("refundable_minor") };
}

function system(...fields: readonly string[]): RecordQuery<Shop>["labels"] {
  return Object.fromEntries(fields.map((field) => [field, "system" as const]));
}
