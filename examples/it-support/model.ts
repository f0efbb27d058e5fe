import type { ModelChoice } from "countersign";

/** The model that the demo asks. Its replies come from `script.ts`, and say so wherever they show. */
export const model: ModelChoice = { provider: "scripted", id: "it-support-2026-11-30", effort: "none", temperature: 0 };
