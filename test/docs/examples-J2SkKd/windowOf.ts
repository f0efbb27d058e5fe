// instant.ts
import { windowOf } from "../../../src/contract/instant.ts";

export const told: [unknown, unknown][] = [];
told.push([windowOf({ from: "1999", to: "2003", zone: "UTC", toIsIncluded: true }), { from: Date.UTC(1999, 0, 1), to: Date.UTC(2004, 0, 1) }]);

export type Shown = typeof windowOf;
