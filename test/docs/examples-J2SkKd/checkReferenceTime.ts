// instant.ts
import { checkReferenceTime } from "../../../src/contract/instant.ts";

export const told: [unknown, unknown][] = [];
checkReferenceTime({ at: Date.UTC(2026, 5, 1), clock: Date.UTC(2026, 5, 2) });

export type Shown = typeof checkReferenceTime;
