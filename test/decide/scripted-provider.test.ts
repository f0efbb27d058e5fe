import { describe, expect, it } from "vitest";
import type { ProviderRequest } from "../../src/contract/model.ts";
import { encodeOff } from "../../src/guard/privacy/encode.ts";
import { scriptedProvider } from "../../src/testing/index.ts";

const idle = { isCancelled: () => false, onCancel: () => {} };

describe("the scripted provider", () => {
  const provider = scriptedProvider({
    name: "script",
    lines: [
      { purpose: "judge", when: /room/, replies: ["judged"] },
      { purpose: "decide", when: /room/gi, system: /^Rooms/, replies: ["first", "then"] },
      { purpose: "decide", when: /room/y, replies: ["other"] },
    ],
  });

  it("says that it is one, whatever it replies", () => {
    expect(provider).toMatchObject({ name: "script", isScripted: true });
    expect(provider.boundary).toBeUndefined();
  });

  it.each([
    [{}, "first"],
    [{ attempt: 2 }, "then"],
    [{ attempt: 9 }, "then"],
    [{ purpose: "judge" }, "judged"],
    [{ system: "Doors" }, "other"],
  ] as const)("replies to %j with `%s`, each time it is asked", async (part, text) => {
    for (let time = 0; time < 3; time += 1) expect(await ask(part)).toMatchObject({ text, stopReason: "end" });
  });

  it("replies with what a line reads out of what it was sent, and passes the boundary where it is asked to", async () => {
    const reads = (asked: ProviderRequest) => `${asked.attempt}: ${asked.messages.map(({ text }) => text).join("/")}`;
    const reader = scriptedProvider({
      name: "reader",
      boundary: "on",
      lines: [{ purpose: "decide", when: /room/, replies: ["first", reads] }],
    });
    expect(reader.boundary).toBe("on");
    const asked = encodeOff({ ...request, attempt: 2 }).payload;
    expect(await reader.complete(asked, idle)).toMatchObject({ text: "2: room for a talk" });
  });

  it("keys on the first message, so that a retry's error changes nothing", async () => {
    const retry = { attempt: 2, messages: [...request.messages, { role: "user", text: "refused: judge the door" }] } as const;
    expect(await ask(retry)).toMatchObject({ text: "then" });
  });

  it("counts what was sent and what came", async () => {
    expect((await ask({})).usage).toEqual({
      inputTokens: 5,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 2,
      reasoningTokens: 0,
    });
  });

  it("gives no reply where no line fits, and says that it is a script", async () => {
    expect(await ask({ messages: [{ role: "user", text: "a door" }] })).toEqual({
      fault: "refused_request",
      retryAfterMs: null,
      problem: "the script has no line for this request; it is a script, not a model",
      usage: null,
      receivedCharacters: 0,
    });
    expect(await ask({ messages: [] })).toMatchObject({ fault: "refused_request" });
  });

  const request: ProviderRequest = {
    model: { provider: "script", id: "s-1", effort: "none", temperature: null },
    purpose: "decide",
    step: 0,
    attempt: 1,
    system: "Rooms",
    messages: [{ role: "user", text: "room for a talk" }],
    jsonSchema: {},
  };

  function ask(part: Partial<ProviderRequest>) {
    return provider.complete(encodeOff({ ...request, ...part }).payload, idle);
  }
});
