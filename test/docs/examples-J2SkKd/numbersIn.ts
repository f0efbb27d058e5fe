// read-number.ts
import { numbersIn } from "../../../src/contract/read-number.ts";

export const told: [unknown, unknown][] = [];
told.push([numbersIn("Sales were $ 1,452.4 million.")[0]?.quantity.scale, "million"]);

export type Shown = typeof numbersIn;
