// anthropic.ts
import { anthropic } from "../../../src/gateway/providers/anthropic.ts";

export const told: [unknown, unknown][] = [];
anthropic({ name: "anthropic", secret: "ANTHROPIC_API_KEY", constrain: "schema", boundary: "off" });

export type Shown = typeof anthropic;
