import type { Usage } from "../../contract/model.ts";
import { openAiError } from "./openai-error.ts";
import { responseEvents } from "./openai-responses-events.ts";
import { createdAt, type ForcedTool, type Protocol, type Turn } from "./protocol.ts";
import { quoted, type Wire, type WireObject } from "./wire.ts";

/** OpenAI's Responses. */
export const openAiResponses: Protocol = {
  name: "responses",
  path: "/v1/responses",
  toolOf,
  whole: finishedResponse,
  events: (turn) => responseEvents({ turn, item: item(turn), thought: thought(turn), response: finishedResponse(turn) }),
  error: openAiError,
  errorEvent: (message) => ({
    name: "error",
    data: { type: "error", sequence_number: 0, code: "server_error", message, param: null },
    isFinal: false,
  }),
};

function toolOf({ tool_choice: choice, tools }: WireObject): ForcedTool | null {
  // Whatever a client sends may come here; what has no such member has no name.
  if (choice === "required") return { name: String(Object(Array.isArray(tools) ? tools[0] : null).name), isNamed: false };
  const { type, name } = Object(choice);
  return type === "function" ? { name: String(name), isNamed: true } : null;
}

function finishedResponse(turn: Turn): WireObject {
  const { id, model, usage } = turn;
  const reason = incompleteReason(turn);
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: createdAt,
    status: reason === null ? "completed" : "incomplete",
    error: null,
    incomplete_details: reason === null ? null : { reason },
    instructions: null,
    max_output_tokens: null,
    model,
    output: [thought(turn), item(turn)].filter((one) => one !== null),
    parallel_tool_calls: true,
    previous_response_id: null,
    service_tier: "default",
    store: false,
    usage: usage === null ? null : usageOf(usage),
    metadata: {},
  };
}

function incompleteReason({ said }: Turn): string | null {
  if (said.kind !== "reply") return null;
  return { end: null, length: "max_output_tokens", filter: "content_filter", unknown: "maintenance_window" }[said.stop ?? "end"];
}

/** Reasoning stands before what is said, as an item of its own whose words are not told. */
function thought({ id, usage }: Turn): WireObject | null {
  return usage !== null && usage.reasoningTokens > 0 ? { id: `rs_${id}`, type: "reasoning", summary: [] } : null;
}

function item(turn: Turn): WireObject | null {
  const { said, tool, id, text } = turn;
  if (said.kind === "nothing" && said.what === "no_choice") return null;
  const status = incompleteReason(turn) === null ? "completed" : "incomplete";
  const inside = quoted(Buffer.concat(text.pieces));
  if (said.kind === "reply" && tool !== null)
    return { id: `fc_${id}`, type: "function_call", status, arguments: inside, call_id: `call_${id}`, name: tool.name };
  return { id: `msg_${id}`, type: "message", status, role: "assistant", content: contentOf(said.kind, inside) };
}

function contentOf(kind: "reply" | "refusal" | "nothing", inside: Buffer): readonly Wire[] {
  if (kind === "nothing") return [];
  if (kind === "refusal") return [{ type: "refusal", refusal: inside }];
  return [{ type: "output_text", annotations: [], logprobs: [], text: inside }];
}

/** Here input counts what was cached, and output counts reasoning. */
function usageOf({ inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens }: Usage): WireObject {
  const input = inputTokens + cachedTokens + cacheWriteTokens;
  const output = outputTokens + reasoningTokens;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cachedTokens,
      cache_write_tokens: cacheWriteTokens === 0 ? undefined : cacheWriteTokens,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: input + output,
  };
}
