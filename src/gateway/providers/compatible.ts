import type { JSONObject, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelChoice } from "../../contract/capability.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ProviderRequest, ProviderSource } from "../../contract/model.ts";
import { azureCatalogue } from "./catalogue.ts";
import type { Dialect } from "./complete.ts";
import { sentToChat } from "./openai.ts";
import { type Quirks, quirkRefusal } from "./quirks.ts";
import { at, bentOnTheWay, callOptions, type Sent } from "./request.ts";
import { type Server, servers } from "./servers.ts";
import { type ProviderOptions, providerSource } from "./source.ts";
import { chatUsage } from "./usage.ts";
import { watchChat } from "./watch.ts";

/** How a server that speaks chat completions is reached. */
export interface CompatibleOptions extends ProviderOptions {
  /** What kind of server it is: it decides how ids are read and which field carries a grammar. */
  readonly server: Server;
  /** Up to and with `/v1`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The name of the variable that holds the key; `null` for a server that wants none. */
  readonly secret: string | null;
  /** A JSON schema as `response_format`, one forced tool call, or the server's own field for a grammar. */
  readonly constrain: "schema" | "tool" | "grammar";
  /**
   * The list of the models behind deployments at Azure, with its query, such as
   * `https://NAME.openai.azure.com/openai/models?api-version=2024-10-21`; it is asked with the provider's key.
   */
  readonly azureModels?: string;
  /** Whether its models take a temperature (they do unless said otherwise) and an effort (they do not). */
  readonly takes?: { readonly temperature?: boolean; readonly effort?: boolean };
}

/**
 * A server that speaks OpenAI's chat completions, such as Ollama, vLLM or llama.cpp, for a project's `decide.ts`. It is sent the whole
 * schema. Throws `definition_invalid` for a name, an address or a way to constrain that cannot be.
 * @example
 * compatible({ name: "local", server: "ollama", baseUrl: "http://127.0.0.1:11434/v1", secret: null, constrain: "schema" });
 */
export function compatible(options: CompatibleOptions): ProviderSource {
  const { name, server, baseUrl, secret, constrain, pinned = [] } = options;
  if (constrain === "grammar" && servers[server].grammar === null) throw noGrammar(name);
  const quirks = quirksOf(options);
  const refusalOf = (model: ModelChoice) => quirkRefusal({ model, constrain, highestTemperature: 2 }, quirks);
  const catalogue = options.azureModels === undefined ? {} : { catalogue: azureCatalogue(options.azureModels) };
  return providerSource({
    options,
    secret,
    baseUrl,
    pins: { rules: servers[server].pins, vouched: pinned },
    refusalOf,
    ...catalogue,
    dialectOf: (key) => dialectOf(options, quirks, key),
  });
}

/** What the author says of the server's models, in the form in which the others are known. */
function quirksOf({ takes = {} }: CompatibleOptions): Quirks {
  const takesEffort = takes.effort ?? false;
  return {
    family: /./,
    efforts: takesEffort ? ["none", "low", "medium", "high"] : ["none"],
    sendsEffort: takesEffort,
    temperature: (takes.temperature ?? true) ? "always" : "never",
    holdsSchema: true,
    forcesTool: "always",
  };
}

function dialectOf(options: CompatibleOptions, quirks: Quirks, key: string | null): Dialect {
  const { baseUrl: baseURL, stream = false } = options;
  const loading = import("@ai-sdk/openai-compatible");
  loading.catch(() => {});
  const settings = { name: sdkName, baseURL, includeUsage: true, supportsStructuredOutputs: true, convertUsage };
  return {
    languageModel: async (id, fetch) =>
      (await loading).createOpenAICompatible({ ...settings, fetch, ...(key === null ? {} : { apiKey: key }) }).chatModel(id),
    optionsOf: (request) => optionsOf(request, options, quirks),
    refuse: (body, request) => bentOnTheWay(sent(body, options), request, quirks.sendsEffort ? request.model.effort : undefined),
    watch: watchChat,
    usageFields: ["prompt_tokens", "completion_tokens"],
    isStreaming: stream,
  };
}

/** The SDK hands over plain JSON, under a type that allows more. */
const convertUsage = (usage: unknown) => chatUsage(usage as JSONObject | null | undefined);

/** The name under which the SDK takes further fields of the body. */
const sdkName = "served";

function optionsOf(request: ProviderRequest, options: CompatibleOptions, quirks: Quirks): LanguageModelV4CallOptions {
  const { model, jsonSchema: schema } = request;
  const { constrain, server } = options;
  const grammar = constrain === "grammar" ? (servers[server].grammar?.(schema) ?? {}) : {};
  const effort = quirks.sendsEffort ? { reasoningEffort: model.effort } : {};
  const form = constrain === "grammar" ? null : { kind: constrain, schema };
  return callOptions({ request, form, providerOptions: { [sdkName]: { ...effort, ...grammar } } });
}

function sent(body: JsonObject, { constrain, server }: CompatibleOptions): Sent {
  if (constrain !== "grammar") return sentToChat(body);
  const fields = Object.keys(servers[server].grammar?.({}) ?? {});
  return { ...sentToChat(body), isHeld: fields.length > 0 && fields.every((field) => at(body, field) !== undefined) };
}

function noGrammar(name: string): CountersignError {
  return new CountersignError(
    "definition_invalid",
    `the provider \`${name}\` has no field for a grammar that is known here; write \`constrain: "schema"\` or \`"tool"\``,
  );
}
