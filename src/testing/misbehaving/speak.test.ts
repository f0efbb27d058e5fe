import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Asking, isJson, type Seen, saidIn, see, stringsAt, valuesOf, ways } from "../../../test/testing/plain-client.ts";
import { type Answer, type MisbehavingModel, openMisbehavingModel, type Reply } from "../index.ts";

const text = '{"note":"Größe 😀 in more than one piece","days":3}';
const good: Reply = { kind: "reply", text };

let answer: Answer = good;
let model: MisbehavingModel;
beforeEach(async () => {
  model = await openMisbehavingModel({ answers: () => answer });
});
afterEach(() => model.close());

/** What came over the wire for one answer. */
function seen(given: Answer, asking: Omit<Asking, "url">): Promise<Seen> {
  answer = given;
  return see({ ...asking, url: model.url });
}

describe.each(ways)("a text at $protocol, $way", ({ protocol, stream }) => {
  const on = { protocol, stream };

  it("a text is cut at any byte, in characters and escapes too", async () => {
    const whole = String.raw`{"a":"ü😀\uD83D\uDE00"}`;
    const bytes = Buffer.from(whole);
    for (let cutAt = 0; cutAt <= bytes.length; cutAt += 1) {
      const got = await seen({ kind: "reply", text: whole, cutAt }, on);
      expect(got.isCut).toBe(false);
      const told = saidIn(valuesOf(got.bytes, stream), on);
      expect(Buffer.from(told, "latin1")).toEqual(bytes.subarray(0, cutAt));
    }
  });

  it("arguments of a tool are cut at any byte", async () => {
    const bytes = Buffer.from(text);
    for (const cutAt of [1, 12, 16, 17, 18, 30]) {
      const got = await seen({ ...good, cutAt }, { ...on, tool: "answer" });
      // Anthropic sends arguments as JSON inside JSON, so that a cut leaves a body that is no JSON.
      if (protocol === "messages" && !stream) {
        expect(got.bytes.includes(Buffer.concat([Buffer.from('"input":'), bytes.subarray(0, cutAt), Buffer.from("}")]))).toBe(
          true,
        );
        expect(isJson(got.body)).toBe(false);
        continue;
      }
      const key = protocol === "messages" ? "partial_json" : stream && protocol === "responses" ? "delta" : "arguments";
      const told = valuesOf(got.bytes, stream).flatMap((value) => stringsAt(value, key));
      expect(Buffer.from(told.join(""), "latin1")).toEqual(bytes.subarray(0, cutAt));
    }
  });

  it("a text is streamed one code unit at a time, and is whole all the same", async () => {
    const { bytes, body } = await seen({ ...good, pieceUnits: 1 }, on);
    expect(saidIn(valuesOf(bytes, stream, "utf8"), on)).toBe(text);
    expect(/\\ud83d"/.test(body)).toBe(stream);
  });

  it("a reply of 3 MB comes whole", async () => {
    const long = `{"a":"${"x".repeat(3 * 1024 * 1024)}"}`;
    const { bytes, isCut } = await seen({ kind: "reply", text: long }, on);
    expect(isCut).toBe(false);
    expect(saidIn(valuesOf(bytes, stream), on)).toBe(long);
  });
});

describe.each(ways)("an end at $protocol, $way", ({ protocol, stream }) => {
  const on = { protocol, stream };

  it.each([
    ["end", { responses: "completed", chat: "stop", messages: "end_turn" }],
    ["length", { responses: "max_output_tokens", chat: "length", messages: "max_tokens" }],
    ["filter", { responses: "content_filter", chat: "content_filter", messages: "refusal" }],
    ["unknown", { responses: "maintenance_window", chat: "maintenance_window", messages: "maintenance_window" }],
  ] as const)("a reply stops with `%s`", async (stop, words) => {
    const { bytes } = await seen({ ...good, stop }, on);
    const values = valuesOf(bytes, stream);
    const keys = { responses: stop === "end" ? "status" : "reason", chat: "finish_reason", messages: "stop_reason" };
    expect(values.flatMap((value) => stringsAt(value, keys[protocol])).filter((word) => word !== "in_progress")).toContain(
      words[protocol],
    );
    if (protocol === "responses" && stream)
      expect(values.at(-1)).toMatchObject({ type: stop === "end" ? "response.completed" : "response.incomplete" });
  });

  it("a refusal is told as one", async () => {
    const { bytes } = await seen({ kind: "refusal", text: "I cannot." }, on);
    const values = valuesOf(bytes, stream);
    if (protocol === "messages") expect(values.flatMap((value) => stringsAt(value, "stop_reason"))).toEqual(["refusal"]);
    else if (stream && protocol === "responses")
      expect(values.filter((value) => Object(value).type === "response.refusal.delta")).toMatchObject([{ delta: "I cannot." }]);
    else expect(values.flatMap((value) => stringsAt(value, "refusal"))).toEqual(["I cannot."]);
    expect(values.flatMap((value) => stringsAt(value, "content"))).toEqual([]);
  });
});

describe.each(ways)("what is missing or wrong at $protocol, $way", ({ protocol, stream }) => {
  const on = { protocol, stream };

  it("there may be no message, or nothing in it", async () => {
    const none = await seen({ kind: "nothing", what: "no_choice" }, on);
    const empty = await seen({ kind: "nothing", what: "no_content" }, on);
    expect(saidIn(valuesOf(none.bytes, stream), on)).toBe("");
    expect(saidIn(valuesOf(empty.bytes, stream), on)).toBe("");
    const item = { responses: /"type":"message"/, chat: /"role":"assistant"/, messages: /"type":"text"/ }[protocol];
    expect([item.test(none.body), item.test(empty.body)]).toEqual([false, true]);
  });

  it("usage may be missing", async () => {
    const { body } = await seen({ ...good, usage: null }, on);
    expect(body).not.toMatch(/(input|prompt)_tokens"/);
    expect((await seen(good, on)).body).toMatch(/(input|prompt)_tokens"/);
  });

  it("a content type may be the wrong one", async () => {
    const right = await seen(good, on);
    const wrong = await seen({ ...good, contentType: "text/html" }, on);
    expect(wrong.headers.get("content-type")).toBe("text/html");
    expect(wrong.body.length).toBe(right.body.length);
  });
});
