// sql-query.ts
import { defineAggregateView } from "../../../src/define/sql-query.ts";
import { z } from "zod";
export const told: [unknown, unknown][] = [];
defineAggregateView({
  name: "orders.byMonth", view: "shop.orders_by_month", tenantColumn: "tenant", key: "month", labels: { month: "system", orders: "system" },
  params: z.strictObject({ month: z.string() }), row: z.strictObject({ month: z.string(), orders: z.int() }),
  groupSize: { field: "orders", minimumGroup: 5, subject: "order" },
});

export type Shown = typeof defineAggregateView;
