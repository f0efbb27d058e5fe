import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { usageOf } from "./usage.ts";

const fields = ["input_tokens", "output_tokens"] as const;
const raw = { input_tokens: 130_213, output_tokens: 10 };

function told({
  input = {},
  output = {},
  said = raw,
}: {
  input?: Partial<LanguageModelV4Usage["inputTokens"]>;
  output?: Partial<LanguageModelV4Usage["outputTokens"]>;
  said?: LanguageModelV4Usage["raw"];
}): LanguageModelV4Usage {
  return {
    inputTokens: { total: 130_213, noCache: 5, cacheRead: 128_955, cacheWrite: 1_253, ...input },
    outputTokens: { total: 10, text: 7, reasoning: 3, ...output },
    ...(said === undefined ? {} : { raw: said }),
  };
}

describe("usage", () => {
  it("counts each token once", () => {
    expect(usageOf(told({}), fields)).toEqual({
      inputTokens: 5,
      cachedTokens: 128_955,
      cacheWriteTokens: 1_253,
      outputTokens: 7,
      reasoningTokens: 3,
    });
  });

  it("takes what a provider has no word for as none", () => {
    const usage = told({ input: { cacheRead: undefined, cacheWrite: undefined }, output: { reasoning: undefined } });
    expect(usageOf(usage, fields)).toMatchObject({ cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 10, reasoningTokens: 0 });
  });

  it.each([
    ["nothing was said", undefined],
    ["a field was left out", { input_tokens: 5 }],
    ["a field is null", { input_tokens: null, output_tokens: 3 }],
  ])("is unknown where %s, whatever the SDK made of it", (_, said) => {
    const { raw: _raw, ...rest } = told({});
    expect(usageOf(said === undefined ? rest : { ...rest, raw: said }, fields)).toBeNull();
  });

  it.each([
    ["more was cached than was sent", { noCache: -1 }],
    ["a count is no whole number", { noCache: 1.5 }],
    ["a count is larger than any", { noCache: 2 ** 31 }],
  ])("is unknown where %s", (_, input) => {
    expect(usageOf(told({ input }), fields)).toBeNull();
  });

  it("is unknown where there was more reasoning than output", () => {
    expect(usageOf(told({ output: { total: 2 } }), fields)).toBeNull();
  });
});
