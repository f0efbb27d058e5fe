import type { Quirks } from "./quirks.ts";

const some = ["low", "medium", "high"] as const;
const all = ["none", ...some] as const;
const plain = { efforts: ["none"], sendsEffort: false, temperature: "always", holdsSchema: true, forcesTool: "always" } as const;
const reasons = { efforts: some, sendsEffort: true, temperature: "never", holdsSchema: true, forcesTool: "always" } as const;
const mayReason = { ...reasons, efforts: all, temperature: "without_effort" } as const;

/**
 * What OpenAI's models take, over one of its APIs. The first family that fits counts. Sources: OpenAI's pages on each model, its guide to
 * reasoning ("limitations": no sampling while a model reasons) and to structured outputs (schemas from `gpt-4o-2024-08-06` on), and the
 * model catalogue of `@ai-sdk/openai` 4.0.118, whose authors keep the same list.
 */
export function openAiQuirks(api: "responses" | "chat"): readonly Quirks[] {
  return [
    { family: /^gpt-4o(?:-mini)?-search-preview/, ...plain, temperature: "never" },
    { family: /^(?:gpt-3\.5|gpt-4-|gpt-4o-2024-05-13$)/, ...plain, holdsSchema: false },
    { family: /^gpt-4(?:o|\.\d)/, ...plain },
    { family: /^o\d/, ...reasons },
    { family: /^gpt-5-pro/, ...reasons, efforts: ["high"] },
    { family: /^gpt-5\.\d+-pro/, ...reasons, efforts: ["medium", "high"] },
    { family: /^gpt-5-/, ...reasons },
    { family: /^gpt-5\.[1-5]-/, ...mayReason },
    // From 5.6 on this line refuses function tools with reasoning over chat completions.
    { family: /^gpt-5\.\d+/, ...mayReason, forcesTool: api === "chat" ? "without_effort" : "always" },
    { family: /^gpt-6(?:\.1-terra|-luna|-sol)/, ...mayReason },
    { family: /^gpt-[6-9]/, ...reasons },
  ];
}
