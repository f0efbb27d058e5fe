// calculation.ts
import { defineCalculation } from "../../../src/define/calculation.ts";
import { quantities } from "countersign";
export const told: [unknown, unknown][] = [];
defineCalculation({
  name: "order_total", version: "1", description: "The sum of an order's lines with its tax.",
  operands: { rate: { type: "quantity", unit: "percent" }, lines: { type: "quantity", unit: "EUR", many: true } },
  run: ({ rate, lines }) => quantities.sum([quantities.sum(lines), quantities.times(rate, quantities.sum(lines))]),
});

export type Shown = typeof defineCalculation;
