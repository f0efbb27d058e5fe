// stands-in.ts
import { standsIn } from "../../../src/decide/stands-in.ts";

export const told: [unknown, unknown][] = [];
told.push([standsIn("pay 10 now", "10"), true]);
told.push([standsIn("pay 1,000 now", "000"), false]);

export type Shown = typeof standsIn;
