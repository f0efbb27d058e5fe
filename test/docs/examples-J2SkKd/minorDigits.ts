// currency.ts
import { minorDigits } from "../../../src/contract/currency.ts";

export const told: [unknown, unknown][] = [];
told.push([minorDigits("KWD"), 3]);

export type Shown = typeof minorDigits;
