import { describe, expect, it } from "vitest";
import type { ModelChoice } from "../../contract/capability.ts";
import type { ProviderSource } from "../../contract/model.ts";
import { anthropic } from "./anthropic.ts";
import { type CompatibleOptions, compatible } from "./compatible.ts";
import { openAi } from "./openai.ts";

const secret = "MODEL_KEY";
const off = { boundary: "off" } as const;
const responses = openAi({ name: "openai", secret, api: "responses", constrain: "schema", ...off });
const chatTool = openAi({ name: "openai", secret, api: "chat", constrain: "tool", ...off });
const responsesTool = openAi({ name: "openai", secret, api: "responses", constrain: "tool", ...off });
const claude = anthropic({ name: "anthropic", secret, constrain: "schema", ...off });
const claudeTool = anthropic({ name: "anthropic", secret, constrain: "tool", ...off });
const local = { name: "local", server: "ollama", baseUrl: "http://127.0.0.1:11434/v1", secret: null, ...off } as const;
const ollama = compatible({ ...local, constrain: "schema" });
const thinker = compatible({ ...local, constrain: "schema", takes: { effort: true, temperature: false } });

type Row = readonly [string, ProviderSource, string, ModelChoice["effort"], number | null];

function refusalOf([, source, id, effort, temperature]: Row): string | null | undefined {
  return source.refusalOf?.({ provider: source.name, id, effort, temperature });
}

it("whether an id is pinned is said of the id alone, whatever else of a choice is refused", () => {
  const asked = (source: ProviderSource, id: string) => [source.isPinned?.(id), source.open("k").isPinned?.(id)];
  expect(refusalOf(["", responses, "o3-2025-04-16", "low", 0])).not.toBeNull();
  expect(asked(responses, "o3-2025-04-16")).toEqual([true, true]);
  expect(asked(claude, "claude-sonnet-4-5")).toEqual([false, false]);
  expect(ollama.isPinned?.("qwen2.5")).toBe(false);
});

