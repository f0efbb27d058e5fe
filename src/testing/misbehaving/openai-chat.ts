import type { Usage } from "../../contract/model.ts";
import { openAiError } from "./openai-error.ts";
import { createdAt, type Protocol, type Turn } from "./protocol.ts";
import { quoted, type StreamEvent, type Wire, type WireObject } from "./wire.ts";

/** OpenAI's chat completions, which Ollama, vLLM and llama.cpp speak as well. */
export const openAiChat: Protocol = {
  name: "chat",
  path: "/v1/chat/completions",
  toolOf: ({ tool_choice: choice, tools }) => {
    if (choice === "required") return { name: nameOf(listed(tools)[0]), isNamed: false };
    const name = nameOf(choice);
    return name === "" ? null : { name, isNamed: true };
  },
  whole: (turn) => ({
    ...envelope(turn, "chat.completion"),
    choices: hasChoice(turn) ? [{ index: 0, message: message(turn), logprobs: null, finish_reason: finishReason(turn) }] : [],
    usage: turn.usage === null ? undefined : usageOf(turn.usage),
  }),
  events,
  error: openAiError,
  errorEvent: (message) => ({
    name: null,
    data: { error: { message, type: "server_error", param: null, code: null } },
    isFinal: false,
  }),
};

function listed(tools: Wire | undefined): readonly Wire[] {
  return Array.isArray(tools) ? tools : [];
}

// Whatever a client sends may come here; what has no such member has no name.
function nameOf(tool: Wire | undefined): string {
  const { function: named } = Object(tool);
  return String(Object(named).name ?? "");
}

function envelope({ id, model }: Turn, object: string): WireObject {
  return {
    id: `chatcmpl-${id}`,
    object,
    created: createdAt,
    model,
    service_tier: "default",
    system_fingerprint: "fp_0000000000",
  };
}

function hasChoice({ said }: Turn): boolean {
  return said.kind !== "nothing" || said.what !== "no_choice";
}

function message({ said, tool, id, text }: Turn): Wire {
  const inside = quoted(Buffer.concat(text.pieces));
  const common = { role: "assistant", refusal: null, annotations: [] };
  if (said.kind === "refusal") return { ...common, content: null, refusal: inside };
  if (said.kind === "nothing") return { ...common, content: null };
  if (tool === null) return { ...common, content: inside };
  const call = { id: `call_${id}`, type: "function", function: { name: tool.name, arguments: inside } };
  return { ...common, content: null, tool_calls: [call] };
}

/** A call of a tool that the request named ends with `stop`; only a free choice among tools ends with `tool_calls`. */
function finishReason({ said, tool }: Turn): string {
  if (said.kind !== "reply") return "stop";
  const ends = tool === null || tool.isNamed ? "stop" : "tool_calls";
  return { end: ends, length: "length", filter: "content_filter", unknown: "maintenance_window" }[said.stop ?? "end"];
}

/** Here input counts what was cached, and output counts reasoning. */
function usageOf({ inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens }: Usage): WireObject {
  const input = inputTokens + cachedTokens + cacheWriteTokens;
  const output = outputTokens + reasoningTokens;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cachedTokens,
      cache_write_tokens: cacheWriteTokens === 0 ? undefined : cacheWriteTokens,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function events(turn: Turn): readonly StreamEvent[] {
  const { usage, wantsUsage } = turn;
  const chunk = (choices: Wire, told: Wire | undefined): WireObject => ({
    ...envelope(turn, "chat.completion.chunk"),
    choices,
    usage: told,
  });
  // A stream with usage says `null` in all chunks but the last.
  const none = wantsUsage && usage !== null ? null : undefined;
  const step = (delta: Wire, finish_reason: string | null): WireObject =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }], none);
  const steps = hasChoice(turn) ? deltas(turn).map((delta) => step(delta, null)) : [];
  const end = hasChoice(turn) ? [step({}, finishReason(turn))] : [];
  const counted = wantsUsage && usage !== null ? [chunk([], usageOf(usage))] : [];
  return [
    ...steps.map((data) => ({ name: null, data, isFinal: false })),
    ...[...end, ...counted, Buffer.from("[DONE]")].map((data) => ({ name: null, data, isFinal: true })),
  ];
}

function deltas({ said, tool, text, id }: Turn): readonly Wire[] {
  const pieces = text.pieces.map(quoted);
  const first = { role: "assistant", content: "", refusal: null };
  if (said.kind === "nothing") return [first];
  if (said.kind === "refusal") return [{ ...first, content: null }, ...pieces.map((refusal) => ({ refusal }))];
  if (tool === null) return [first, ...pieces.map((content) => ({ content }))];
  const opening = { index: 0, id: `call_${id}`, type: "function", function: { name: tool.name, arguments: "" } };
  return [
    { ...first, content: null, tool_calls: [opening] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}
