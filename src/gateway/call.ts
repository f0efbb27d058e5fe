import { modelName } from "../contract/model-name.ts";
// The one door to models: encode, provider, parse, decode, full schema, record. Asking again after a misfit belongs to the graph; sending
// again what got no reply belongs here. It must never mend a reply, send what did not pass the privacy boundary, or send without a record.

import type { CallHold, OverBudget } from "../contract/budget.ts";
import type { ModelChoice } from "../contract/capability.ts";
import { limits } from "../contract/limits.ts";
import type { CallRecord, Model, ModelFault, ModelReply, ModelRequest, Provider, ProviderRequest } from "../contract/model.ts";
import type { Clock, Deadline, Spans } from "../contract/ports.ts";
import type { Trial } from "../contract/trial.ts";
import type { Boundary } from "../guard/privacy/boundary.ts";
import type { Outgoing } from "../guard/privacy/encode.ts";
import { bytesOfRequest } from "./assume-usage.ts";
import { isWorthSending, pauseMs } from "./back-off.ts";
import { type Passed, type PrivacyParts, passBoundary } from "./boundary.ts";
import type { Pass } from "./breaker.ts";
import { recordOf, type Sent } from "./call-record.ts";
import { pause } from "./deadline.ts";
import { decodeReply } from "./decode-reply.ts";
import { type Line, lineFor, openLines } from "./lines.ts";
import { type ReadReply, readReply } from "./read-reply.ts";
import { faulted, type Received } from "./receive.ts";
import { requestDigest } from "./request-digest.ts";
import { sendOnce } from "./send.ts";
import { createSchemaShow, type ShownSchema } from "./shown-schema.ts";
import { inSendSpan } from "./span.ts";

/** What the door is built from. */
export interface GatewayParts {
  readonly providers: readonly Provider[];
  readonly clock: Clock;
  readonly deadline: Deadline;
  /** From 0 to below 1, for the jitter of pauses. */
  readonly random: () => number;
  /** The models that will be asked for, and what for: one that its provider would not take is refused at the start. */
  readonly models?: readonly { readonly of: string; readonly model: ModelChoice }[];
  /** `null` where nobody watches. */
  readonly spans?: Spans | null;
  /** Longest wait for the answer to one request, in milliseconds; `limits.modelSendMs` by default. */
  readonly sendMs?: number;
  /** Longest wait for a reply, requests that are sent again and pauses included, in milliseconds; `limits.modelCallMs` by default. */
  readonly callMs?: number;
  /** Told of each request as it left the boundary, before it is sent; in a trial alone. */
  readonly onSent?: Trial["onSent"] | undefined;
  /** What stands between this process and every provider that is no script and was not switched off; may be left out where there is none. */
  readonly boundary?: PrivacyParts | null;
}

/**
 * Makes the one door to models. Throws `definition_invalid` for two providers of one name and for one that belongs behind a boundary
 * where there is none; the start and each call throw it for a provider that is not registered and for a model that its provider
 * would not take, a call besides for a schema that no model can be shown.
 */
export function createGateway(parts: GatewayParts): Model {
  const { clock, deadline, random, spans = null } = parts;
  const boundary = parts.boundary ?? null;
  const lines = openLines(parts.providers, { clock, hasBoundary: boundary !== null });
  for (const { of, model } of parts.models ?? []) lineFor(lines, model, of);
  const schemaShow = createSchemaShow();
  const room: Room = {
    ...{ clock, deadline, random, spans, boundary, onSent: parts.onSent },
    sendMs: parts.sendMs ?? limits.modelSendMs,
    callMs: parts.callMs ?? limits.modelCallMs,
  };
  return {
    call: async (request) => callOver({ room, line: lineFor(lines, request.model), request, shown: schemaShow(request.schema) }),
  };
}

interface Room {
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly random: () => number;
  readonly spans: Spans | null;
  readonly boundary: PrivacyParts | null;
  readonly onSent: GatewayParts["onSent"];
  readonly sendMs: number;
  readonly callMs: number;
}

interface Calling<T> {
  readonly room: Room;
  readonly line: Line;
  readonly request: ModelRequest<T>;
  readonly shown: ShownSchema;
}

/** Takes the request through the boundary, once for all the times that it is sent. */
async function callOver<T>(calling: Calling<T>): Promise<ModelReply<T>> {
  const { room, line, request, shown } = calling;
  const { clock, deadline, sendMs, callMs } = room;
  const startedAt = clock.monotonic();
  if (request.cancel.isCancelled()) return cancelled([]);
  const ms = Math.min(sendMs, callMs);
  const payload = payloadOf(request, shown);
  const passed = await passBoundary({ parts: room.boundary, line, payload, request, deadline, ms });
  const frame = { request, line, digest: requestDigest(request, shown), privacyPolicy: room.boundary?.policyDigest ?? null };
  if (passed.kind === "passed")
    return sendOver({ ...calling, ...passed, frame: { ...frame, outgoing: passed.outgoing }, startedAt });
  if (passed.fault === "cancelled") return cancelled([]);
  return unsent({ fault: passed.fault, problem: passed.problem, frame: { ...frame, outgoing: null }, calls: [] });
}

/** What every record of one request says the same. */
type Frame<T> = Pick<Sent<T>, "request" | "line" | "outgoing" | "digest" | "privacyPolicy">;

