import { limits } from "../contract/limits.ts";
import type { ModelFault, ProviderFault, ProviderReply, Usage } from "../contract/model.ts";
import { problemOf } from "./fit.ts";

/** What came from a provider, or why it is no reply at all. */
export type Received =
  | { readonly kind: "replied"; readonly reply: ProviderReply }
  | ({ readonly kind: "failed"; readonly receivedCharacters: number | null } & Omit<
      ProviderFault,
      "receivedCharacters" | "fault"
    > & {
        readonly fault: Exclude<ModelFault, "resting">;
      });

const stopReasons: readonly string[] = ["end", "length", "refusal", "filter"] satisfies ProviderReply["stopReason"][];
const faults: readonly string[] = [
  ...["rate_limited", "overloaded", "unreachable", "timed_out", "cut_off", "unusable"],
  ...["refused_key", "refused_request", "cancelled", "crashed"],
];

/** Checks the form of what a provider returned; providers are not trusted to keep their own type. */
export function receive(returned: ProviderReply | ProviderFault): Received {
  if (typeof returned !== "object" || returned === null) return noReply("without a text");
  if ("fault" in returned) return receiveFault(returned);
  if (typeof returned.text !== "string") return noReply("without a text");
  if (!stopReasons.includes(returned.stopReason)) return noReply("without a known reason for its end");
  const { text, stopReason } = returned;
  const usage = returned.usage === null ? null : usageOf(returned.usage);
  if (usage === "impossible") return noReply("with a usage that cannot be (token counts are whole numbers from 0)", text.length);
  return { kind: "replied", reply: { text, usage, stopReason } };
}

/** A fault without words or counts of the provider's; `receivedCharacters` is `null` where nobody knows what came. */
export function faulted(
  fault: Exclude<ModelFault, "resting">,
  problem: string,
  receivedCharacters: number | null,
): Received & { kind: "failed" } {
  return { kind: "failed", fault, problem, retryAfterMs: null, usage: null, receivedCharacters };
}

function noReply(what: string, characters = 0): Received {
  return faulted("unusable", `the provider gave a reply ${what}`, characters);
}

function receiveFault({ fault, problem, retryAfterMs, usage, receivedCharacters }: ProviderFault): Received {
  if (!faults.includes(fault) || typeof problem !== "string")
    return faulted("crashed", "the provider gave no reply, and no known reason", null);
  const counted = usage === null ? null : usageOf(usage);
  return {
    kind: "failed",
    fault,
    problem: problemOf([problem]),
    retryAfterMs: isCount(retryAfterMs) ? retryAfterMs : null,
    usage: counted === "impossible" ? null : counted,
    receivedCharacters: isCount(receivedCharacters) ? receivedCharacters : null,
  };
}

function usageOf(usage: unknown): Usage | "impossible" {
  if (typeof usage !== "object" || usage === null) return "impossible";
  // Each field is checked before it is used.
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage as Usage;
  const kinds = { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  return Object.values(kinds).every((count) => isCount(count) && Number.isInteger(count) && count <= limits.tokensOfKind)
    ? kinds
    : "impossible";
}

function isCount(value: ModelFault | number | null): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
