import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { ProviderRequest } from "../../contract/model.ts";

/** The name of the one tool, and of the schema. */
export const replyName = "reply";

/** How a reply is held to its form. */
export type Form =
  | { readonly kind: "schema"; readonly schema: JsonObject }
  | { readonly kind: "tool"; readonly schema: JsonObject; readonly strict?: boolean };

/**
 * A request in the SDK's words. The system text stands first and comes through byte for byte, so that what providers cache of a prompt
 * is hit by the next one; `systemOptions` mark it for a provider that wants its cache marked.
 */
export function callOptions({
  request,
  form,
  providerOptions,
  systemOptions,
}: {
  request: ProviderRequest;
  form: Form | null;
  providerOptions: SharedV4ProviderOptions;
  systemOptions?: SharedV4ProviderOptions;
}): LanguageModelV4CallOptions {
  const { temperature, maxOutputTokens = limits.outputTokens } = request.model;
  return {
    prompt: promptOf(request, systemOptions),
    maxOutputTokens,
    ...(temperature === null ? {} : { temperature }),
    ...formOf(form),
    providerOptions,
  };
}

function promptOf({ system, messages }: ProviderRequest, options: SharedV4ProviderOptions | undefined): LanguageModelV4Prompt {
  const marked = options === undefined ? {} : { providerOptions: options };
  return [
    ...(system === "" ? [] : [{ role: "system" as const, content: system, ...marked }]),
    ...messages.map(({ role, text }) => ({ role, content: [{ type: "text" as const, text }] })),
  ];
}

function formOf(form: Form | null): Pick<LanguageModelV4CallOptions, "responseFormat" | "tools" | "toolChoice"> {
  if (form === null) return {};
  // The SDK types schemas of draft 7; it passes on what it is given.
  const schema = form.schema as NonNullable<Extract<LanguageModelV4CallOptions["responseFormat"], { type: "json" }>["schema"]>;
  if (form.kind === "schema") return { responseFormat: { type: "json", schema, name: replyName } };
  const strict = form.strict === undefined ? {} : { strict: form.strict };
  return {
    tools: [{ type: "function", name: replyName, description: "Gives the reply.", inputSchema: schema, ...strict }],
    toolChoice: { type: "tool", toolName: replyName },
  };
}

/** What a body that is about to be sent says of the things that were asked for. */
export interface Sent {
  readonly model: unknown;
  readonly temperature: unknown;
  readonly maxOutputTokens: unknown;
  readonly effort: unknown;
  readonly isHeld: boolean;
}

/** Says what of a request would not arrive as it was asked, or `null`: nothing may be dropped or bent on the way. */
export function bentOnTheWay(sent: Sent, { model }: ProviderRequest, effort: string | undefined): string | null {
  const asked = {
    model: model.id,
    temperature: model.temperature ?? undefined,
    maxOutputTokens: model.maxOutputTokens ?? limits.outputTokens,
    effort,
    isHeld: true,
  };
  const bent = wishes.find(([key]) => sent[key] !== asked[key]);
  return bent === undefined ? null : `the request would not be sent with the ${bent[1]} that was asked for`;
}

const wishes = [
  ["model", "model"],
  ["temperature", "temperature"],
  ["maxOutputTokens", "longest output"],
  ["effort", "effort"],
  ["isHeld", "form"],
] as const satisfies readonly (readonly [keyof Sent, string])[];

/** A member of a member of a JSON value, where there is one. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
