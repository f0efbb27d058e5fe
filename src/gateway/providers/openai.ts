// Providers of models, through the AI SDK's provider packages: one HTTP request a call, and the raw text of its reply. They parse no
// reply, mend none, send none again and keep no words of a provider: that is the gateway's, or nobody's.
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelChoice } from "../../contract/capability.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ProviderRequest, ProviderSource } from "../../contract/model.ts";
import { openAiCatalogue } from "./catalogue.ts";
import type { Dialect } from "./complete.ts";
import { openAiQuirks } from "./openai-quirks.ts";
import { openAiPins } from "./pinned.ts";
import { quirkRefusal, quirksOf } from "./quirks.ts";
import { at, bentOnTheWay, callOptions, type Sent } from "./request.ts";
import { openAiSubset } from "./schema-subset.ts";
import { type ProviderOptions, providerSource } from "./source.ts";
import { watchChat, watchResponses } from "./watch.ts";
import { type WireSchema, wireSchema } from "./wire-schema.ts";

/** How OpenAI is reached. */
export interface OpenAiOptions extends ProviderOptions {
  /** The name of the variable that holds the key. */
  readonly secret: string;
  /** Responses, or the older chat completions. */
  readonly api: "responses" | "chat";
  /** A JSON schema that the server enforces, or one forced tool call. */
  readonly constrain: "schema" | "tool";
  /** `https://api.openai.com/v1` unless given. */
  readonly baseUrl?: string;
}

/**
 * OpenAI's models, for a project's `decide.ts`. Throws `definition_invalid` for a name or an address that cannot be.
 * @example
 * openAi({ name: "openai", secret: "OPENAI_API_KEY", api: "responses", constrain: "schema" });
 */
export function openAi(options: OpenAiOptions): ProviderSource {
  const { secret, api, constrain, pinned = [], baseUrl = "https://api.openai.com/v1" } = options;
  const families = openAiQuirks(api);
  const refusalOf = (model: ModelChoice) =>
    quirkRefusal({ model, constrain, highestTemperature: 2 }, quirksOf(model.id, families));
  return providerSource({
    options,
    secret,
    baseUrl,
    pins: { rules: openAiPins, vouched: pinned },
    refusalOf,
    catalogue: openAiCatalogue(baseUrl),
    dialectOf: (key) => dialectOf({ ...options, baseUrl }, key ?? ""),
  });
}

function dialectOf(options: OpenAiOptions & { baseUrl: string }, apiKey: string): Dialect {
  const { api, baseUrl: baseURL, stream = false } = options;
  // Loaded when a provider is opened, so that a project without one does not pay for it.
  const loading = import("@ai-sdk/openai");
  loading.catch(() => {});
  const cuts = new WeakMap<JsonObject, WireSchema>();
  return {
    languageModel: async (id, fetch) => {
      const { createOpenAI } = await loading;
      const sdk = createOpenAI({ apiKey, baseURL, fetch });
      return api === "responses" ? sdk.responses(id) : sdk.chat(id);
    },
    optionsOf: (request) => optionsOf(request, options, cuts),
    refuse: (body, request) =>
      bentOnTheWay(api === "responses" ? sentToResponses(body) : sentToChat(body), request, effortOf(request.model, api)),
    watch: api === "responses" ? watchResponses : watchChat,
    usageFields: api === "responses" ? ["input_tokens", "output_tokens"] : ["prompt_tokens", "completion_tokens"],
    isStreaming: stream,
  };
}

function optionsOf(
  request: ProviderRequest,
  { api, constrain }: OpenAiOptions,
  cuts: WeakMap<JsonObject, WireSchema>,
): LanguageModelV4CallOptions | string {
  const wire = cuts.get(request.jsonSchema) ?? wireSchema(request.jsonSchema, openAiSubset);
  cuts.set(request.jsonSchema, wire);
  if (wire.schema["type"] !== "object") return "the provider takes a decision schema whose root is one object";
  const strict = wire.kind === "enforced";
  const effort = effortOf(request.model, api);
  const providerOptions = {
    openai: {
      ...(effort === undefined ? {} : { reasoningEffort: effort }),
      forceReasoning: effort !== undefined,
      strictJsonSchema: strict,
      // Not kept there, and no summary of the reasoning is written, which would be paid for.
      store: false,
      ...(api === "responses" ? { reasoningSummary: null } : {}),
      ...(constrain === "tool" ? { parallelToolCalls: false } : {}),
    },
  };
  const form = { kind: constrain, schema: wire.schema, ...(constrain === "tool" ? { strict } : {}) };
  return callOptions({ request, form, providerOptions });
}

/** The effort as it is sent; a family without such a setting is sent none. */
function effortOf({ id, effort }: ModelChoice, api: OpenAiOptions["api"]): string | undefined {
  const sends = quirksOf(id, openAiQuirks(api))?.sendsEffort ?? effort !== "none";
  return sends ? effort : undefined;
}

function sentToResponses(body: JsonObject): Sent {
  return {
    model: body["model"],
    temperature: body["temperature"],
    maxOutputTokens: body["max_output_tokens"],
    effort: at(body, "reasoning", "effort"),
    isHeld: at(body, "text", "format", "type") === "json_schema" || at(body, "tool_choice", "type") === "function",
  };
}

/** What a chat completion is sent with; servers that speak it read the same fields. */
export function sentToChat(body: JsonObject): Sent {
  return {
    model: body["model"],
    temperature: body["temperature"],
    maxOutputTokens: body["max_completion_tokens"] ?? body["max_tokens"],
    effort: body["reasoning_effort"],
    isHeld: at(body, "response_format", "type") === "json_schema" || at(body, "tool_choice", "type") === "function",
  };
}
