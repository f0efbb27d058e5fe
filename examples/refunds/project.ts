/** What every process of the project loads: what may be decided, and what may change. Pure. */
import { defineProject, folderSource } from "countersign";
import { orderStatus } from "./capabilities/order-status.ts";
import { refundOrder } from "./capabilities/refund-order.ts";
import { tenant } from "./people.ts";

const asksForMoney = /\b(refunds?|refunded|refunding|money back|reimburse|give back)\b/i;
const asksForPlace = /\b(where|when|track|tracking|arrive[ds]?|arriving|deliver(y|ed)?|status|parcel|late|how far)\b/i;

/** Intake by written rules alone: an order is named in every request, so what is left to tell apart is money from whereabouts. */
export default defineProject({
  name: "refunds",
  capabilities: [refundOrder, orderStatus],
  intake: [
    { name: "asks-for-money", capability: "refund_order", matches: (text) => asksForMoney.test(text) },
    {
      name: "asks-for-place",
      capability: "order_status",
      matches: (text) => asksForPlace.test(text) && !asksForMoney.test(text),
    },
  ],
  sources: [
    folderSource({
      name: "shop-documents",
      folder: "documents",
      owner: "customer-service",
      tenants: [tenant],
      scopes: ["tenant:all"],
      isAuthority: true,
      freshWithinMs: 15 * 60_000,
    }),
  ],
});
