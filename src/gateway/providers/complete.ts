import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import type { ProviderFault, ProviderReply, ProviderRequest } from "../../contract/model.ts";
import type { Cancel } from "../../contract/principal.ts";
import { type Assembled, assembleContent, assembleStream, brokenOff, type Progress } from "./assemble.ts";
import { faultOf, faultOfEvent } from "./faults.ts";
import { type Fetch, guardedFetch, newTrip, type Trip } from "./guarded-fetch.ts";
import { replyName } from "./request.ts";
import { usageOf } from "./usage.ts";
import type { Watch } from "./watch.ts";

/** How one provider is asked through its SDK. */
export interface Dialect {
  /** The SDK's model for one request, over the `fetch` it is given. */
  readonly languageModel: (id: string, fetch: Fetch) => Promise<LanguageModelV4>;
  /** The request in the SDK's words, or a sentence where it cannot be said to this provider. */
  readonly optionsOf: (request: ProviderRequest) => LanguageModelV4CallOptions | string;
  /** Compares what the SDK made of a request with what was asked: it drops and bends in silence. */
  readonly refuse: (body: JsonObject, request: ProviderRequest) => string | null;
  /** Looks at the text of a whole body from which a tool's input is taken. */
  readonly refuseToolBody?: (text: string) => string | null;
  /** Makes what looks at one reply as it came. */
  readonly watch: () => Watch;
  /** The two fields of the provider's own usage without which it has not said what was used. */
  readonly usageFields: readonly [string, string];
  readonly isStreaming: boolean;
}

/**
 * Completes one request by one HTTP request: no retries, no environment variables, no log. Cancelling ends the HTTP request. Never
 * throws; whatever goes wrong is a fault in our words.
 */
export async function complete(
  dialect: Dialect,
  request: ProviderRequest,
  cancel: Cancel,
): Promise<ProviderReply | ProviderFault> {
  const abort = new AbortController();
  const call: Call = { dialect, request, trip: newTrip(), progress: { receivedCharacters: 0 } };
  cancel.onCancel(() => abort.abort());
  const ended = cancel.isCancelled() ? cancelled(call) : await attempt(call, abort.signal);
  if (!("fault" in ended)) return ended;
  // What is left of a reply that went wrong is not waited for.
  abort.abort();
  return cancel.isCancelled() ? cancelled(call) : ended;
}

interface Call {
  readonly dialect: Dialect;
  readonly request: ProviderRequest;
  readonly trip: Trip;
  readonly progress: Progress;
}

async function attempt(call: Call, abortSignal: AbortSignal): Promise<ProviderReply | ProviderFault> {
  const { dialect, request, trip, progress } = call;
  try {
    const options = dialect.optionsOf(request);
    if (typeof options === "string") return faultOf("refused_request", options);
    const isTool = options.tools !== undefined;
    const model = await dialect.languageModel(request.model.id, fetchFor(call, isTool));
    const said = await ask(
      model,
      { ...options, abortSignal },
      { progress, watch: dialect.watch(), isStreaming: dialect.isStreaming },
    );
    if (trip.fault !== null) return withProgress(trip.fault, call);
    return "fault" in said ? withProgress(said, call) : replyOf(said, isTool, call);
  } catch (thrown) {
    return withProgress(faultOfThrown(thrown, trip), call);
  }
}

function fetchFor({ dialect, request, trip }: Call, isTool: boolean): Fetch {
  const refuseBody = isTool && !dialect.isStreaming ? dialect.refuseToolBody : undefined;
  const refuse = (body: JsonObject) => dialect.refuse(body, request);
  return guardedFetch({ trip, refuse, ...(refuseBody === undefined ? {} : { refuseBody }) });
}

async function ask(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  { isStreaming, progress, watch }: { isStreaming: boolean; progress: Progress; watch: Watch },
): Promise<Assembled | ProviderFault> {
  if (isStreaming) {
    const { stream } = await model.doStream({ ...options, includeRawChunks: true });
    return assembleStream(stream, { progress, watch });
  }
  const { content, finishReason, usage, response } = await model.doGenerate(options);
  const problem = watch(response?.body);
  if (problem !== null) return faultOf("unusable", problem);
  return { ...assembleContent(content), finishReason, usage };
}

function cancelled({ progress }: Call): ProviderFault {
  return faultOf("cancelled", "the call was cancelled", progress);
}

/** How far the trip had got says what happened. Of what was thrown only a code of a closed list is looked at: it may quote anything. */
function faultOfThrown(thrown: unknown, trip: Trip): ProviderFault {
  if (trip.fault !== null) return trip.fault;
  if (!trip.isSent) return faultOf("refused_request", "the request cannot be put into the provider's form");
  const told = APICallError.isInstance(thrown) ? faultOfEvent(thrown.data ?? thrown.responseBody) : null;
  if (told !== null) return told;
  if (trip.isBroken) return faultOf("cut_off", brokenOff);
  return faultOf("unusable", "the provider's reply is not of its protocol's form");
}

/**
 * Of a reply that was to come whole, what came is told by its bytes: rather too much than too little. A stream that came to its end and
 * held nothing was none.
 */
function withProgress(fault: ProviderFault, { progress: { receivedCharacters }, trip }: Call): ProviderFault {
  if (receivedCharacters > 0) return { ...fault, receivedCharacters };
  const isNone = fault.fault === "cut_off" && !trip.isBroken;
  return { ...(isNone ? faultOf("unusable", "the provider's stream holds no reply") : fault), receivedCharacters: trip.bytes };
}

function replyOf(said: Assembled, isTool: boolean, call: Call): ProviderReply | ProviderFault {
  const usage = usageOf(said.usage, call.dialect.usageFields);
  const inputs = said.toolCalls.filter(({ name }) => name === replyName).map(({ input }) => input);
  // Two tool calls are two replies; put together they are no JSON, which is what a reader must find.
  const text = isTool && inputs.length > 0 ? inputs.join("\n") : said.texts.join("");
  const stopReason = stopReasonOf(said.finishReason);
  if (stopReason !== null) return { text, usage, stopReason };
  const { unified } = said.finishReason;
  // What was counted before a break is no count of the whole.
  if (unified === "interrupted" || unified === "error") return withProgress(faultOf("cut_off", brokenOff), call);
  return withProgress(faultOf("unusable", "the provider ended its reply for a reason that is not known", { usage }), call);
}

function stopReasonOf({ unified, raw }: Assembled["finishReason"]): ProviderReply["stopReason"] | null {
  switch (unified) {
    case "stop":
    case "tool-calls":
      return ends.includes(raw) ? "end" : null;
    case "length":
      return "length";
    case "content-filter":
      return raw === "content_filter" ? "filter" : "refusal";
    default:
      return null;
  }
}

/** The words with which the protocols say that a reply is whole; Responses says nothing then. The SDK counts others among them. */
const ends: readonly (string | undefined)[] = ["stop", "tool_calls", "function_call", "tool_use", "end_turn", undefined];
