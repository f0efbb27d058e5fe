import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { CallRecord } from "../contract/model.ts";
import { keptReplies } from "./kept-replies.ts";

/** 3 MB: as long as a reply that fits can be. */
const long = "\u20ac".repeat(limits.replyText);

describe("the replies of a decision as they are kept", () => {
  it("stay as they are where there is room", () => {
    const calls = [call("1"), call(long), call("2")];
    expect(keptReplies(calls)).toEqual(calls);
  });

  it("never take more than their room, however many and long they are", () => {
    const kept = keptReplies(Array.from({ length: 42 }, () => call(long)));
    expect(kept.map(({ isReplyWhole }) => isReplyWhole)).toEqual([true, ...Array<boolean>(41).fill(false)]);
    expect(kept[1]?.reply).toMatch(/^\u20ac+…$/);
    const bytes = Buffer.byteLength(canonicalJson(kept as unknown as Json)); // plain data
    expect(bytes).toBeLessThan(limits.repliesBytes + 200_000);
  });

  it("are not cut a second time", () => {
    const almostAll = "x".repeat(limits.repliesBytes - 3 * limits.replyText - 1_000);
    const kept = keptReplies([call(long), call(almostAll), call(long), call("x".repeat(1_500))]);
    expect(kept.map(({ isReplyWhole }) => isReplyWhole)).toEqual([true, true, false, true]);
    expect(keptReplies(kept)).toEqual(kept);
  });
});

function call(reply: string): CallRecord {
  return {
    ...{ node: "llm_decision", purpose: "step", step: 1, attempt: 1, send: 1, model: "p/m", isScripted: true, outcome: "fits" },
    ...{ fault: null, stopReason: "end", requestDigest: "", isUsageAssumed: false, costMicros: 0, ms: 1 },
    usage: { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 },
    ...{ reply, isReplyWhole: true, problem: null, boundary: "off" },
  };
}
