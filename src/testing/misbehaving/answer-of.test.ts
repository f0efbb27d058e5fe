import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ask, bytesOf } from "../../../test/testing/plain-client.ts";
import {
  type Answer,
  answerOf,
  type MisbehaviourName,
  misbehaviourNames,
  misbehaviours,
  openMisbehavingModel,
  plainReply,
} from "../index.ts";

const seeds = Array.from({ length: 300 }, (_none, seed) => seed);
const good = '{"reason":"é 😀","days":3,"ok":true,"tags":["a"],"who":null}';

/** The text that the model is told to say, cut where it is to be cut. */
function textsOf(name: MisbehaviourName, of = good): readonly Buffer[] {
  return seeds.map((seed) => {
    const answer = answerOf({ name, seed, good: of });
    if (answer.kind !== "reply") throw new Error(`${name} is no reply`);
    return Buffer.from(answer.text).subarray(0, answer.cutAt ?? Number.POSITIVE_INFINITY);
  });
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

const is = (value: string, other: string) => JSON.stringify(JSON.parse(value)) === JSON.stringify(JSON.parse(other));
const parsed = (bytes: Buffer) => JSON.parse(bytes.toString());
const strings = (bytes: Buffer) => Object.values(parsed(bytes)).filter((value) => typeof value === "string");
const numbers = (bytes: Buffer) => Object.values(parsed(bytes)).filter((value) => typeof value === "number");
const depthOf = (bytes: Buffer) => bytes.toString().split("[").length;

/** Whether the text ends inside the escapes of a pair: with some of them, and not with all. */
function endsInEscape(bytes: Buffer): boolean {
  const [, tail = ""] = /"(\\[^"]*)$/.exec(bytes.toString()) ?? [];
  return tail.length > 0 && tail.length < 12 && String.raw`\uD83D\uDE00`.startsWith(tail);
}

describe("a text is spoiled as its name says", () => {
  it.each<[MisbehaviourName, (text: Buffer) => boolean]>([
    ["well_behaved", (text) => text.toString() === good],
    ["wrong_shape", (text) => isJson(text) && !is(text.toString(), good)],
    ["prose_around", (text) => !isJson(text) && text.includes(good)],
    ["code_fence", (text) => !isJson(text) && text.includes("```") && text.includes(good)],
    ["two_replies", (text) => !isJson(text) && text.lastIndexOf(good) > 0],
    ["cut_json", (text) => !isJson(text) && Buffer.from(good).subarray(0, text.length).equals(text)],
    ["cut_character", (text) => !isUtf8(text)],
    ["cut_escape", endsInEscape],
    ["lone_surrogate", (text) => /ud83d|ude00|\ufffd/.test(text.toString())],
    ["escaped_nul", (text) => strings(text).some((value) => value.includes("\0"))],
    ["duplicate_keys", (text) => text.toString().split('":').length - 1 === Object.keys(parsed(text)).length + 1],
    ["prototype_key", (text) => Object.hasOwn(parsed(text), "__proto__")],
    ["not_a_number", (text) => !isJson(text) && /:(NaN|-?Infinity)[,}]/.test(text.toString())],
    ["huge_integer", (text) => numbers(text).some((value) => !Number.isSafeInteger(value))],
    ["long_string", (text) => strings(text).some((value) => value.length >= 100_000)],
    ["deep_nesting", (text) => depthOf(text) > 10_000],
    ["trailing_comma", (text) => !isJson(text) && text.toString().endsWith(",}")],
    ["python_words", (text) => !isJson(text)],
    ["empty_text", (text) => ["", "null"].includes(text.toString().trim())],
    ["tiny_pieces", (text) => text.toString() === good],
  ])("%s", (name, holds) => {
    expect(
      textsOf(name)
        .filter((text) => !holds(text))
        .map(String),
    ).toEqual([]);
  });

  it("big_reply", () => {
    const answer = answerOf({ name: "big_reply", seed: 1, good });
    expect(answer.kind === "reply" && answer.text.length > 3 * 1024 * 1024 && is(answer.text, good)).toBe(true);
  });

  it("in every place: cuts come at each byte, values are spoiled under each key", () => {
    const lengths = new Set(textsOf("cut_json").map((text) => text.length));
    expect(lengths.size).toBeGreaterThan(good.length * 0.9);
    const spoiled = textsOf("not_a_number").map((text) => /"(\w+)":(NaN|-?Infinity)/.exec(text.toString())?.[1]);
    expect(new Set(spoiled)).toEqual(new Set(Object.keys(JSON.parse(good))));
  });

  it("also where the good reply is no object", () => {
    for (const other of ["{}", "[1]", "7", "not JSON"])
      expect(
        textsOf("duplicate_keys", other)
          .map(String)
          .every((text) => text.split('"a":').length === 3),
      ).toBe(true);
  });
});

describe("the closed list", () => {
  it("has a meaning for every name, and begins with the good reply", () => {
    expect(misbehaviourNames[0]).toBe("well_behaved");
    expect(answerOf({ name: "well_behaved", seed: 1 })).toEqual({ kind: "reply", text: plainReply });
    expect(misbehaviourNames.filter((name) => misbehaviours[name].means === "")).toEqual([]);
    expect(misbehaviourNames.length).toBeGreaterThan(50);
  });

  it("gives the same answer for the same seed, and other ones for others", () => {
    const answers = (name: MisbehaviourName) => seeds.map((seed) => JSON.stringify(answerOf({ name, seed })));
    for (const name of misbehaviourNames)
      for (const seed of [0, 1, 2, 2 ** 31]) expect(answerOf({ name, seed })).toEqual(answerOf({ name, seed }));
    expect(new Set(answers("rate_limited_seconds")).size).toBeGreaterThan(50);
    expect(new Set(answers("dropped_in_body")).size).toBeGreaterThan(200);
  });

  it("knows every kind of answer", () => {
    const kinds = new Set(misbehaviourNames.map((name) => answerOf({ name, seed: 1 }).kind));
    const all: Record<Answer["kind"], true> = {
      ...{ reply: true, refusal: true, nothing: true, error: true, stalled: true, dropped: true },
      ...{ dripped: true, endless: true, broken: true, raw: true, encoded: true, redirected: true },
    };
    expect([...kinds].sort()).toEqual(Object.keys(all).sort());
  });

  it("has answers that the server gives in every protocol, and that end where it says so", { timeout: 60_000 }, async () => {
    const given: Answer[] = [];
    const model = await openMisbehavingModel({ answers: (_request, place) => given[place] ?? { kind: "endless" } });
    const names = misbehaviourNames.filter((name) => misbehaviours[name].ends);
    const way = fc.record({ protocol: fc.constantFrom("responses", "chat", "messages"), stream: fc.boolean(), seed: fc.nat() });
    const asking = fc.record({ name: fc.constantFrom(...names), way, isTool: fc.boolean() });
    const property = fc.asyncProperty(asking, async ({ name, way: { seed, ...on }, isTool }) => {
      given.push(answerOf({ name, seed }));
      await ask({ url: model.url, ...on, ...(isTool ? { tool: "answer" } : {}) }).then(bytesOf, () => null);
    });
    await fc.assert(property, { numRuns: 150 });
    expect(model.requests.length).toBe(150);
    await model.close();
  });
});
