/** What a provider says of the end of one of its models. */
export interface KnownDate {
  readonly vendor: "openai" | "anthropic";
  readonly id: string;
  /** The day on which the end was announced, and the one on which the model stops to answer. */
  readonly announcedOn: string;
  readonly shutdownOn: string;
  /** What the provider names in its place; `null` where it names nothing. */
  readonly replacement: string | null;
}

/** Where the list comes from, and when it was last read there. */
export const datesSource = {
  openai: "https://developers.openai.com/api/docs/deprecations",
  anthropic: "https://platform.claude.com/docs/en/about-claude/model-deprecations",
  readOn: "2026-11-30",
} as const;

const openAi = (
  announcedOn: string,
  shutdownOn: string,
  replacement: string | null,
  ids: readonly string[],
): readonly KnownDate[] => ids.map((id) => ({ vendor: "openai", id, announcedOn, shutdownOn, replacement }));
const anthropic = (
  announcedOn: string,
  shutdownOn: string,
  replacement: string | null,
  ids: readonly string[],
): readonly KnownDate[] => ids.map((id) => ({ vendor: "anthropic", id, announcedOn, shutdownOn, replacement }));

/** Ends that providers have announced, as far as this list knows them; a model that is not in it is not known to go on. */
export const knownDates: readonly KnownDate[] = [
  ...openAi("2026-04-22", "2026-10-23", "gpt-5.6-sol", [
    ...["gpt-4-0613", "gpt-4-1106-preview", "gpt-4-turbo-2024-04-09", "gpt-4o-2024-05-13"],
    ...["o1-2024-12-17", "o3-mini-2025-01-31", "o1-pro-2025-03-19"],
  ]),
  ...openAi("2026-04-22", "2026-10-23", "gpt-5.6-terra", ["gpt-3.5-turbo-0125", "o4-mini-2025-04-16"]),
  ...openAi("2026-04-22", "2026-10-23", "gpt-5.6-luna", ["gpt-4.1-nano-2025-04-14"]),
  ...openAi("2026-06-11", "2026-12-11", "gpt-6.1-sol", ["gpt-5-2025-08-07", "o3-2025-04-16"]),
  ...openAi("2026-06-11", "2026-12-11", "gpt-6.1-terra", ["gpt-5-mini-2025-08-07"]),
  ...openAi("2026-06-11", "2026-12-11", null, ["gpt-5-nano-2025-08-07"]),
  ...openAi("2026-10-14", "2027-01-14", "gpt-6-luna", [
    ...["gpt-4o-2024-08-06", "gpt-4o-2024-11-20", "gpt-4o-mini-2024-07-18"],
    ...["gpt-4.1-2025-04-14", "gpt-4.1-mini-2025-04-14"],
  ]),
  ...anthropic("2025-01-21", "2025-07-21", null, ["claude-2.0", "claude-2.1", "claude-3-sonnet-20240229"]),
  ...anthropic("2025-06-30", "2026-01-05", null, ["claude-3-opus-20240229"]),
  ...anthropic("2026-04-14", "2026-06-15", "claude-sonnet-4-6", ["claude-sonnet-4-20250514"]),
  ...anthropic("2026-04-14", "2026-06-15", "claude-opus-4-8", ["claude-opus-4-20250514"]),
];

/** The last day on which a fine-tuned model can be trained anew with a provider: after it, its base cannot be moved on by training. */
export const lastTrainingOn: Readonly<Record<KnownDate["vendor"], string | null>> = { openai: "2027-01-06", anthropic: null };
