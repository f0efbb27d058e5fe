import { z } from "zod";
import type { Json } from "../../src/contract/json.ts";
import type { Book } from "./book.ts";

// What no tool looks at stays as it is.
const rest = z.custom<Json>();

const payment = z.object({ transaction_type: z.enum(["payment", "refund"]), amount: z.number(), payment_method_id: z.string() });
const item = z.object({ item_id: z.string(), product_id: z.string(), price: z.number(), options: rest }).catchall(rest);
const orderForm = z
  .object({
    order_id: z.string(),
    user_id: z.string(),
    status: z.string(),
    items: z.array(item),
    payment_history: z.array(payment),
  })
  .catchall(rest);
const method = z.object({ id: z.string(), source: z.string(), balance: z.number().optional() }).catchall(rest);
const userForm = z
  .object({
    user_id: z.string(),
    email: z.string(),
    name: z.object({ first_name: z.string(), last_name: z.string() }),
    address: z.object({ zip: z.string() }).catchall(rest),
    payment_methods: z.record(z.string(), method),
  })
  .catchall(rest);
const variant = z.object({ item_id: z.string(), price: z.number(), available: z.boolean(), options: rest }).catchall(rest);
const productForm = z
  .object({ product_id: z.string(), name: z.string(), variants: z.record(z.string(), variant) })
  .catchall(rest);

export type Order = z.infer<typeof orderForm>;
export type RetailUser = z.infer<typeof userForm>;
export type PaymentMethod = z.infer<typeof method>;
export type Variant = z.infer<typeof variant>;

/** The documents of the shop, each a copy of its own that a tool may alter; `null` where there is none. */
export const shop = {
  order: (book: Book, id: string): Order | null => parsed(orderForm, book.read(`orders/${id}`)),
  user: (book: Book, id: string): RetailUser | null => parsed(userForm, book.read(`users/${id}`)),
  product: (book: Book, id: string) => parsed(productForm, book.read(`products/${id}`)),
  users: (book: Book) => book.list("users").map((document) => userForm.parse(document)),
  products: (book: Book) => book.list("products").map((document) => productForm.parse(document)),
  variant: (book: Book, { product, item }: { product: string; item: string }): Variant | null => {
    const variants = parsed(productForm, book.read(`products/${product}`))?.variants ?? {};
    return own(variants, item);
  },
  method: (user: RetailUser, id: string): PaymentMethod | null => own(user.payment_methods, id),
} as const;

function parsed<T>(form: z.ZodType<T>, document: unknown): T | null {
  return document === null ? null : form.parse(document);
}

/** Ids come from a model: `constructor` is not one of them. */
function own<T>(members: Readonly<Record<string, T>>, id: string): T | null {
  return Object.hasOwn(members, id) ? (members[id] ?? null) : null;
}
