import type { ModelChoice } from "countersign";

/** The model that prepares refunds. Its replies come from `script.ts`, and say so wherever they show. */
export const model: ModelChoice = { provider: "scripted", id: "refunds-2026-11-30", effort: "none", temperature: 0 };

/** The one that is asked for a second opinion on large refunds; scripted too. */
export const judgeModel: ModelChoice = { ...model, id: "refunds-judge-2026-11-30" };
