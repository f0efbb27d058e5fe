import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Capability, ModelChoice } from "../contract/capability.ts";
import { defineCapability } from "./capability.ts";
import { exchangeModel } from "./exchange-model.ts";
import { defineProject } from "./project.ts";
import { withModel } from "./with-model.ts";

const first: ModelChoice = {
  provider: "openai",
  id: "gpt-4.1-2025-04-14",
  effort: "low",
  temperature: 0.2,
  maxOutputTokens: 700,
};
const second: ModelChoice = { ...first, provider: "anthropic", id: "claude-1-20260101" };
const other = { provider: "local", id: "qwen-1" };

const made = (name: string, deciding: Capability["deciding"]) =>
  defineCapability({
    ...{ name, version: "1", owner: "desk", description: "Answer.", openTo: ["employee"], deciding, checks: [] },
    ...{ input: z.strictObject({ text: z.string() }), decision: z.strictObject({ yes: z.boolean() }) },
    needs: () => [],
    propose: () => ({ summary: "yes" }),
  });
const prompted = (name: string) =>
  made(name, { kind: "prompt", version: "1", model: first, second, prompt: () => ({ system: "", messages: [] }) });
const project = defineProject({
  name: "desk",
  capabilities: [prompted("one"), prompted("two"), made("ruled", { kind: "rule", version: "1", rule: () => ({ yes: true }) })],
  intakeModel: first,
});
const modelOf = (of: ReturnType<typeof withModel>, name: string) => {
  const deciding = of.capabilities.find((one) => one.name === name)?.deciding;
  return deciding?.kind === "prompt" ? { model: deciding.model, second: deciding.second } : deciding?.kind;
};

describe("withModel", () => {
  it("exchanges every model, keeps how each is asked, and drops the second", () => {
    const tried = withModel(project, other);
    expect(modelOf(tried, "one")).toEqual({ model: { ...first, ...other }, second: undefined });
    expect(modelOf(tried, "two")).toEqual({ model: { ...first, ...other }, second: undefined });
    expect(modelOf(tried, "ruled")).toBe("rule");
    expect(tried.intakeModel).toEqual({ ...first, ...other });
    expect(modelOf(project, "one")).toEqual({ model: first, second });
  });

  it("asks it as it is told to", () => {
    const tried = withModel(project, { ...other, effort: "high", temperature: null });
    expect(modelOf(tried, "one")).toMatchObject({ model: { effort: "high", temperature: null, maxOutputTokens: 700 } });
  });

  it("exchanges that of one capability alone, or of intake", () => {
    const tried = withModel(project, other, "two");
    expect([modelOf(tried, "one"), tried.intakeModel]).toEqual([{ model: first, second }, first]);
    expect(modelOf(tried, "two")).toMatchObject({ model: other });
    const intake = withModel(project, other, "intake");
    expect([modelOf(intake, "two"), intake.intakeModel]).toEqual([
      { model: first, second },
      { ...first, ...other },
    ]);
  });

  it("refuses a floating id and a name that is not there", () => {
    expect(() => withModel(project, { provider: "openai", id: "gpt-latest" })).toThrow(/floating/);
    expect(() => withModel(project, other, "three")).toThrow(/no capability `three`/);
  });

  it.each([{ effort: "hihg" as "high" }, { temperature: Number.NaN }, { temperature: -1 }])(
    "refuses settings that no model has, and so does an exchange of one model: %j",
    (settings) => {
      expect(() => withModel(project, { ...other, ...settings })).toThrow(/effort|temperature/);
      const [one] = project.capabilities;
      if (one === undefined) throw new Error("the project has no capability");
      const exchange = (to: typeof other) => exchangeModel(one, { from: first, to });
      expect(() => exchange({ ...other, ...settings })).toThrow(/effort|temperature/);
      expect(exchange(other)).not.toBeNull();
    },
  );
});
