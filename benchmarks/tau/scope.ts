/**
 * What one write is about: the documents that its contract reads and may change. The same for both halves, before and after the write,
 * so that it can be compared; of a flight only the days, of a product only the variants that the write names.
 */
import type { Json, JsonObject } from "../../src/contract/json.ts";
import { newReservations } from "./airline-booking.ts";
import { type Book, documentOf } from "./book.ts";
import { readHolders, readPaths, type Stored } from "./sandbox.ts";

/** A write as it is asked for. */
export interface Asked {
  readonly tool: string;
  readonly args: JsonObject;
}

/** The documents of a write by path, `null` where there is none, and the versions that they have together. */
export interface Scope {
  readonly revision: string;
  readonly documents: { readonly [path: string]: JsonObject | null };
}

type Client = Parameters<typeof readPaths>[0];

/** Reads the scope of a write; with a customer, documents of others are as if they were not there. */
export async function readScope(
  client: Client,
  { world, asked, customer }: { world: string; asked: Asked; customer: string | null },
): Promise<Scope> {
  const { args } = asked;
  const named = namedPaths(asked);
  const direct = await readPaths(client, { world, paths: named });
  const owners = direct.flatMap(({ body }) => (typeof body["user_id"] === "string" ? [`users/${body["user_id"]}`] : []));
  const missing = owners.filter((path) => !named.includes(path));
  const items = textsOf(args["new_item_ids"]);
  const rest = missing.length > 0 ? await readPaths(client, { world, paths: missing }) : [];
  const products = items.length > 0 ? await readHolders(client, { world, items }) : [];
  const stored = new Map([...direct, ...rest, ...products].map((one) => [one.path, one]));
  const paths = [...new Set([...named, ...stored.keys()])].sort();
  const seen = paths.map((path) => ({ path, stored: visible(stored.get(path), customer) }));
  return {
    revision: seen.map((one) => one.stored?.version ?? 0).join("."),
    documents: Object.fromEntries(
      seen.map((one) => [one.path, one.stored === null ? null : trimmed(one.stored, { dates: datesOf(args), items })]),
    ),
  };
}

/** The path of what a write is foremost about; it stands in the business key. */
export function targetOf({ args }: Asked): string {
  if (typeof args["order_id"] === "string") return `orders/${args["order_id"]}`;
  if (typeof args["reservation_id"] === "string") return `reservations/${args["reservation_id"]}`;
  return `users/${args["user_id"]}`;
}

/** Whether what a write is about belongs to the customer. */
export function isOwn(documents: Scope["documents"], { asked, customer }: { asked: Asked; customer: string }): boolean {
  return documents[targetOf(asked)]?.["user_id"] === customer;
}

/** A scope as a book, for a contract to be tried out on. */
export function bookOf(documents: Scope["documents"]): Book {
  return {
    read: (path) => (Object.hasOwn(documents, path) ? (documents[path] ?? null) : null),
    list: (collection) =>
      Object.entries(documents).flatMap(([path, document]) =>
        document !== null && path.startsWith(`${collection}/`) ? [document] : [],
      ),
  };
}

/** A document that this customer may see: its own, and what belongs to nobody. */
export function visible(stored: Stored | undefined, customer: string | null): Stored | null {
  if (stored === undefined) return null;
  const owner = stored.body["user_id"];
  return customer === null || owner === undefined || owner === customer ? stored : null;
}

function namedPaths(asked: Asked): string[] {
  const { args, tool } = asked;
  const flights = membersOf(args["flights"], "flight_number").map((number) => `flights/${number}`);
  const made = tool === "book_reservation" ? newReservations.map((id) => `reservations/${id}`) : [];
  return [...new Set([targetOf(asked), ...flights, ...made])];
}

function datesOf(args: JsonObject): readonly string[] {
  return membersOf(args["flights"], "date");
}

function trimmed({ path, body }: Stored, { dates, items }: { dates: readonly string[]; items: readonly string[] }): JsonObject {
  if (path.startsWith("flights/")) return documentOf({ ...body, dates: picked(body["dates"], dates) });
  if (path.startsWith("products/")) return documentOf({ ...body, variants: picked(body["variants"], items) });
  return documentOf(body);
}

function picked(value: Json | undefined, keys: readonly string[]): JsonObject {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(members.filter(([key]) => keys.includes(key)));
}

function membersOf(value: Json | undefined, member: string): string[] {
  const all: readonly Json[] = Array.isArray(value) ? value : [];
  return all.flatMap((one) => {
    const found = typeof one === "object" && one !== null ? (one as JsonObject)[member] : undefined; // arrays have no such member
    return typeof found === "string" ? [found] : [];
  });
}

function textsOf(value: Json | undefined): string[] {
  const all: readonly Json[] = Array.isArray(value) ? value : [];
  return all.filter((one) => typeof one === "string");
}
