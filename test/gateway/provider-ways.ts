import type { ModelChoice } from "../../src/contract/capability.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Encoded, ProviderRequest, ProviderSource } from "../../src/contract/model.ts";
import { anthropic } from "../../src/gateway/providers/anthropic.ts";
import { compatible } from "../../src/gateway/providers/compatible.ts";
import { openAi } from "../../src/gateway/providers/openai.ts";
import { encodeOff } from "../../src/guard/privacy/encode.ts";

/** One provider, one way to constrain it, streaming or not: opened for a server at a base URL that ends in `/v1`. */
export interface Way {
  readonly title: string;
  readonly protocol: "responses" | "chat" | "messages";
  readonly constrain: "schema" | "tool" | "grammar";
  readonly stream: boolean;
  readonly model: ModelChoice;
  readonly source: (baseUrl: string) => ProviderSource;
}

type Common = Pick<Way, "constrain" | "stream">;

/** A key that may stand nowhere but in the header of a request. */
export const canaryKey = "sk-canary-5dbe0f61c2";

const choice = (provider: string, id: string): ModelChoice => ({ provider, id, effort: "none", temperature: 0 });
const opened = { secret: "MODEL_KEY", boundary: "off" } as const;

function openAiWay(api: "responses" | "chat", { constrain, stream }: Common): Way {
  const model = choice("openai", "gpt-4.1-2025-04-14");
  const form = constrain === "tool" ? "tool" : "schema";
  const source = (baseUrl: string) => openAi({ name: "openai", ...opened, api, constrain: form, stream, baseUrl });
  return { title: title(`openai ${api}`, { constrain, stream }), protocol: api, constrain, stream, model, source };
}

function anthropicWay({ constrain, stream }: Common): Way {
  const model = choice("anthropic", "claude-sonnet-4-5-20250929");
  const form = constrain === "tool" ? "tool" : "schema";
  const source = (baseUrl: string) => anthropic({ name: "anthropic", ...opened, constrain: form, stream, baseUrl });
  return { title: title("anthropic", { constrain, stream }), protocol: "messages", constrain, stream, model, source };
}

function compatibleWay({ constrain, stream }: Common): Way {
  const model = choice("local", "qwen2.5-7b-instruct");
  const source = (baseUrl: string) => compatible({ name: "local", server: "vllm", ...opened, constrain, stream, baseUrl });
  return { title: title("compatible", { constrain, stream }), protocol: "chat", constrain, stream, model, source };
}

function title(name: string, { constrain, stream }: Common): string {
  return `${name} by ${constrain}, ${stream ? "streamed" : "whole"}`;
}

/** Every provider in every way. */
export const ways: readonly Way[] = [false, true].flatMap((stream) => [
  ...(["schema", "tool"] as const).flatMap((constrain) => [
    openAiWay("responses", { constrain, stream }),
    openAiWay("chat", { constrain, stream }),
    anthropicWay({ constrain, stream }),
  ]),
  ...(["schema", "tool", "grammar"] as const).map((constrain) => compatibleWay({ constrain, stream })),
]);

/** A decision schema as Zod writes it. */
export const daysSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    days: { type: "integer", minimum: 0, maximum: 30 },
    note: { type: "string", maxLength: 200 },
  },
  required: ["days", "note"],
  additionalProperties: false,
};

/** A reply that fits `daysSchema`. */
export const goodText = String.raw`{"days":3,"note":"three \uD83D\uDE00 days – žluťoučký"}`;

/** A request as the gateway hands it to a provider. */
export function requestFor(model: ModelChoice, given: Partial<ProviderRequest> = {}): Encoded<ProviderRequest> {
  return encodeOff<ProviderRequest>({
    model,
    purpose: "decide",
    attempt: 1,
    step: 0,
    system: "You answer how many days. Copy identifiers exactly.",
    messages: [{ role: "user", text: "How many days?" }],
    jsonSchema: daysSchema,
    ...given,
  }).payload;
}
