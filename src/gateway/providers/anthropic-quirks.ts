import type { Quirks } from "./quirks.ts";

const some = ["low", "medium", "high"] as const;
const all = ["none", ...some] as const;
const newest = {
  efforts: all,
  sendsEffort: true,
  temperature: "never",
  holdsSchema: true,
  forcesTool: "without_effort",
  maxOutputTokens: 128_000,
} as const;
const plain = { efforts: ["none"], sendsEffort: false, temperature: "always", holdsSchema: true, forcesTool: "always" } as const;

/**
 * What Anthropic's models take. The first family that fits counts. Effort is sent as adaptive thinking with that effort, `none` as
 * thinking disabled; families from before 4.6 know thinking by a budget alone, which is off unless it is asked for: they take `none`. Sources: Anthropic's pages "Extended
 * thinking" (no temperature and no forced tool while a model thinks), "Effort" and "Structured outputs" (schemas from 4.1 on), and the
 * model catalogue of `@ai-sdk/anthropic` 4.0.105, whose authors keep the same list.
 */
export const anthropicQuirks: readonly Quirks[] = [
  { family: /^claude-(?:sonnet|opus)-5-5/, ...newest, efforts: some, forcesTool: "never" },
  { family: /^claude-fable-5-[12]/, ...newest, efforts: some, forcesTool: "never" },
  { family: /^claude-fable-5/, ...newest, efforts: some },
  { family: /^claude-(?:haiku|opus|sonnet)-5/, ...newest },
  { family: /^claude-opus-4-[78]/, ...newest },
  { family: /^claude-(?:opus|sonnet)-4-6/, ...newest, temperature: "without_effort" },
  { family: /^claude-(?:opus|sonnet|haiku)-4-5/, ...plain, maxOutputTokens: 64_000 },
  { family: /^claude-opus-4-1/, ...plain, maxOutputTokens: 32_000 },
  { family: /^claude-sonnet-4-/, ...plain, holdsSchema: false, maxOutputTokens: 64_000 },
  { family: /^claude-opus-4-/, ...plain, holdsSchema: false, maxOutputTokens: 32_000 },
  { family: /^claude-3/, ...plain, holdsSchema: false },
];
