import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ModelChoice } from "../../src/contract/capability.ts";
import type { ProviderSource } from "../../src/contract/model.ts";
import { jsonSchemaOf } from "../../src/contract/schema.ts";
import { fitReply } from "../../src/gateway/fit.ts";
import { parseStrictJson } from "../../src/gateway/parse.ts";
import { anthropic } from "../../src/gateway/providers/anthropic.ts";
import { compatible } from "../../src/gateway/providers/compatible.ts";
import { openAi } from "../../src/gateway/providers/openai.ts";
import { type Server, servers } from "../../src/gateway/providers/servers.ts";
import { cancelSwitch } from "../../src/testing/index.ts";
import { canaryKey, requestFor } from "./provider-ways.ts";

// The same providers against a real server, where `COUNTERSIGN_TEST_MODEL_URL` names one: see docs/models.md.
const setting = (name: string): string | undefined => process.env[`COUNTERSIGN_TEST_MODEL_${name}`];
const baseUrl = setting("URL");
const kind = setting("PROVIDER") ?? "other";
const key = setting("KEY") ?? null;
const temperature = setting("TEMPERATURE") === "none" ? null : Number(setting("TEMPERATURE") ?? 0);
const efforts = z.enum(["none", "low", "medium", "high"]);
const model: ModelChoice = {
  provider: "real",
  id: setting("ID") ?? "",
  effort: efforts.parse(setting("EFFORT") ?? "none"),
  temperature,
};
const patience = { timeout: 300_000 };

interface Way {
  readonly constrain: "schema" | "tool" | "grammar";
  readonly stream: boolean;
}

const constrains = (process.env["COUNTERSIGN_TEST_MODEL_CONSTRAIN"] ?? "schema,tool").split(",");
const ways: readonly Way[] = (["schema", "tool", "grammar"] as const)
  .filter((constrain) => constrains.includes(constrain))
  .flatMap((constrain) => [false, true].map((stream) => ({ constrain, stream })));

function sourceOf({ constrain, stream }: Way): ProviderSource {
  const common = { name: "real", boundary: "off", stream, baseUrl: baseUrl ?? "", pinned: [model.id] } as const;
  const secret = "COUNTERSIGN_TEST_MODEL_KEY";
  if (constrain === "grammar" && (kind.startsWith("openai") || kind === "anthropic"))
    throw new Error(`\`${kind}\` takes no grammar`);
  const form = constrain === "tool" ? "tool" : "schema";
  if (kind === "openai_responses") return openAi({ ...common, secret, api: "responses", constrain: form });
  if (kind === "openai_chat") return openAi({ ...common, secret, api: "chat", constrain: form });
  if (kind === "anthropic") return anthropic({ ...common, secret, constrain: form });
  const takes = { temperature: temperature !== null, effort: model.effort !== "none" };
  return compatible({ ...common, server: serverOf(kind), secret: key === null ? null : secret, constrain, takes });
}

function serverOf(name: string): Server {
  const known = Object.keys(servers).find((server): server is Server => server === name);
  if (known === undefined) throw new Error(`COUNTERSIGN_TEST_MODEL_PROVIDER is none of ${Object.keys(servers).join(", ")}`);
  return known;
}

const pick = z.strictObject({
  device: z.enum(["mouse", "keyboard", "laptop"]),
  isBroken: z.boolean(),
  days: z.int().min(0).max(30),
});
const request = {
  system: "You read what an employee of a company writes and fill in the form. Days is how long it has been going on.",
  messages: [{ role: "user", text: "My mouse has been dead for 3 days." }],
  jsonSchema: jsonSchemaOf(pick),
} as const;

describe.skipIf(baseUrl === undefined)("a real model", () => {
  it.each(ways)("fills a form in by $constrain (streamed: $stream), and says what it used", patience, async (way) => {
    const provider = sourceOf(way).open(key);
    const reply = await provider.complete(requestFor(model, request), cancelSwitch().cancel);
    expect(reply).toMatchObject({ stopReason: "end", usage: { inputTokens: expect.any(Number) } });
    const json = parseStrictJson("text" in reply ? reply.text : "");
    expect(json.kind).toBe("parsed");
    if (json.kind === "parsed") expect((await fitReply(pick, json.value)).kind).toBe("fits");
  });

  it.each(ways)("ends at its limit of tokens by $constrain (streamed: $stream)", patience, async (way) => {
    // Enough for every API's least, and too little for the form; a model that reasons may not get to a word.
    const short = { ...model, maxOutputTokens: 16 };
    const long = { ...request, jsonSchema: jsonSchemaOf(z.strictObject({ poem: z.string() })) };
    const reply = await sourceOf(way).open(key).complete(requestFor(short, long), cancelSwitch().cancel);
    expect(reply).toMatchObject({ stopReason: "length" });
  });

  it.each(ways)("stops when nobody waits any more, by $constrain (streamed: $stream)", patience, async (way) => {
    const { cancel, fire } = cancelSwitch();
    const asked = sourceOf(way).open(key).complete(requestFor(model, request), cancel);
    setImmediate(fire);
    expect(await asked).toMatchObject({ fault: "cancelled" });
  });

  it.skipIf(key === null)("refuses another key, and the key is told to nobody", patience, async () => {
    const way = ways[0] ?? { constrain: "schema", stream: false };
    const reply = await sourceOf(way).open(canaryKey).complete(requestFor(model, request), cancelSwitch().cancel);
    expect(reply).toMatchObject({ fault: "refused_key" });
    expect(JSON.stringify(reply)).not.toContain(canaryKey);
  });
});
