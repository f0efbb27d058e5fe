// compose.ts
import { composeConfidence } from "../../../src/decide/confidence/compose.ts";

export const told: [unknown, unknown][] = [];
told.push([composeConfidence({ verification: 1_000_000, evidence: null, judge: null, model: 400_000 }).ppm, 900000]);

export type Shown = typeof composeConfidence;
