// instant.ts
import { instantOf } from "../../../src/contract/instant.ts";

export const told: [unknown, unknown][] = [];
told.push([instantOf("2026-03-29", "Europe/Berlin"), Date.UTC(2026, 2, 28, 23)]);

export type Shown = typeof instantOf;