interface Sending<T> extends Calling<T> {
  readonly outgoing: Outgoing<ProviderRequest>;
  /** What the request passed; `null` where it was sent as it is. */
  readonly boundary: Boundary | null;
  readonly frame: Frame<T>;
  readonly startedAt: number;
}

/** Sends until a reply came, a fault came that will not pass, or the next pause would take longer than the call may. */
async function sendOver<T>({ room, line, request, outgoing, boundary, frame, startedAt }: Sending<T>): Promise<ModelReply<T>> {
  const { clock, deadline, random, callMs } = room;
  const calls: CallRecord[] = [];
  const faults: ModelFault[] = [];
  for (;;) {
    if (request.cancel.isCancelled()) return cancelled(calls);
    const hold = holdFor(request, line, outgoing.payload);
    if (hold?.kind === "over_budget") return unsent({ fault: "over_budget", problem: hold.detail, frame, calls });
    const pass = line.breaker.pass();
    if (pass === null) {
      hold?.release();
      return { kind: "failed", fault: "resting", problem: resting(line), calls };
    }
    room.onSent?.({ digest: frame.digest, text: textOf(outgoing.payload) });
    const leftMs = callMs - (clock.monotonic() - startedAt);
    const { received, ms } = await sendMeasured({ room, line, pass, request, outgoing, send: calls.length + 1, leftMs });
    const sent = { ...frame, hold, send: calls.length + 1, ms };
    if (received.kind === "replied") {
      const decoded = decodeReply(received.reply, boundary);
      const outcome = decoded.kind === "altered" ? misfit(decoded.problem) : await readReply(decoded, request.schema);
      return { ...outcome, calls: [...calls, recordOf({ ...sent, received, decoded, outcome })] };
    }
    calls.push(recordOf({ ...sent, received, outcome: received }));
    faults.push(received.fault);
    const waitMs = pauseMs({ sends: calls.length, retryAfterMs: received.retryAfterMs, random });
    const isOver = !isWorthSending(faults) || line.breaker.isResting() || clock.monotonic() - startedAt + waitMs >= callMs;
    if (isOver) return { kind: "failed", fault: received.fault, problem: received.problem, calls };
    await pause({ ms: waitMs, cancel: request.cancel, deadline });
  }
}

/** Room for one request, taken before anything is sent; `null` where nothing is counted. */
function holdFor<T>(
  { meter, model }: ModelRequest<T>,
  { provider }: Line,
  payload: ProviderRequest,
): CallHold | OverBudget | null {
  if (meter === undefined) return null;
  return meter.holdCall({
    model: modelName(model),
    isScripted: provider.isScripted,
    inputBytes: bytesOfRequest(payload),
    maxOutputTokens: model.maxOutputTokens ?? limits.outputTokens,
  });
}

/** A request that was not sent leaves its record all the same. */
function unsent<T>({
  fault,
  problem,
  frame,
  calls,
}: {
  fault: "over_budget" | Extract<Passed, { kind: "failed" }>["fault"];
  problem: string;
  frame: Frame<T>;
  calls: readonly CallRecord[];
}): ModelReply<T> {
  const received = faulted(fault, problem, 0);
  const record = recordOf({ ...frame, received, outcome: received, hold: null, send: calls.length + 1, ms: 0 });
  return { kind: "failed", fault, problem, calls: [...calls, record] };
}

/** All words of a request, as a trial looks them through. */
function textOf({ system, messages, jsonSchema }: ProviderRequest): string {
  return [system, ...messages.map(({ text }) => text), JSON.stringify(jsonSchema)].join("\n");
}

function cancelled<T>(calls: readonly CallRecord[]): ModelReply<T> {
  return { kind: "failed", fault: "cancelled", problem: "the call was cancelled", calls };
}

function misfit(problem: string): Extract<ReadReply<never>, { kind: "misfits" }> {
  return { kind: "misfits", problem };
}

function resting({ provider }: Line): string {
  return `provider \`${provider.name}\` failed again and again and is left alone for a while`;
}

/** A fresh value, so that freezing it touches nothing of the capability's. */
function payloadOf<T>({ model, purpose, step, attempt, prompt }: ModelRequest<T>, { json }: ShownSchema): ProviderRequest {
  const messages = prompt.messages.map(({ role, text }) => ({ role, text }));
  return { model: { ...model }, purpose, step, attempt, system: prompt.system, messages, jsonSchema: json };
}

async function sendMeasured<T>({
  room: { clock, deadline, spans, sendMs },
  line: { provider },
  pass,
  request,
  outgoing,
  send,
  leftMs,
}: {
  room: Room;
  line: Line;
  pass: Pass;
  request: ModelRequest<T>;
  outgoing: Outgoing<ProviderRequest>;
  send: number;
  leftMs: number;
}): Promise<{ received: Received; ms: number }> {
  const startedAt = clock.monotonic();
  const sending = {
    provider,
    payload: outgoing.payload,
    cancel: request.cancel,
    deadline,
    ms: Math.max(0, Math.min(sendMs, leftMs)),
  };
  // Unless something comes back, nothing is known of the provider, and its pass is given back all the same.
  let fault: ModelFault | null = "cancelled";
  try {
    const received =
      spans === null ? await sendOnce(sending) : await inSendSpan({ spans, request, send, work: () => sendOnce(sending) });
    fault = received.kind === "failed" ? received.fault : null;
    return { received, ms: Math.max(0, Math.round(clock.monotonic() - startedAt)) };
  } finally {
    pass.ended(fault);
  }
}
