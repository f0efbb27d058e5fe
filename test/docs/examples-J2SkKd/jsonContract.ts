// json-contract.ts
import { jsonContract } from "../../../src/json-schema/json-contract.ts";
import { defineTool, type JsonObject } from "countersign";
export const told: [unknown, unknown][] = [];
const args = jsonContract({ type: "object", properties: { order: { type: "string" } }, required: ["order"] });
const orderById = defineTool({
  name: "order_by_id", description: "Reads one order.", sideEffect: "read", args,
  need: (order) => ({ kind: "records", query: "orders.byId", params: order as JsonObject, maxAgeMs: 0 }),
});

export type Shown = typeof jsonContract;
