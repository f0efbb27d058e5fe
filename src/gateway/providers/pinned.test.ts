import { describe, expect, it } from "vitest";
import { anthropicPins, ollamaPins, openAiPins, type PinRules, pinRefusal, servedPins } from "./pinned.ts";

const rules: Readonly<Record<string, PinRules>> = {
  openai: openAiPins,
  anthropic: anthropicPins,
  ollama: ollamaPins,
  served: servedPins,
};

function refusal(provider: string, id: string, vouched: readonly string[] = []): string | null {
  return pinRefusal(id, { rules: rules[provider] as PinRules, vouched }); // a name of the list above
}

describe("pinned ids", () => {
  it.each([
    ["openai", "gpt-4.1-2025-04-14"],
    ["openai", "o4-mini-2025-04-16"],
    ["openai", "gpt-3.5-turbo-0125"],
    ["openai", "ft:gpt-4o-mini-2024-07-18:acme:desk:9aBcDeF"],
    ["anthropic", "claude-sonnet-4-5-20250929"],
    ["anthropic", "claude-3-haiku-20240307"],
    ["anthropic", "claude-opus-4-6"],
    ["anthropic", "claude-sonnet-5"],
    ["anthropic", "claude-haiku-5-5"],
    ["ollama", "qwen2.5:7b-instruct-q4_K_M"],
    ["ollama", "hf.co/acme/model-GGUF:Q4_K_M"],
    ["ollama", "registry.local:5000/acme/model:7b"],
    ["served", "Qwen/Qwen2.5-7B-Instruct"],
    ["served", "qwen"],
  ])("%s keeps %s", (provider, id) => {
    expect(refusal(provider, id)).toBeNull();
  });

  it.each([
    ["openai", "gpt-4o"],
    ["openai", "gpt-5.2-chat-latest"],
    ["openai", "gpt-6-sol"],
    ["openai", "ft:gpt-4o-mini:acme:desk:9aBcDeF"],
    ["anthropic", "claude-sonnet-4-5"],
    ["anthropic", "claude-opus-4-0"],
    ["anthropic", "claude-3-5-sonnet-latest"],
    ["ollama", "qwen2.5"],
    ["ollama", "qwen2.5:latest"],
    ["ollama", "registry.local:5000/acme/model"],
    ["served", "acme/model:latest"],
    ["served", "latest"],
  ])("%s refuses %s and says what to write", (provider, id) => {
    expect(refusal(provider, id)).toMatch(new RegExp(`^\`${id}\` (?:is|has) .*write`));
  });

  it("takes an id that the author vouches for, and no other", () => {
    expect(refusal("openai", "gpt-6-sol", ["gpt-6-sol"])).toBeNull();
    expect(refusal("openai", "gpt-6-luna", ["gpt-6-sol"])).not.toBeNull();
  });

  it.each(["", "a b", "naïve", "a\nb", "x".repeat(201)])("refuses %j, which is no id", (id) => {
    expect(refusal("served", id, [id])).toBe("a model's id is 1 to 200 visible ASCII characters");
  });
});
