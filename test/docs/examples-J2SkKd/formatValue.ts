// format-quantity.ts
import { formatValue } from "../../../src/contract/format-quantity.ts";
import { quantities } from "countersign";
export const told: [unknown, unknown][] = [];
told.push([formatValue({ ...quantities.of("1234.5"), unit: "EUR" }, { kind: "money" }), "1,234.50 EUR"]);

export type Shown = typeof formatValue;
