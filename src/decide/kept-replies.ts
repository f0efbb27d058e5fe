import { jsonHead, mostBytesOfUnit } from "../contract/json-head.ts";
import { limits } from "../contract/limits.ts";
import type { CallRecord } from "../contract/model.ts";

/** What is kept of a reply that comes when the others have taken all the room, in bytes of JSON. */
const headBytes = 2_000;
const mark = "…";
/** A reply that is no longer than a marked head is always kept and takes no room: bounding twice is the same as bounding once. */
const freeBytes = headBytes + 3;

/**
 * The records of a decision's calls with no more of their replies than `limits.repliesBytes`, so that they alone cannot make its
 * payload too large. A reply for which no room is left is cut and marked; a decision whose fitting reply was cut cannot be replayed.
 */
export function keptReplies(calls: readonly CallRecord[]): readonly CallRecord[] {
  const units = calls.reduce((sum, { reply }) => sum + reply.length, 0);
  if (units * mostBytesOfUnit <= limits.repliesBytes) return calls;
  let left: number = limits.repliesBytes;
  return calls.map((call): CallRecord => {
    const { reply } = call;
    const { end, bytes } = jsonHead(reply, Math.max(left, freeBytes));
    if (end < reply.length)
      return { ...call, reply: `${reply.slice(0, jsonHead(reply, headBytes).end)}${mark}`, isReplyWhole: false };
    if (bytes > freeBytes) left -= bytes;
    return call;
  });
}
