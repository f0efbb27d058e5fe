import type { ModelRequest } from "../contract/model.ts";
import type { SpanAttributes, Spans } from "../contract/ports.ts";
import type { Received } from "./receive.ts";

/**
 * One request to a model as a span, by OpenTelemetry's conventions for generative AI: the keys of today beside those before them, which
 * many back ends still read. Nothing of what was asked or replied is in it.
 */
export function inSendSpan<T>({
  spans,
  request: { model, node, purpose, step, attempt },
  send,
  work,
}: {
  spans: Spans;
  request: ModelRequest<T>;
  send: number;
  work: () => Promise<Received>;
}): Promise<Received> {
  const attributes: SpanAttributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": model.provider,
    "gen_ai.system": model.provider,
    "gen_ai.request.model": model.id,
    ...(model.temperature === null ? {} : { "gen_ai.request.temperature": model.temperature }),
    ...(model.maxOutputTokens === undefined ? {} : { "gen_ai.request.max_tokens": model.maxOutputTokens }),
    "countersign.node": node,
    "countersign.purpose": purpose,
    "countersign.step": step,
    "countersign.attempt": attempt,
    "countersign.send": send,
  };
  return spans.within({ name: `chat ${model.id}`, attributes }, async (note) => {
    const received = await work();
    note(outcomeOf(received));
    return received;
  });
}

function outcomeOf(received: Received): SpanAttributes {
  const { usage, ...rest } = received.kind === "replied" ? received.reply : received;
  const ended: SpanAttributes =
    "stopReason" in rest ? { "gen_ai.response.finish_reason": rest.stopReason } : { "error.type": rest.fault };
  if (usage === null) return ended;
  const input = usage.inputTokens + usage.cachedTokens + usage.cacheWriteTokens;
  const output = usage.outputTokens + usage.reasoningTokens;
  return {
    ...ended,
    "gen_ai.usage.input_tokens": input,
    "gen_ai.usage.prompt_tokens": input,
    "gen_ai.usage.output_tokens": output,
    "gen_ai.usage.completion_tokens": output,
    "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
    "countersign.usage.reasoning_tokens": usage.reasoningTokens,
  };
}
