import { readdirSync, readFileSync } from "node:fs";
import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { describe, expect, it } from "vitest";
import { actions } from "./actions.ts";
import { openAsk, strictEngine } from "./ask.ts";
import { compilePolicies } from "./compile.ts";
import { runPolicyTests } from "./policy-test.ts";
import { type PolicyText, schemaFile } from "./policy-text.ts";

const folder = new URL("../../../policies/", import.meta.url);
const files = readdirSync(folder).map((file): PolicyText => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));
const texts = files.filter(({ file }) => !file.endsWith(".test.json"));
const tests = files.filter(({ file }) => file.endsWith(".test.json"));
const shipped = compilePolicies(texts);

function failures(changed: readonly PolicyText[]) {
  return runPolicyTests({ ask: openAsk(compilePolicies(changed), strictEngine), texts: tests }).filter(
    ({ isPassed }) => !isPassed,
  );
}

function replaced(from: string, to: string): readonly PolicyText[] {
  return texts.map(({ file, text }) => ({ file, text: text.replace(from, to) }));
}

describe("the default policies", () => {
  it("keep their own tests", () => {
    expect(failures(texts)).toEqual([]);
  });

  it("answer the same to the program, which asks without the schema", () => {
    expect(runPolicyTests({ ask: openAsk(shipped), texts: tests }).filter(({ isPassed }) => !isPassed)).toEqual([]);
  });

  it.each(shipped.policies.map(({ id, text }) => [id, text]))("has a test that fails without %s", (_id, text) => {
    expect(failures(replaced(text, "")).length).toBeGreaterThan(0);
  });

  // Behind `risk_not_low` its condition says the same twice: policy lets nothing through by a slip in one of the two.
  const doubled = "risk_low";
  const conditional = shipped.policies.filter(
    ({ id, effect, text }) => effect === "permit" && text.includes("when {") && id !== doubled,
  );
  it.each(conditional.map(({ id, text }) => [id, text]))("has a test that fails where %s has no condition", (_id, text) => {
    const open = `${text.slice(0, text.indexOf("when {")).trim()};`;
    expect(failures(replaced(text, open)).length).toBeGreaterThan(0);
  });

  const narrowed = shipped.policies.filter(({ effect }) => effect === "forbid");
  it.each(narrowed.map(({ id, text }) => [id, text]))("has a test that fails where %s forbids everything", (_id, text) => {
    const always = `${text.slice(0, text.search(/(?:when|unless) \{/)).trim()};`;
    expect(failures(replaced(text, always)).length).toBeGreaterThan(0);
  });

  it("each have a sentence for people and a comment of one line", () => {
    for (const { id, file, text } of shipped.policies) {
      expect(text, id).toContain("@refusal(");
      const source = texts.find((one) => one.file === file)?.text ?? "";
      const before = source.slice(0, source.indexOf(text)).trimEnd().split("\n");
      expect(before.at(-1), id).toMatch(/^\/\/ .*[.?]$/);
    }
  });

  it("speak of the actions that the program asks about", () => {
    const schema = cedar.schemaToJson(texts.find(({ file }) => file === schemaFile)?.text ?? "");
    if (schema.type === "failure") throw new Error("the schema does not parse");
    const declared = Object.entries(schema.json[""]?.actions ?? {}).map(([name, { appliesTo }]) => [
      name,
      appliesTo?.resourceTypes,
    ]);
    expect(Object.fromEntries(declared)).toEqual(
      Object.fromEntries(Object.entries(actions).map(([name, type]) => [name, [type]])),
    );
  });
});
