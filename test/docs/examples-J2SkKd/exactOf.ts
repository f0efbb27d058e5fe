// exact.ts
import { exactOf } from "../../../src/contract/exact.ts";

export const told: [unknown, unknown][] = [];
told.push([exactOf("0.1")?.denominator === 10n, true]);

export type Shown = typeof exactOf;
