import { at } from "./request.ts";

/**
 * Looks at every event of one reply in turn, or at its whole body, as the provider wrote it: the SDK passes over some of what
 * contradicts itself. A sentence says why the reply cannot be used.
 */
export type Watch = (told: unknown) => string | null;

/** Watches a chat completion: it ends for one reason. */
export function watchChat(): Watch {
  return endsOnce((told) => at(told, "choices", "0", "finish_reason"));
}

/**
 * Watches a message of Anthropic's: it ends for one reason, and its tool's input comes in pieces of text. Given as a value it would have
 * been read by a reader that takes a key twice.
 */
export function watchMessages(): Watch {
  const ends = endsOnce((told) => at(told, "delta", "stop_reason"));
  return (told) => {
    const isStart = at(told, "type") === "content_block_start" && at(told, "content_block", "type") === "tool_use";
    const input = isStart ? at(told, "content_block", "input") : null;
    const isGiven = Object.keys(input ?? {}).length > 0;
    return isGiven ? "the provider's stream begins with a tool's input as a value" : ends(told);
  };
}

/** Watches a response of OpenAI's: it says that it is complete, or why it is not. */
export function watchResponses(): Watch {
  const ends = endsOnce((told) => (isFinal(told) ? at(told, "type") : undefined));
  return (told) => {
    const isEvent = at(told, "type") !== undefined;
    if (isEvent && !isFinal(told)) return null;
    const response = isEvent ? at(told, "response") : told;
    const status = at(response, "status") ?? "completed";
    const isComplete = status === "completed" && at(told, "type") !== "response.incomplete";
    const saysWhy = typeof at(response, "incomplete_details", "reason") === "string";
    return isComplete || saysWhy ? ends(told) : "the provider's reply is not complete and does not say why";
  };
}

function isFinal(told: unknown): boolean {
  const type = at(told, "type");
  return type === "response.completed" || type === "response.incomplete";
}

function endsOnce(endOf: (told: unknown) => unknown): Watch {
  let said: string | null = null;
  return (told) => {
    const end = endOf(told);
    if (typeof end !== "string") return null;
    if (said !== null && said !== end) return "the provider's stream ends for two reasons";
    said = end;
    return null;
  };
}
