import { isKeepableText } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { ProviderReply, Usage } from "../contract/model.ts";

/** The usage of a call of which nothing is known. */
export const noUsage: Usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** What came from a provider, with the text that may be kept; or why it is no reply at all. */
export type Received =
  | { readonly kind: "replied"; readonly reply: ProviderReply; readonly kept: string }
  | { readonly kind: "failed"; readonly problem: string };

/** The largest count that is stored. */
const maxTokens = 2 ** 31 - 1;
/** A reply over the limit is never parsed; its head is enough to see why. */
const keptOfTooLong = 2_000;
const stopReasons: readonly string[] = ["end", "length", "refusal", "filter"] satisfies ProviderReply["stopReason"][];

/** Checks the form of what a provider returned; providers are not trusted to keep their own type. */
export function receive(reply: ProviderReply): Received {
  if (typeof reply !== "object" || reply === null || typeof reply.text !== "string") return failed("without a text");
  if (!stopReasons.includes(reply.stopReason)) return failed("without a known reason for its end");
  const usage = usageOf(reply.usage);
  if (usage === null) return failed("with a usage that cannot be (token counts are whole numbers from 0)");
  return { kind: "replied", reply: { text: reply.text, usage, stopReason: reply.stopReason }, kept: keptText(reply.text) };
}

function failed(what: string): Received {
  return { kind: "failed", problem: `the provider gave a reply ${what}` };
}

function usageOf(usage: unknown): Usage | null {
  if (typeof usage !== "object" || usage === null) return null;
  // Each field is checked before it is used.
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage as Usage;
  const kinds = { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  const areCounts = Object.values(kinds).every((count) => Number.isInteger(count) && count >= 0 && count <= maxTokens);
  return areCounts ? kinds : null;
}

/** The reply as it can be stored for replay; what cannot be kept is marked, and such a reply never parses. */
function keptText(text: string): string {
  const head = text.length > limits.replyText ? text.slice(0, keptOfTooLong) : text;
  return isKeepableText(head) ? head : head.toWellFormed().replaceAll("\0", "\uFFFD");
}
