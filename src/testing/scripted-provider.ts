import type { Provider, ProviderFault, ProviderReply, ProviderRequest, Usage } from "../contract/model.ts";

/** What a line replies: a text, or what it reads out of what it was sent, as a model would. It sees what was sent and nothing else. */
export type ScriptedReply = string | ((asked: ProviderRequest) => string);

/** One line of a script: the replies to requests that match, by attempt; the last one repeats. Of a loop, a line is for one step. */
export interface ScriptLine {
  readonly purpose: "decide" | "plan" | "step" | "judge";
  /** Matched against the text of the first user message: the request, before any retry's error. */
  readonly when: RegExp;
  /** Matched against the system text, to tell capabilities apart. */
  readonly system?: RegExp;
  /** Matched against what a loop's last tool returned, so that the next step depends on what was found; a line without it fits any step. */
  readonly found?: RegExp;
  /** The step of a loop that it is for; a line without it fits any step. */
  readonly step?: number;
  readonly replies: readonly ScriptedReply[];
}

/**
 * A provider whose replies come from a script, keyed on the request. It is no model and says so wherever its replies show.
 * It stands below parsing and validation, so wrong and malformed replies exercise the retries. No line: `refused_request`, which is not
 * asked again. A script sends nothing anywhere, so it is asked without the privacy boundary; with `boundary: "on"` it is sent what a model would be.
 */
export function scriptedProvider({
  name,
  lines,
  boundary,
}: {
  name: string;
  lines: readonly ScriptLine[];
  boundary?: "on";
}): Provider {
  return {
    name,
    isScripted: true,
    ...(boundary === undefined ? {} : { boundary }),
    complete: async (request): Promise<ProviderReply | ProviderFault> => {
      const { attempt, system, messages } = request;
      const line = lines.find((one) => isFor(one, request));
      const reply = line?.replies[Math.min(attempt, line.replies.length) - 1];
      if (reply === undefined) return noLine;
      const text = typeof reply === "string" ? reply : reply(request);
      return { text, usage: usageOf([system, ...messages.map((message) => message.text)], text), stopReason: "end" };
    },
  };
}

function isFor(line: ScriptLine, { purpose, step, system, messages }: ProviderRequest): boolean {
  const asked = messages.find((message) => message.role === "user")?.text ?? "";
  return (
    line.purpose === purpose &&
    holds(line.when, asked) &&
    (line.system === undefined || holds(line.system, system)) &&
    (line.step === undefined || line.step === step) &&
    (line.found === undefined || holds(line.found, lastFound(messages)))
  );
}

/** What stands behind the last step that the model took; empty before the first one. */
function lastFound(messages: ProviderRequest["messages"]): string {
  const said = messages.findLastIndex((message) => message.role === "assistant");
  return said === -1 ? "" : (messages[said + 1]?.text ?? "");
}

const noLine: ProviderFault = {
  fault: "refused_request",
  retryAfterMs: null,
  problem: "the script has no line for this request; it is a script, not a model",
  usage: null,
  receivedCharacters: 0,
};

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
