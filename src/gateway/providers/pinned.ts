/** How one provider names models that do not change, and what to write where a name does. */
export interface PinRules {
  /** An id that any of these matches stays the model that it is. */
  readonly pinned: readonly RegExp[];
  /** An id that any of these matches moves, whatever else it looks like. */
  readonly moving: readonly RegExp[];
  /** The end of the sentence "`id` …": what is wrong with it and what to write instead. */
  readonly advice: string;
}

/** By what a provider's ids are told to be pinned; `vouched` are ids of which the project's author says that they do not change. */
export interface Pins {
  readonly rules: PinRules;
  readonly vouched: readonly string[];
}

/** Says why an id is no pinned one, or `null` where it is. */
export function pinRefusal(id: string, { rules, vouched }: Pins): string | null {
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) return "a model's id is 1 to 200 visible ASCII characters";
  if (vouched.includes(id)) return null;
  const isMoving = rules.moving.some((pattern) => pattern.test(id));
  if (!isMoving && rules.pinned.some((pattern) => pattern.test(id))) return null;
  return `\`${id}\` ${rules.advice}`;
}

const latest = /(?:^|[-:@/])latest(?:$|[-:@/])/i;

/** Source: OpenAI's models page, "snapshots": a dated id is one snapshot, an undated one points to whichever is current. */
export const openAiPins: PinRules = {
  pinned: [/-\d{4}-\d{2}-\d{2}$/, /^ft:[a-z0-9.-]+-\d{4}-\d{2}-\d{2}:/, /^gpt-(?:3\.5|4)(?:-[a-z0-9]+)*-\d{4}$/],
  moving: [latest],
  advice:
    "is an alias that moves; write a dated id such as `gpt-4.1-2025-04-14`, or name it in the provider's `pinned` where it is known not to change",
};

/**
 * Source: Anthropic, "Model IDs and versioning": from the 4.6 generation on an undated id is one fixed snapshot; before that only a
 * dated one is, and the undated name is an alias.
 */
export const anthropicPins: PinRules = {
  pinned: [/-\d{8}$/, /^claude-[a-z]+-4-(?:[6-9]|\d\d)$/, /^claude-[a-z]+-(?:[5-9]|\d\d)(?:-\d{1,2})?$/],
  moving: [latest],
  advice:
    "is an alias that moves; write a dated id such as `claude-sonnet-4-5-20250929`, or an id of the 4.6 generation or later, which is a snapshot without a date",
};

/** A server of one's own serves what it was started with: its id is as firm as whoever runs it keeps it. */
export const servedPins: PinRules = {
  pinned: [/./],
  moving: [latest],
  advice: "is a name that moves; serve the model under a name with its version, and write that",
};

/** Source: Ollama, "Model names": a name without a tag is read as `:latest`, which moves with every pull. */
export const ollamaPins: PinRules = {
  pinned: [/^[^:]+(?::\d+\/[^:]+)?:[^:/]+$/],
  moving: [latest],
  advice: "has no tag, or one that moves; write the whole tag with size and quantisation, such as `qwen2.5:7b-instruct-q4_K_M`",
};
