// instant.ts
import { endOf } from "../../../src/contract/instant.ts";

export const told: [unknown, unknown][] = [];
told.push([endOf("2003", { zone: "UTC", isIncluded: true }), Date.UTC(2004, 0, 1)]);

export type Shown = typeof endOf;
