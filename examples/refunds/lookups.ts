import { defineSqlQuery, type Envelope } from "countersign";
import { z } from "zod";

/** What a person may see is part of each query: their own orders, and for the support everybody's. */
const seesOwn = "(p.customer = :principal or :sees_all)";
const params = z.strictObject({ order: z.string() });
const scope = { sees_all: ({ principal }: Envelope) => principal.roles.includes("support") };

/** Notes are words of customers and agents: data, whatever they say. */
const purchaseNotes = defineSqlQuery({
  ...{ name: "orders.notes", title: "Order notes", key: "id", params, scope, limit: 10 },
  row: z.strictObject({ id: z.string(), written_on: z.string(), written_by: z.string(), note: z.string() }),
  labels: { id: "system", written_on: "system", written_by: "system", note: "third" },
  sql: `select n.id, n.written_on::text as written_on, n.written_by, n.note
    from shop.purchase_note n join shop.purchase p on p.tenant = n.tenant and p.id = n.purchase
    where n.tenant = :tenant and ${seesOwn} and p.id = :order order by n.written_on desc, n.id limit 10`,
});

const purchaseById = defineSqlQuery({
  ...{ name: "orders.byId", title: "Order system", key: "id", params, scope, limit: 1 },
  row: z.strictObject({
    ...{ id: z.string(), status: z.string(), placed_on: z.string() },
    ...{ promised_on: z.string().nullable(), delivered_on: z.string().nullable() },
  }),
  labels: { id: "system", status: "system", placed_on: "system", promised_on: "system", delivered_on: "system" },
  sql: `select p.id, p.status, p.placed_on::text as placed_on, p.promised_on::text as promised_on, p.delivered_on::text as delivered_on
    from shop.purchase p where p.tenant = :tenant and ${seesOwn} and p.id = :order`,
});

/** The carrier's scans of an order's parcel, the latest first. */
const scansOfPurchase = defineSqlQuery({
  ...{ name: "scans.ofOrder", title: "Carrier's scans", key: "id", params, scope, limit: 5 },
  row: z.strictObject({ id: z.string(), scanned_on: z.string(), place: z.string(), event: z.string() }),
  labels: { id: "system", scanned_on: "system", place: "third", event: "system" },
  sql: `select s.id, s.scanned_on::text as scanned_on, s.place, s.event
    from shop.scan s join shop.purchase p on p.tenant = s.tenant and p.parcel = s.parcel
    where s.tenant = :tenant and ${seesOwn} and p.id = :order order by s.scanned_on desc, s.id desc limit 5`,
});

/** What is looked up to answer and to decide, and by no effect: the acting half has no use for it. */
export const lookups = [purchaseNotes, purchaseById, scansOfPurchase];
