// instant.ts
import { localText } from "../../../src/contract/instant.ts";

export const told: [unknown, unknown][] = [];
told.push([localText(Date.UTC(2026, 0, 1), "Europe/Berlin"), "2026-01-01T01:00:00+01:00"]);

export type Shown = typeof localText;
