import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import support from "../../examples/it-support/project.ts";
import proposals from "../../examples/proposals/project.ts";
import reconciliation from "../../examples/reconciliation/project.ts";
import refunds from "../../examples/refunds/project.ts";
import type { Capability } from "../../src/contract/capability.ts";
import { loopPrompt } from "../../src/decide/loop-prompt.ts";
import { findNames } from "../../src/guard/privacy/recogniser/find-names.ts";
import { openNameModel } from "../../src/guard/privacy/recogniser/name-model.ts";

const root = new URL("../../", import.meta.url);
const model = openNameModel(readFileSync(new URL("src/guard/privacy/recogniser/model.bin", root)));
const found = (text: string) =>
  findNames(text, { model, places: false }).map(({ class: one, start, end }) => `${one}: ${text.slice(start, end)}`);
const capabilities: readonly Capability[] = [support, proposals, reconciliation, refunds].flatMap(
  (project): readonly Capability[] => project.capabilities,
);
const neutral = { inputs: { text: "My mouse is broken, please replace it." }, context: { items: [], digest: "" }, examples: [] };

/** What a capability sends besides what was asked and loaded. */
function textsOf({ deciding, description, refuses }: Capability): readonly string[] {
  const own = [description, refuses ?? ""];
  if (deciding.kind === "rule") return own;
  const base = deciding.prompt(neutral as unknown as Parameters<typeof deciding.prompt>[0]);
  const prompt = deciding.kind === "loop" ? loopPrompt({ base, tools: deciding.tools, maxSteps: deciding.maxSteps }) : base;
  return [...own, prompt.system, ...prompt.messages.map(({ text }) => text)];
}

/** Made-up companies of the worked examples: they are names. */
const companies = new Set(["organisation: Cirrus", "person: Norlake"]);

/** Texts in which nobody is named but a handful of made-up people, makers and products, in the words that teams and their agents write. */
const pages = globSync(["docs/*.md", "docs/decisions/*.md", "examples/*/documents/*.md"], { cwd: root }).map((path) =>
  readFileSync(new URL(path, root), "utf8"),
);

describe("what is sent and is nobody's", () => {
  it.each(capabilities.map((capability) => [capability.name, capability] as const))(
    "stays in the prompt of %s",
    (_, capability) => {
      expect(
        textsOf(capability)
          .flatMap(found)
          .filter((one) => !companies.has(one)),
      ).toEqual([]);
    },
  );

  it("stays in the instructions of the graph itself", () => {
    const sources = ["intake", "loop-prompt", "structured", "planning/ask-plan", "retrieval/ask-plan"].map((name) =>
      readFileSync(new URL(`src/decide/${name}.ts`, root), "utf8"),
    );
    // Sentences in quotes: what is not is code, and is not sent.
    const sentences = sources.flatMap((source) => source.match(/(["'`])[^\n]{30,}\1/g) ?? []);
    expect(sentences.length).toBeGreaterThan(20);
    expect(sentences.flatMap(found)).toEqual([]);
  });

  it("is covered for 3 characters of 1000 at most in pages of prose, tables and code", () => {
    const chars = pages.reduce((sum, page) => sum + page.length, 0);
    const covered = pages
      .flatMap((page) => findNames(page, { model, places: false }))
      .reduce((sum, { start, end }) => sum + end - start, 0);
    expect(chars).toBeGreaterThan(200_000);
    expect(covered / chars).toBeLessThan(0.003);
  });
});
