import type { ModelChoice } from "countersign";

/** The model that plans what is looked up and writes answers. Its replies come from `script.ts`, and say so wherever they show. */
export const model: ModelChoice = { provider: "scripted", id: "proposals-2026-11-30", effort: "none", temperature: 0 };
