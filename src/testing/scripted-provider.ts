import { CountersignError } from "../contract/errors.ts";
import type { Provider, ProviderReply, Usage } from "../contract/model.ts";

/** One line of a script: the replies, by attempt, to requests that match; the last reply repeats. */
export interface ScriptLine {
  readonly purpose: "decide" | "judge";
  /** Matched against the text of the first user message: the request, before any retry's error. */
  readonly when: RegExp;
  /** Matched against the system text, to tell capabilities apart. */
  readonly system?: RegExp;
  readonly replies: readonly string[];
}

/**
 * A provider whose replies come from a script, keyed on the request. It is no model and says so wherever its replies show.
 * It stands below parsing and validation, so wrong and malformed replies exercise the retries. No line: `model_unavailable`.
 */
export function scriptedProvider({ name, lines }: { name: string; lines: readonly ScriptLine[] }): Provider {
  return {
    name,
    isScripted: true,
    complete: async ({ purpose, attempt, system, messages }): Promise<ProviderReply> => {
      const asked = messages.find((message) => message.role === "user")?.text ?? "";
      const line = lines.find(
        (one) => one.purpose === purpose && holds(one.when, asked) && (one.system === undefined || holds(one.system, system)),
      );
      const text = line?.replies[Math.min(attempt, line.replies.length) - 1];
      if (text === undefined)
        throw new CountersignError("model_unavailable", "the script has no line for this request; it is a script, not a model");
      return { text, usage: usageOf([system, ...messages.map((message) => message.text)], text), stopReason: "end" };
    },
  };
}

/** `search` keeps no place between calls, as `test` does for patterns with the flag `g`: the same request gets the same reply. */
function holds(pattern: RegExp, text: string): boolean {
  return text.search(pattern) !== -1;
}

/** Counts four characters as a token, so that budgets and bills have something to count. */
function usageOf(sent: readonly string[], reply: string): Usage {
  const characters = sent.reduce((sum, text) => sum + text.length, 0);
  return {
    inputTokens: Math.ceil(characters / 4),
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: Math.ceil(reply.length / 4),
    reasoningTokens: 0,
  };
}
