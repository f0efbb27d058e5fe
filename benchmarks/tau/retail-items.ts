import { z } from "zod";
import type { Book } from "./book.ts";
import { type Order, type RetailUser, shop, type Variant } from "./retail-book.ts";
import { cents, changed, defineTool, type Outcome, refused, type Tool } from "./tool.ts";

const text = z.string();
const swap = z.strictObject({
  order_id: text,
  item_ids: z.array(text),
  new_item_ids: z.array(text),
  payment_method_id: text,
});

/** The shop's tools that change the items of an order; `repeatsFault` as in `retailWrites`. */
export function itemTools({ repeatsFault }: { readonly repeatsFault: boolean }): readonly Tool[] {
  const modify = defineTool({
    name: "modify_pending_order_items",
    writes: true,
    form: swap,
    run: (asked, book) => modifyItems({ asked, book, repeatsFault }),
  });
  return [modify, exchange, giveBack];
}

const exchange = defineTool({
  name: "exchange_delivered_order_items",
  writes: true,
  form: swap,
  run: (asked, book) => {
    const order = shop.order(book, asked.order_id);
    if (order === null) return refused("Order not found");
    if (order.status !== "delivered") return refused("Non-delivered order cannot be exchanged");
    const priced = priceSwap({ asked, order, book });
    if (priced.kind === "refused") return priced;
    const paying = payerOf({ order, book, methodId: asked.payment_method_id, amount: priced.difference });
    if (paying.kind === "refused") return paying;
    const exchanged = {
      ...order,
      status: "exchange requested",
      exchange_items: asked.item_ids.toSorted(),
      exchange_new_items: asked.new_item_ids.toSorted(),
      exchange_payment_method_id: asked.payment_method_id,
      exchange_price_difference: priced.difference,
    };
    return changed({ [`orders/${asked.order_id}`]: exchanged });
  },
});

const giveBack = defineTool({
  name: "return_delivered_order_items",
  writes: true,
  form: swap.omit({ new_item_ids: true }),
  run: ({ order_id, item_ids, payment_method_id }, book) => {
    const order = shop.order(book, order_id);
    if (order === null) return refused("Order not found");
    if (order.status !== "delivered") return refused("Non-delivered order cannot be returned");
    const user = shop.user(book, order.user_id);
    const method = user === null ? null : shop.method(user, payment_method_id);
    if (method === null) return refused("Payment method not found");
    if (method.source !== "gift_card" && payment_method_id !== order.payment_history[0]?.payment_method_id)
      return refused("Payment method should be the original payment method");
    if (!holdsAll(order, item_ids)) return refused("Some item not found");
    const returned = {
      ...order,
      status: "return requested",
      return_items: item_ids.toSorted(),
      return_payment_method_id: payment_method_id,
    };
    return changed({ [`orders/${order_id}`]: returned });
  },
});

interface Modifying {
  readonly asked: z.infer<typeof swap>;
  readonly book: Book;
  readonly repeatsFault: boolean;
}

function modifyItems({ asked, book, repeatsFault }: Modifying): Outcome {
  const order = shop.order(book, asked.order_id);
  if (order === null) return refused("Order not found");
  if (order.status !== "pending") return refused("Non-pending order cannot be modified");
  if (asked.item_ids.some((id, place) => id === asked.new_item_ids[place]))
    return refused("The new item id should be different from the old item id");
  const priced = priceSwap({ asked, order, book });
  if (priced.kind === "refused") return priced;
  const { difference, variants } = priced;
  const paying = payerOf({ order, book, methodId: asked.payment_method_id, amount: difference });
  if (paying.kind === "refused") return paying;
  const { user } = paying;
  const method = shop.method(user, asked.payment_method_id);
  if (method?.source === "gift_card") method.balance = cents((method.balance ?? 0) - difference);
  order.payment_history.push({
    transaction_type: difference > 0 ? "payment" : "refund",
    amount: Math.abs(difference),
    payment_method_id: asked.payment_method_id,
  });
  asked.item_ids.forEach((id, place) => {
    const item = order.items.find((one) => one.item_id === id);
    const variant = variants[repeatsFault ? variants.length - 1 : place];
    if (item === undefined || variant === undefined) return;
    Object.assign(item, { item_id: asked.new_item_ids[place], price: variant.price, options: variant.options });
  });
  const modified = { ...order, status: "pending (item modified)" };
  return changed({ [`orders/${asked.order_id}`]: modified, [`users/${user.user_id}`]: user });
}

type Refused = Extract<Outcome, { kind: "refused" }>;
type Priced = { readonly kind: "priced"; readonly difference: number; readonly variants: readonly Variant[] } | Refused;

/** What it costs to have each new item for the old one in its place; a new one must be of the same product and available. */
function priceSwap({ asked, order, book }: { asked: Modifying["asked"]; order: Order; book: Book }): Priced {
  if (!holdsAll(order, asked.item_ids)) return refusal("an item is not in the order");
  if (asked.item_ids.length !== asked.new_item_ids.length) return refusal("The number of items to be exchanged should match");
  const variants: Variant[] = [];
  let difference = 0;
  for (const [place, id] of asked.item_ids.entries()) {
    const item = order.items.find((one) => one.item_id === id);
    const wanted = asked.new_item_ids[place] ?? "";
    const variant = item === undefined ? null : shop.variant(book, { product: item.product_id, item: wanted });
    if (item === undefined || variant === null) return refusal("Variant not found");
    if (!variant.available) return refusal(`New item ${wanted} not found or available`);
    difference += variant.price - item.price;
    variants.push(variant);
  }
  return { kind: "priced", difference: cents(difference), variants };
}

type Paying = { readonly kind: "paying"; readonly user: RetailUser } | Refused;

function payerOf({ order, book, methodId, amount }: { order: Order; book: Book; methodId: string; amount: number }): Paying {
  const user = shop.user(book, order.user_id);
  const method = user === null ? null : shop.method(user, methodId);
  if (user === null || method === null) return refusal("Payment method not found");
  if (method.source === "gift_card" && (method.balance ?? 0) < amount) return refusal("Insufficient gift card balance");
  return { kind: "paying", user };
}

/** Each id as often as it was asked for. */
function holdsAll({ items }: Order, ids: readonly string[]): boolean {
  const countIn = (all: readonly string[], id: string): number => all.filter((one) => one === id).length;
  const held = items.map(({ item_id }) => item_id);
  return ids.every((id) => countIn(ids, id) <= countIn(held, id));
}

function refusal(why: string): Refused {
  return { kind: "refused", why };
}
