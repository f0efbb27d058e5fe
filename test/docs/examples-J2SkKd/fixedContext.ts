// fixed-context.ts
import { fixedContext } from "../../../src/testing/fixed-context.ts";

export const told: [unknown, unknown][] = [];
fixedContext({ records: { "rooms.free": [{ id: "rooms.free:r1", row: { id: "r1" }, labels: { id: "system" }, readAt: 0 }] } });

export type Shown = typeof fixedContext;
