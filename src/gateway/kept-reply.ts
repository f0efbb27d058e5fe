import { jsonHead } from "../contract/json-head.ts";
import { limits } from "../contract/limits.ts";
import type { CallRecord } from "../contract/model.ts";

/** A reply over the limit is never parsed; its head is enough to see why. */
const keptOfTooLong = 2_000;

/**
 * A reply as it is kept: one that fits whole, for replay; one that does not, as far as a store can keep it and no further than
 * `limits.misfitBytes`. What is not the whole of it ends in `…`, and the record says so.
 */
export function keptReply(text: string, outcome: "fits" | "misfits"): Pick<CallRecord, "reply" | "isReplyWhole"> {
  if (outcome === "fits") return { reply: text, isReplyWhole: true };
  const bytes = text.length > limits.replyText ? keptOfTooLong : limits.misfitBytes;
  // No code unit takes less than a byte, so no more of them are looked at.
  const keepable = text.slice(0, bytes).toWellFormed().replaceAll("\0", "\uFFFD");
  const reply = keepable.slice(0, jsonHead(keepable, bytes).end);
  return reply === text ? { reply, isReplyWhole: true } : { reply: `${reply}…`, isReplyWhole: false };
}
