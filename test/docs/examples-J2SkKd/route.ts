// route.ts
import { route } from "../../../src/decide/confidence/route.ts";

export const told: [unknown, unknown][] = [];
told.push([route({ confidencePpm: 870_000, verified: true, judgeFailed: false, needsApproval: true, thresholdPpm: 850_000 }), { route: "auto", rule: "at_or_above_threshold" }]);

export type Shown = typeof route;
