import type { Usage } from "../../contract/model.ts";
import type { Protocol, Turn } from "./protocol.ts";
import { quoted, type StreamEvent, type Wire, type WireObject } from "./wire.ts";

/** Anthropic's Messages. */
export const anthropicMessages: Protocol = {
  name: "messages",
  path: "/v1/messages",
  toolOf: ({ tool_choice: choice, tools }) => {
    // Whatever a client sends may come here; what has no such member has no name.
    const { type, name } = Object(choice);
    if (type === "tool") return { name: String(name), isNamed: true };
    return type === "any" ? { name: String(Object(Array.isArray(tools) ? tools[0] : null).name), isNamed: false } : null;
  },
  whole: (turn) => ({
    ...envelope(turn),
    content: blocks(turn).map(({ whole }) => whole),
    stop_reason: stopReason(turn),
    stop_sequence: null,
    usage: turn.usage === null ? undefined : usageOf(turn.usage),
  }),
  events,
  error: ({ status, message, id }) => ({
    type: "error",
    error: { type: errorTypes.get(status) ?? "api_error", message },
    request_id: `req_${id}`,
  }),
  errorEvent: (message) => ({
    name: "error",
    data: { type: "error", error: { type: "overloaded_error", message } },
    isFinal: false,
  }),
};

const errorTypes: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [404, "not_found_error"],
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
]);

/** A block of content: whole, as it begins in a stream, and what is added to it there. */
interface Block {
  readonly whole: Wire;
  readonly empty: Wire;
  readonly deltas: readonly Wire[];
}

function envelope({ id, model }: Turn): WireObject {
  return { id: `msg_${id}`, type: "message", role: "assistant", model };
}

function blocks(turn: Turn): readonly Block[] {
  const said = saidBlock(turn);
  return turn.usage !== null && turn.usage.reasoningTokens > 0 ? [thinking, ...said] : said;
}

const thinking: Block = {
  whole: { type: "thinking", thinking: "It is thought about.", signature: "c2lnbmVk" },
  empty: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    { type: "thinking_delta", thinking: "It is thought about." },
    { type: "signature_delta", signature: "c2lnbmVk" },
  ],
};

function saidBlock({ said, tool, id, text }: Turn): readonly Block[] {
  if (said.kind === "nothing" && said.what === "no_choice") return [];
  if (said.kind === "refusal" && said.text === "") return [];
  if (said.kind === "reply" && tool !== null) {
    const common = { type: "tool_use", id: `toolu_${id}`, name: tool.name };
    const deltas = text.pieces.map((piece) => ({ type: "input_json_delta", partial_json: quoted(piece) }));
    const opening = { type: "input_json_delta", partial_json: "" };
    return [
      { whole: { ...common, input: input(turnText(text)) }, empty: { ...common, input: {} }, deltas: [opening, ...deltas] },
    ];
  }
  const deltas = text.pieces.map((piece) => ({ type: "text_delta", text: quoted(piece) }));
  return [{ whole: { type: "text", text: quoted(Buffer.concat(text.pieces)) }, empty: { type: "text", text: "" }, deltas }];
}

const turnText = ({ bytes, pieces }: Turn["text"]) => ({ bytes, inside: Buffer.concat(pieces) });

/** A tool's input is no text here but JSON inside JSON: what begins as an object stands in the body as it is, broken or not. */
function input({ bytes, inside }: { bytes: Buffer; inside: Buffer }): Buffer {
  return bytes.toString("utf8", 0, 1) === "{" ? bytes : quoted(inside);
}

function stopReason({ said, tool }: Turn): string {
  if (said.kind === "refusal") return "refusal";
  if (said.kind === "nothing") return "end_turn";
  const ends = tool === null ? "end_turn" : "tool_use";
  return { end: ends, length: "max_tokens", filter: "refusal", unknown: "maintenance_window" }[said.stop ?? "end"];
}

/** Here what the cache gave and took stands beside input; thinking is counted in output. */
function usageOf({ inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens }: Usage): WireObject {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens + reasoningTokens,
    output_tokens_details: reasoningTokens === 0 ? undefined : { thinking_tokens: reasoningTokens },
    service_tier: "standard",
  };
}

function events(turn: Turn): readonly StreamEvent[] {
  const usage = turn.usage === null ? undefined : usageOf(turn.usage);
  const begun = usage && { ...usage, output_tokens: 1, output_tokens_details: undefined };
  const message = { ...envelope(turn), content: [], stop_reason: null, stop_sequence: null, usage: begun };
  const delta = { stop_reason: stopReason(turn), stop_sequence: null };
  return [
    event({ type: "message_start", message }),
    event({ type: "ping" }),
    ...blocks(turn).flatMap(blockEvents),
    { ...event({ type: "message_delta", delta, usage: usage && { ...usage, service_tier: undefined } }), isFinal: true },
    { ...event({ type: "message_stop" }), isFinal: true },
  ];
}

function blockEvents({ empty, deltas }: Block, index: number): readonly StreamEvent[] {
  return [
    event({ type: "content_block_start", index, content_block: empty }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

function event(data: WireObject & { readonly type: string }): StreamEvent {
  return { name: data.type, data, isFinal: false };
}
