import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelChoice } from "../../contract/capability.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ProviderRequest, ProviderSource } from "../../contract/model.ts";
import { parseStrictJson } from "../parse.ts";
import { anthropicQuirks } from "./anthropic-quirks.ts";
import { anthropicCatalogue } from "./catalogue.ts";
import type { Dialect } from "./complete.ts";
import { anthropicPins } from "./pinned.ts";
import { type Quirks, quirkRefusal, quirksOf } from "./quirks.ts";
import { at, bentOnTheWay, callOptions, type Form, type Sent } from "./request.ts";
import { anthropicSubset } from "./schema-subset.ts";
import { type ProviderOptions, providerSource } from "./source.ts";
import { watchMessages } from "./watch.ts";
import { type WireSchema, wireSchema } from "./wire-schema.ts";

/** How Anthropic is reached. */
export interface AnthropicOptions extends ProviderOptions {
  /** The name of the variable that holds the key. */
  readonly secret: string;
  /** A JSON schema that the server enforces, or one forced tool call. */
  readonly constrain: "schema" | "tool";
  /** `https://api.anthropic.com/v1` unless given. */
  readonly baseUrl?: string;
}

/**
 * Anthropic's models, for a project's `decide.ts`. Throws `definition_invalid` for a name or an address that cannot be.
 * @example
 * anthropic({ name: "anthropic", secret: "ANTHROPIC_API_KEY", constrain: "schema" });
 */
export function anthropic(options: AnthropicOptions): ProviderSource {
  const { secret, constrain, pinned = [], baseUrl = "https://api.anthropic.com/v1" } = options;
  const refusalOf = (model: ModelChoice) =>
    quirkRefusal({ model, constrain, highestTemperature: 1 }, quirksOf(model.id, anthropicQuirks));
  return providerSource({
    options,
    secret,
    baseUrl,
    pins: { rules: anthropicPins, vouched: pinned },
    refusalOf,
    catalogue: anthropicCatalogue(baseUrl),
    dialectOf: (key) => dialectOf({ ...options, baseUrl }, key ?? ""),
  });
}

function dialectOf(options: AnthropicOptions & { baseUrl: string }, apiKey: string): Dialect {
  const { baseUrl: baseURL, stream = false } = options;
  const loading = import("@ai-sdk/anthropic");
  loading.catch(() => {});
  const cuts = new WeakMap<JsonObject, WireSchema>();
  return {
    languageModel: async (id, fetch) => (await loading).createAnthropic({ apiKey, baseURL, fetch }).languageModel(id),
    optionsOf: (request) => optionsOf(request, options, cuts),
    refuse: (body, request) => bentOnTheWay(sent(body), request, effortOf(request.model)),
    // The SDK takes a tool's input as a value and writes it again: what a strict reader refuses would be mended on the way.
    refuseToolBody: (text) => (parseStrictJson(text).kind === "parsed" ? null : "the provider's reply is no strict JSON"),
    watch: watchMessages,
    usageFields: ["input_tokens", "output_tokens"],
    isStreaming: stream,
  };
}

function optionsOf(
  request: ProviderRequest,
  { constrain }: AnthropicOptions,
  cuts: WeakMap<JsonObject, WireSchema>,
): LanguageModelV4CallOptions | string {
  const wire = cuts.get(request.jsonSchema) ?? wireSchema(request.jsonSchema, anthropicSubset);
  cuts.set(request.jsonSchema, wire);
  if (wire.schema["type"] !== "object") return "the provider takes a decision schema whose root is one object";
  const form = formOf({ wire, constrain, model: request.model, quirks: quirksOf(request.model.id, anthropicQuirks) });
  if (typeof form === "string") return form;
  const effort = effortOf(request.model);
  const thinking = effort === undefined ? {} : { thinking: { type: effort === "none" ? "disabled" : "adaptive" } };
  const providerOptions = {
    anthropic: {
      ...thinking,
      ...(effort === undefined || effort === "none" ? {} : { effort }),
      structuredOutputMode: "outputFormat",
      disableParallelToolUse: true,
      // Otherwise a tool's input is streamed before it is checked there.
      toolStreaming: false,
    },
  };
  return callOptions({ request, form, providerOptions, systemOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } });
}

/** What the enforced schema cannot say goes as the plain schema of a tool, which takes any, where the model can be made to call it. */
function formOf({
  wire,
  constrain,
  model,
  quirks,
}: {
  wire: WireSchema;
  constrain: AnthropicOptions["constrain"];
  model: ModelChoice;
  quirks: Quirks | null;
}): Form | string {
  if (constrain === "schema" && wire.kind === "enforced") return { kind: "schema", schema: wire.schema };
  const isEnforced = wire.kind === "enforced" && (quirks?.holdsSchema ?? true);
  const toTool = quirkRefusal({ model, constrain: "tool", highestTemperature: 1 }, quirks);
  if (toTool === null) return { kind: "tool", schema: wire.schema, ...(isEnforced ? { strict: true } : {}) };
  const because = wire.kind === "hint" ? wire.because : "it cannot be enforced";
  return `the decision schema cannot be said to this model: ${because}, and ${toTool}`;
}

function effortOf({ id, effort }: ModelChoice): string | undefined {
  const sends = quirksOf(id, anthropicQuirks)?.sendsEffort ?? true;
  return sends ? effort : undefined;
}

function sent(body: JsonObject): Sent {
  return {
    model: body["model"],
    temperature: body["temperature"],
    maxOutputTokens: body["max_tokens"],
    effort: at(body, "thinking", "type") === "disabled" ? "none" : at(body, "output_config", "effort"),
    isHeld: at(body, "output_config", "format", "type") === "json_schema" || at(body, "tool_choice", "type") === "tool",
  };
}
