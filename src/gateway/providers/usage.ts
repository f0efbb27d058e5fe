import type { JSONObject, LanguageModelV4Usage } from "@ai-sdk/provider";
import { limits } from "../../contract/limits.ts";
import type { Usage } from "../../contract/model.ts";
import { at } from "./request.ts";

/**
 * A provider's count in the one convention that is stored: no kind counts another's tokens. OpenAI counts cached tokens inside the
 * input and reasoning inside the output, Anthropic counts cache reads and writes beside the input; the SDK has told them apart, and
 * what it took from a missing field is not believed: without the fields `said` there is no count. `null` where the provider did not
 * say, and where what it said cannot be.
 */
export function usageOf(usage: LanguageModelV4Usage | undefined, said: readonly [string, string]): Usage | null {
  const raw = usage?.raw;
  if (usage === undefined || raw === undefined || !said.every((field) => typeof raw[field] === "number")) return null;
  const reasoningTokens = usage.outputTokens.reasoning ?? 0;
  const counted = {
    inputTokens: usage.inputTokens.noCache ?? Number.NaN,
    cachedTokens: usage.inputTokens.cacheRead ?? 0,
    cacheWriteTokens: usage.inputTokens.cacheWrite ?? 0,
    outputTokens: (usage.outputTokens.total ?? Number.NaN) - reasoningTokens,
    reasoningTokens,
  };
  const areCounts = Object.values(counted).every(
    (count) => Number.isInteger(count) && count >= 0 && count <= limits.tokensOfKind,
  );
  return areCounts ? counted : null;
}

/**
 * The usage of a server that speaks chat completions. The SDK's own reading of it leaves what was written to a cache among the plain
 * input, where OpenAI's puts it apart; here it is apart as well.
 */
export function chatUsage(raw: JSONObject | null | undefined): LanguageModelV4Usage {
  const count = (...path: readonly string[]) => {
    const found = at(raw, ...path);
    return typeof found === "number" ? found : undefined;
  };
  const total = count("prompt_tokens");
  const cacheRead = count("prompt_tokens_details", "cached_tokens") ?? 0;
  const cacheWrite = count("prompt_tokens_details", "cache_write_tokens") ?? 0;
  const noCache = total === undefined ? undefined : total - cacheRead - cacheWrite;
  const reasoning = count("completion_tokens_details", "reasoning_tokens") ?? 0;
  return {
    inputTokens: { total, noCache, cacheRead, cacheWrite },
    outputTokens: { total: count("completion_tokens"), text: undefined, reasoning },
    ...(raw ? { raw } : {}),
  };
}
