import type { CallHold } from "../contract/budget.ts";
import type { CallRecord, ModelRequest, ProviderRequest } from "../contract/model.ts";
import type { Outgoing } from "../guard/privacy/encode.ts";
import { settleUsage } from "./assume-usage.ts";
import { keptReply } from "./kept-reply.ts";
import type { Line } from "./lines.ts";
import type { ReadReply } from "./read-reply.ts";
import type { Received } from "./receive.ts";

/** One request that was sent, and what came of it. */
export interface Sent<T> {
  readonly request: ModelRequest<T>;
  readonly line: Line;
  readonly outgoing: Outgoing<ProviderRequest>;
  readonly digest: string;
  /** Counted from 1 within the attempt. */
  readonly send: number;
  readonly received: Received;
  readonly outcome: ReadReply<T> | Extract<Received, { kind: "failed" }>;
  readonly ms: number;
  /** The room that was taken for it; `null` where nothing is counted, or nothing was sent. */
  readonly hold: CallHold | null;
}

/** The record that every request leaves behind, whatever came of it. */
export function recordOf<T>({ request, line, outgoing, digest, send, received, outcome, ms, hold }: Sent<T>): CallRecord {
  const { node, purpose, step, attempt, model } = request;
  const fault = received.kind === "failed" ? received.fault : null;
  const characters = received.kind === "failed" ? received.receivedCharacters : received.reply.text.length;
  const said = received.kind === "failed" ? received.usage : received.reply.usage;
  const settled = settleUsage(said, { asked: outgoing.payload, fault, received: characters });
  return {
    ...{ node, purpose, step, attempt, send },
    model: `${model.provider}/${model.id}`,
    isScripted: line.provider.isScripted,
    outcome: outcome.kind,
    fault,
    stopReason: received.kind === "failed" ? null : received.reply.stopReason,
    requestDigest: digest,
    ...settled,
    costMicros: hold?.settle(settled.usage) ?? 0,
    ...(hold === null ? {} : { prices: hold.prices, held: hold.room }),
    ms,
    ...(received.kind === "failed" || outcome.kind === "failed"
      ? { reply: "", isReplyWhole: true }
      : keptReply(received.reply.text, outcome.kind)),
    problem: outcome.kind === "fits" ? null : outcome.problem,
    boundary: outgoing.boundary,
  };
}
