import type { ModelChoice } from "../contract/capability.ts";
import { limits } from "../contract/limits.ts";
import type { ModelFault, ProviderRequest, Usage } from "../contract/model.ts";

/** The usage of a request that cost nothing. */
const noUsage: Usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** What is known of a request whose usage nobody told. */
export interface Untold {
  /** `null` where nothing was made that could be sent. */
  readonly asked: ProviderRequest | null;
  /** `null` where a reply came. */
  readonly fault: ModelFault | null;
  /** How much of a reply came, in UTF-16 code units; `null` where nobody knows. */
  readonly received: number | null;
}

/** The usage that is stored, and whether it is an assumption. */
export interface SettledUsage {
  readonly usage: Usage;
  readonly isUsageAssumed: boolean;
}

/** Faults that say that the request was turned away before any work: nobody bills those. */
const turnedAway: readonly ModelFault[] = [
  ...(["rate_limited", "overloaded", "unreachable", "refused_key", "refused_request"] as const),
  // Never sent.
  ...(["over_budget", "boundary_failed"] as const),
];

/** What the provider said was used; else an assumption that is rather too high than too low, so that no budget is passed unseen. */
export function settleUsage(said: Usage | null, { asked, fault, received }: Untold): SettledUsage {
  if (said !== null) return { usage: said, isUsageAssumed: false };
  if (asked === null) return { usage: noUsage, isUsageAssumed: false };
  if (fault !== null && turnedAway.includes(fault) && (received ?? 0) === 0) return { usage: noUsage, isUsageAssumed: false };
  const inputTokens = tokensOfBytes(bytesOfRequest(asked));
  return { usage: { ...noUsage, inputTokens, ...outputOf(asked.model, received) }, isUsageAssumed: true };
}

/** What came is counted; what may have been written unseen (a reply nobody waited for, reasoning) counts as all that was allowed. */
function outputOf(
  { effort, maxOutputTokens = limits.outputTokens }: ModelChoice,
  received: number | null,
): Pick<Usage, "outputTokens" | "reasoningTokens"> {
  if (received === null) return { outputTokens: keepable(maxOutputTokens), reasoningTokens: 0 };
  const outputTokens = tokensOfBytes(received * 3);
  return { outputTokens, reasoningTokens: effort === "none" ? 0 : Math.max(0, keepable(maxOutputTokens) - outputTokens) };
}

/** The UTF-8 bytes of what a request says, as JSON. */
export function bytesOfRequest({ system, messages, jsonSchema }: ProviderRequest): number {
  return Buffer.byteLength(system) + bytesOf(messages) + bytesOf(jsonSchema);
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Tokenisers over bytes take 3 to 4 bytes a token of prose, JSON and code, and seldom less than 2. A code unit is at most 3 bytes. */
function tokensOfBytes(bytes: number): number {
  return keepable(Math.ceil(bytes / 2));
}

/** A number from elsewhere may be larger than any count that can be stored; the record of the request must be kept all the same. */
function keepable(tokens: number): number {
  return Math.min(tokens, limits.tokensOfKind);
}
