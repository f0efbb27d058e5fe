import { describe, expect, it } from "vitest";
import { limits } from "../contract/limits.ts";
import { keptReply } from "./kept-reply.ts";

const long = limits.misfitBytes + 1;

describe("a reply as it is kept", () => {
  it("is whole where it fits, however long", () => {
    const text = JSON.stringify("\u20ac".repeat(300_000));
    expect(keptReply(text, "fits")).toEqual({ reply: text, isReplyWhole: true });
  });

  it.each(["", "no JSON", "x".repeat(limits.misfitBytes), "…"])("is whole where it does not fit and is short (%#)", (text) => {
    expect(keptReply(text, "misfits")).toEqual({ reply: text, isReplyWhole: true });
  });

  it.each([
    ["plain", "x".repeat(long)],
    ["of controls", "\u0001".repeat(long)],
    ["of quotes", '"'.repeat(long)],
    ["of three bytes each", "\u20ac".repeat(long)],
    ["of pairs", "\u{1F600}".repeat(long)],
    ["of lone surrogates", "\ud800".repeat(long)],
    ["of NUL", "\0".repeat(long)],
    ["over the limit", "x".repeat(limits.replyText + 1)],
  ])("takes no more than its room where it does not fit: %s", (_what, text) => {
    const { reply, isReplyWhole } = keptReply(text, "misfits");
    expect(isReplyWhole).toBe(false);
    expect(reply).toMatch(/^.+…$/su);
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(limits.misfitBytes + 5);
  });

  it.each(['{"a":"\0"}', '{"a":"\ud800"}'])("is marked where no store can keep it: %j", (text) => {
    expect(keptReply(text, "misfits")).toEqual({ reply: '{"a":"\uFFFD"}…', isReplyWhole: false });
  });
});
