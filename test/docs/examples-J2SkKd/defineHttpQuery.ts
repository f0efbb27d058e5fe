// http-query.ts
import { defineHttpQuery } from "../../../src/define/http-query.ts";
import { z } from "zod";
export const told: [unknown, unknown][] = [];
defineHttpQuery({
  name: "parcels.ofOrder", path: "/v1/:tenant/orders/:order/parcels", rows: "/items", key: "id",
  labels: { id: "system", state: "system" }, params: z.strictObject({ order: z.string() }),
  row: z.object({ id: z.string(), state: z.string() }), isNoneAt404: true,
});

export type Shown = typeof defineHttpQuery;
