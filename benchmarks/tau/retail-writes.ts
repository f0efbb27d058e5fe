import { z } from "zod";
import { type Order, type RetailUser, shop } from "./retail-book.ts";
import { itemTools } from "./retail-items.ts";
import { cents, changed, defineTool, refused, type Tool } from "./tool.ts";

const text = z.string();
const address = { address1: text, address2: text, city: text, state: text, country: text, zip: text };

/**
 * The shop's tools that change something. In the original a change of several items gives each of them the price and options of the
 * last one, which is a fault; `repeatsFault` says whether it is repeated here.
 */
export function retailWrites({ repeatsFault }: { readonly repeatsFault: boolean }): readonly Tool[] {
  return [cancelOrder, modifyOrderAddress, modifyOrderPayment, modifyUserAddress, ...itemTools({ repeatsFault })];
}

const cancelOrder = defineTool({
  name: "cancel_pending_order",
  writes: true,
  form: z.strictObject({ order_id: text, reason: text }),
  run: ({ order_id, reason }, book) => {
    const order = shop.order(book, order_id);
    if (order === null) return refused("Order not found");
    if (order.status !== "pending") return refused("Non-pending order cannot be cancelled");
    if (reason !== "no longer needed" && reason !== "ordered by mistake") return refused("Invalid reason");
    const user = shop.user(book, order.user_id);
    if (user === null) return refused("User not found");
    const refunds = order.payment_history.map((payment) => ({ ...payment, transaction_type: "refund" as const }));
    for (const { payment_method_id, amount } of refunds) credit(user, { id: payment_method_id, amount });
    const cancelled = {
      ...order,
      status: "cancelled",
      cancel_reason: reason,
      payment_history: [...order.payment_history, ...refunds],
    };
    return changed({ [`orders/${order_id}`]: cancelled, [`users/${user.user_id}`]: user });
  },
});

const modifyOrderAddress = defineTool({
  name: "modify_pending_order_address",
  writes: true,
  form: z.strictObject({ order_id: text, ...address }),
  run: ({ order_id, ...given }, book) => {
    const order = shop.order(book, order_id);
    if (order === null) return refused("Order not found");
    if (!isPending(order)) return refused("Non-pending order cannot be modified");
    return changed({ [`orders/${order_id}`]: { ...order, address: given } });
  },
});

const modifyOrderPayment = defineTool({
  name: "modify_pending_order_payment",
  writes: true,
  form: z.strictObject({ order_id: text, payment_method_id: text }),
  run: ({ order_id, payment_method_id }, book) => {
    const order = shop.order(book, order_id);
    if (order === null) return refused("Order not found");
    if (!isPending(order)) return refused("Non-pending order cannot be modified");
    const user = shop.user(book, order.user_id);
    const method = user === null ? null : shop.method(user, payment_method_id);
    if (user === null || method === null) return refused("Payment method not found");
    const [paid, ...more] = order.payment_history;
    if (paid === undefined || more.length > 0 || paid.transaction_type !== "payment")
      return refused("There should be exactly one payment for a pending order");
    if (paid.payment_method_id === payment_method_id)
      return refused("The new payment method should be different from the current one");
    const { amount } = paid;
    if (method.source === "gift_card" && (method.balance ?? 0) < amount)
      return refused("Insufficient gift card balance to pay for the order");
    credit(user, { id: payment_method_id, amount: -amount });
    credit(user, { id: paid.payment_method_id, amount });
    const payment_history = [
      paid,
      { transaction_type: "payment", amount, payment_method_id },
      { transaction_type: "refund", amount, payment_method_id: paid.payment_method_id },
    ];
    return changed({ [`orders/${order_id}`]: { ...order, payment_history }, [`users/${user.user_id}`]: user });
  },
});

const modifyUserAddress = defineTool({
  name: "modify_user_address",
  writes: true,
  form: z.strictObject({ user_id: text, ...address }),
  run: ({ user_id, ...given }, book) => {
    const user = shop.user(book, user_id);
    if (user === null) return refused("User not found");
    return changed({ [`users/${user_id}`]: { ...user, address: given } });
  },
});

/** Once its items were modified, an order still counts as pending here. */
function isPending({ status }: Order): boolean {
  return status.includes("pending");
}

/** Puts money on a gift card; other ways of paying have no balance here. */
function credit(user: RetailUser, { id, amount }: { id: string; amount: number }): void {
  const method = shop.method(user, id);
  if (method?.source === "gift_card") method.balance = cents((method.balance ?? 0) + amount);
}
