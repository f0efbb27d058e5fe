import type { CallHold } from "../contract/budget.ts";
import type { CallRecord, ModelRequest, ProviderRequest } from "../contract/model.ts";
import { modelName } from "../contract/model-name.ts";
import type { DataClass, Replaced, ReplacedCounts, Treatment } from "../contract/privacy.ts";
import type { Outgoing } from "../guard/privacy/encode.ts";
import { settleUsage } from "./assume-usage.ts";
import type { DecodedReply } from "./decode-reply.ts";
import { keptReply } from "./kept-reply.ts";
import type { Line } from "./lines.ts";
import type { ReadReply } from "./read-reply.ts";
import type { Received } from "./receive.ts";

/** One request that was sent, and what came of it. */
export interface Sent<T> {
  readonly request: ModelRequest<T>;
  readonly line: Line;
  /** `null` where the boundary could not look it through. */
  readonly outgoing: Outgoing<ProviderRequest> | null;
  readonly digest: string;
  /** The digest of the privacy policy in force; `null` where there is no boundary. */
  readonly privacyPolicy: string | null;
  /** Counted from 1 within the attempt. */
  readonly send: number;
  readonly received: Received;
  /** A reply as it is read; left out where none came. */
  readonly decoded?: DecodedReply;
  readonly outcome: ReadReply<T> | Extract<Received, { kind: "failed" }>;
  readonly ms: number;
  /** The room that was taken for it; `null` where nothing is counted, or nothing was sent. */
  readonly hold: CallHold | null;
}

/** The record that every request leaves behind, whatever came of it. */
export function recordOf<T>(sent: Sent<T>): CallRecord {
  const { request, line, outgoing, digest, privacyPolicy, send, received, decoded, outcome, ms, hold } = sent;
  const { node, purpose, step, attempt, model } = request;
  const fault = received.kind === "failed" ? received.fault : null;
  const characters = received.kind === "failed" ? received.receivedCharacters : received.reply.text.length;
  const said = received.kind === "failed" ? received.usage : received.reply.usage;
  const settled = settleUsage(said, { asked: outgoing?.payload ?? null, fault, received: characters });
  return {
    ...{ node, purpose, step, attempt, send },
    model: modelName(model),
    isScripted: line.provider.isScripted,
    outcome: outcome.kind,
    fault,
    stopReason: received.kind === "failed" ? null : received.reply.stopReason,
    requestDigest: digest,
    ...settled,
    costMicros: hold?.settle(settled.usage) ?? 0,
    ...(hold === null ? {} : { prices: hold.prices, held: hold.room }),
    ms,
    ...(decoded === undefined || outcome.kind === "failed" ? { reply: "", isReplyWhole: true } : kept(decoded, outcome.kind)),
    problem: outcome.kind === "fits" ? null : outcome.problem,
    ...boundaryOf(outgoing),
    ...(privacyPolicy === null || !line.isBounded ? {} : { privacyPolicy }),
  };
}

/** What cannot be read again as it was read is marked, so that a replay takes what was found then. */
function kept(decoded: DecodedReply, outcome: "fits" | "misfits"): Pick<CallRecord, "reply" | "isReplyWhole"> {
  const { reply, isReplyWhole } = keptReply(decoded.kept, outcome);
  return { reply, isReplyWhole: isReplyWhole && decoded.isReadAgain };
}

/** Most rows of what was replaced that one record tells. */
const mostReplaced = 100;

type OfBoundary = Pick<CallRecord, "boundary" | "replaced" | "replacedInAll" | "replacedCounts">;

function boundaryOf(outgoing: Sent<unknown>["outgoing"]): OfBoundary {
  if (outgoing === null) return { boundary: "on" };
  const { boundary, replaced } = outgoing;
  if (replaced.length === 0) return { boundary };
  return {
    ...{ boundary, replaced: replaced.slice(0, mostReplaced), replacedCounts: countsOf(replaced) },
    ...(replaced.length <= mostReplaced ? {} : { replacedInAll: replaced.length }),
  };
}

function countsOf(replaced: readonly Replaced[]): ReplacedCounts {
  const counts: Partial<Record<DataClass, Partial<Record<Treatment, number>>>> = {};
  for (const { class: of, treatment, count } of replaced) {
    counts[of] ??= {};
    counts[of][treatment] = (counts[of][treatment] ?? 0) + count;
  }
  return counts;
}