describe("what a model takes, known before a call", () => {
  it.each<Row>([
    ["a plain model with a temperature", responses, "gpt-4.1-2025-04-14", "none", 0],
    ["a fine-tuned one", responses, "ft:gpt-4o-mini-2024-07-18:acme::x", "none", 0.2],
    ["a reasoning model without a temperature", responses, "o3-2025-04-16", "low", null],
    ["a model that need not reason, with a temperature", responses, "gpt-5.1-2025-11-13", "none", 0],
    ["one that does, without", responses, "gpt-5.1-2025-11-13", "high", null],
    ["an old model by tool", chatTool, "gpt-3.5-turbo-0125", "none", 0],
    ["a model that nobody has heard of", responses, "nova-2030-01-01", "high", null],
    ["Claude with a temperature", claude, "claude-sonnet-4-5-20250929", "none", 1],
    ["Claude with an effort", claude, "claude-opus-4-6", "medium", null],
    ["Claude by tool, not thinking", claudeTool, "claude-opus-4-6", "none", 0],
    ["a local model", ollama, "qwen2.5:7b-instruct-q4_K_M", "none", 0],
    ["a local model that thinks", thinker, "gpt-oss:20b", "low", null],
  ])("takes %s", (...row) => {
    expect(refusalOf(row)).toBeNull();
  });

  it.each<readonly [...Row, string]>([
    ["an alias", responses, "gpt-4.1", "none", 0, "alias that moves"],
    [
      "an effort for a plain model",
      responses,
      "gpt-4.1-2025-04-14",
      "low",
      0,
      "does not take the effort `low`; write one of `none`",
    ],
    ["no temperature for a plain model", responses, "gpt-4.1-2025-04-14", "none", null, "write one, such as 0"],
    [
      "a temperature for a reasoning model",
      responses,
      "o3-2025-04-16",
      "low",
      0,
      "takes no temperature; write `temperature: null`",
    ],
    ["no effort for a reasoning model", responses, "gpt-5-2025-08-07", "none", null, "`low`, `medium`, `high`"],
    ["a temperature with an effort", responses, "gpt-5.1-2025-11-13", "low", 0, "only with the effort `none`"],
    ["too hot a temperature", responses, "gpt-4.1-2025-04-14", "none", 2.1, "from 0 to 2"],
    ["a temperature that is no number", responses, "gpt-4.1-2025-04-14", "none", Number.NaN, "from 0 to 2"],
    ["a schema for an old model", responses, "gpt-3.5-turbo-0125", "none", 0, 'constrain: "tool"'],
    ["tools with reasoning over chat completions", chatTool, "gpt-5.6-2026-08-01", "low", null, "while it reasons"],
    ["Claude's alias", claude, "claude-sonnet-4-5", "none", 0, "alias that moves"],
    ["Claude with temperature and effort", claude, "claude-opus-4-6", "low", 0, "only with the effort `none`"],
    ["Claude's effort before 4.6", claude, "claude-sonnet-4-5-20250929", "low", null, "does not take the effort"],
    ["Claude hotter than 1", claude, "claude-sonnet-4-5-20250929", "none", 1.5, "from 0 to 1"],
    ["Claude by tool while it thinks", claudeTool, "claude-opus-4-6", "low", null, "while it reasons"],
    ["Claude by tool where it cannot be made to", claudeTool, "claude-sonnet-5-5", "low", null, "cannot be made to call a tool"],
    [
      "Claude without thinking where it always thinks",
      claude,
      "claude-opus-5-5",
      "none",
      null,
      "does not take the effort `none`",
    ],
    ["a local model without a tag", ollama, "qwen2.5", "none", 0, "has no tag"],
    ["an effort that the server was not said to take", ollama, "gpt-oss:20b", "low", 0, "does not take the effort"],
    ["a temperature that it was said not to take", thinker, "gpt-oss:20b", "low", 0, "takes no temperature"],
  ])("refuses %s", (...row) => {
    const [what, source, id, effort, temperature, words] = row;
    expect(refusalOf([what, source, id, effort, temperature])).toContain(words);
  });

  it("takes tools with reasoning over Responses, where they are taken", () => {
    expect(refusalOf(["", responsesTool, "gpt-5.6-2026-08-01", "low", null])).toBeNull();
  });

  it("refuses more output than the SDK would let through, and none", () => {
    const choice = { provider: "anthropic", id: "claude-opus-4-1-20250805", effort: "none", temperature: 0 } as const;
    expect(claude.refusalOf?.({ ...choice, maxOutputTokens: 32_000 })).toBeNull();
    expect(claude.refusalOf?.({ ...choice, maxOutputTokens: 32_001 })).toContain("at most 32000");
    expect(claude.refusalOf?.({ ...choice, maxOutputTokens: 0 })).toContain("from 1");
  });
});

describe("setting a provider up", () => {
  const settings: CompatibleOptions = { ...local, constrain: "schema" };

  it.each([
    ["a name with capitals", { name: "Local" }],
    ["an address that is none", { baseUrl: "localhost" }],
    ["an address with a key in it", { baseUrl: "https://me:sk-canary@models.example/v1" }],
    ["an address with a query", { baseUrl: "https://models.example/v1?key=sk-canary" }],
    ["another protocol", { baseUrl: "file:///v1" }],
    ["a grammar that no field is known for", { server: "other", constrain: "grammar" } as const],
  ])("refuses %s, and does not quote it", (_, changed) => {
    const set = () => compatible({ ...settings, ...changed });
    expect(set).toThrow(expect.objectContaining({ code: "definition_invalid" }));
    expect(set).not.toThrow(/canary/);
  });

  it.each([[null], [""], ["sk canary"], ["sk-canary\n"], ["schlüssel-canary"]])(
    "refuses to open with the key %j, and does not quote it",
    (key) => {
      const open = () => responses.open(key);
      expect(open).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
      expect(open).toThrow(/`MODEL_KEY`/);
      expect(open).not.toThrow(/canary/);
    },
  );

  it("refuses a key for a server that takes none", () => {
    expect(() => ollama.open("sk-canary")).toThrow(/takes no key/);
  });
});
