// system-text.ts
import { systemText } from "../../../src/define/system-text.ts";

export const told: [unknown, unknown][] = [];
const system = systemText({ instructions: "You close tickets.", refuses: "The ticket is not solved.", examples: [] });

export type Shown = typeof systemText;
