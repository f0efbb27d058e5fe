import type { ModelChoice } from "countersign";

/** A model that fits on a laptop. Put the one that you have pulled here, with its whole tag. */
export const model: ModelChoice = { provider: "local", id: "qwen2.5:7b-instruct-q4_K_M", effort: "none", temperature: 0 };
