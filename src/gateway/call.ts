// The one door to models: encode, provider, parse, full schema, record. One attempt a call; retries belong to the graph.
// It must never mend a reply, send what did not pass the privacy boundary, or let a call go without a record.
import { CountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { deepFreeze } from "../contract/json.ts";
import type { CallRecord, Model, ModelReply, ModelRequest, Provider, ProviderReply, ProviderRequest } from "../contract/model.ts";
import type { Clock } from "../contract/ports.ts";
import { jsonSchemaOf, type Schema } from "../contract/schema.ts";
import { encodeOff, type Outgoing } from "../guard/privacy/encode.ts";
import { underDeadline } from "./deadline.ts";
import { fitReply, problemOf } from "./fit.ts";
import { parseStrictJson } from "./parse.ts";
import { noUsage, receive } from "./receive.ts";

/** What the door is built from. `timeoutMs` bounds one call; 30 seconds by default. */
export interface GatewayParts {
  readonly providers: readonly Provider[];
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/**
 * Makes the one door to models. Throws `definition_invalid` for two providers of one name and for one that is neither scripted nor
 * says `boundary: "off"`; a call throws it for a provider that is not registered and for a schema that no model can be shown.
 */
export function createGateway({ providers, clock, timeoutMs = 30_000 }: GatewayParts): Model {
  const byName = registered(providers);
  const jsonSchemas = new WeakMap<Schema, JsonObject>();
  return {
    call: async <T>(request: ModelRequest<T>): Promise<ModelReply<T>> => {
      const provider = providerOf(byName, request.model.provider);
      const outgoing = encodeOff(payloadOf(request, shownSchema(jsonSchemas, request.schema)));
      const startedAt = clock.monotonic();
      const sent = await send({ provider, outgoing, request, timeoutMs });
      const outcome = sent.kind === "failed" ? sent : await read(sent.reply, request.schema);
      const usage = sent.kind === "failed" ? noUsage : sent.reply.usage;
      const ms = Math.max(0, Math.round(clock.monotonic() - startedAt));
      const call = recordOf({
        request,
        isScripted: provider.isScripted,
        outcome,
        usage,
        ms,
        boundary: outgoing.boundary,
        reply: sent.kind === "failed" ? "" : sent.kept,
      });
      return { ...outcome, call };
    },
  };
}

function registered(providers: readonly Provider[]): ReadonlyMap<string, Provider> {
  const byName = new Map<string, Provider>();
  for (const provider of providers) {
    const named = `provider \`${provider.name}\``;
    if (byName.has(provider.name)) throw invalid(`${named} is registered twice`);
    if (!provider.isScripted && provider.boundary !== "off")
      throw invalid(
        `${named} would be sent text as it is, since the privacy boundary is off; register it with \`boundary: "off"\` if that is meant`,
      );
    byName.set(provider.name, provider);
  }
  return byName;
}

function providerOf(byName: ReadonlyMap<string, Provider>, name: string): Provider {
  const provider = byName.get(name);
  if (provider !== undefined) return provider;
  throw invalid(
    `no provider is registered as \`${name}\`; known are ${[...byName.keys()].map((known) => `\`${known}\``).join(", ") || "none"}`,
  );
}

function shownSchema(known: WeakMap<Schema, JsonObject>, schema: Schema): JsonObject {
  const shown = known.get(schema) ?? converted(schema);
  known.set(schema, shown);
  return shown;
}

function converted(schema: Schema): JsonObject {
  try {
    return deepFreeze(jsonSchemaOf(schema));
  } catch (thrown) {
    throw new CountersignError(
      "definition_invalid",
      "the decision schema has no JSON Schema that a model can be shown; use no transforms in it",
      {
        cause: thrown,
      },
    );
  }
}

/** A fresh value, so that freezing it touches nothing of the capability's. */
function payloadOf<T>({ model, purpose, attempt, prompt }: ModelRequest<T>, jsonSchema: JsonObject): ProviderRequest {
  const messages = prompt.messages.map(({ role, text }) => ({ role, text }));
  return { model: { ...model }, purpose, attempt, system: prompt.system, messages, jsonSchema };
}

type Sent =
  | { readonly kind: "replied"; readonly reply: ProviderReply; readonly kept: string }
  | { readonly kind: "failed"; readonly problem: string };

async function send<T>({
  provider,
  outgoing,
  request,
  timeoutMs,
}: {
  provider: Provider;
  outgoing: Outgoing<ProviderRequest>;
  request: ModelRequest<T>;
  timeoutMs: number;
}): Promise<Sent> {
  try {
    const work = (cancel: ModelRequest<T>["cancel"]) => provider.complete(outgoing.payload, cancel);
    const ended = await underDeadline({ cancel: request.cancel, timeoutMs, work });
    if (ended.kind === "cancelled") return { kind: "failed", problem: "the call was cancelled" };
    if (ended.kind === "timed_out") return { kind: "failed", problem: `the provider gave no reply within ${timeoutMs} ms` };
    return receive(ended.value);
  } catch (thrown) {
    return { kind: "failed", problem: failureOf(thrown) };
  }
}

/** A provider's own message may quote a key or a prompt, so only our errors' words and a plain error code are kept. */
function failureOf(thrown: unknown): string {
  if (thrown instanceof CountersignError) return problemOf([`the provider gave no reply: ${thrown.message}`]);
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "";
  return /^[A-Z][A-Z0-9_]{1,39}$/.test(code)
    ? `the provider gave no reply: \`${code}\``
    : "the provider gave no reply: it threw an error";
}

type Outcome<T> =
  | { readonly kind: "fits"; readonly value: T }
  | { readonly kind: "misfits"; readonly problem: string }
  | { readonly kind: "failed"; readonly problem: string };

const stops = {
  length: "the reply was cut at the token limit",
  refusal: "the model refused to reply",
  filter: "the provider's filter withheld the reply",
} as const;

async function read<T>({ text, stopReason }: ProviderReply, schema: Schema<T>): Promise<Outcome<T>> {
  if (stopReason !== "end") return { kind: "misfits", problem: stops[stopReason] };
  const json = parseStrictJson(text);
  if (json.kind === "refused") return { kind: "misfits", problem: json.problem };
  const fit = await fitReply(schema, json.value);
  return fit.kind === "fits" ? fit : { kind: "misfits", problem: problemOf(fit.issues) };
}

function recordOf<T>({
  request: { node, purpose, attempt, model },
  outcome,
  ...measured
}: Pick<CallRecord, "isScripted" | "usage" | "ms" | "boundary" | "reply"> & {
  request: ModelRequest<T>;
  outcome: Outcome<T>;
}): CallRecord {
  const problem = outcome.kind === "fits" ? null : outcome.problem;
  // Prices come with budgets; until then a call costs nothing that is known here.
  return {
    node,
    purpose,
    attempt,
    model: `${model.provider}/${model.id}`,
    outcome: outcome.kind,
    costMicros: 0,
    problem,
    ...measured,
  };
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
