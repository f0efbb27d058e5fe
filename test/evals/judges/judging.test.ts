import { describe, expect, it } from "vitest";
import type { ProviderRequest } from "../../../src/contract/model.ts";
import type { EvalCase } from "../../../src/evals/case-file.ts";
import { openJudging } from "../../../src/judging.ts";
import { scriptedProvider } from "../../../src/testing/index.ts";
import { outcome } from "../reports/sample-run.ts";
import { sampleRubric } from "./sample-rubric.ts";

const email = "erin.example@post.example";
const one: EvalCase = {
  id: "a",
  request: "How old may a laptop be?",
  envelope: { principal: "emp-104", roles: ["employee"] },
  fixtures: { seed: "sandbox", passages: [], records: [], facts: [] },
  expectations: { decision: ["answered"] } as EvalCase["expectations"], // the rest is left out
  label: "quality",
  kind: "single",
  slice: "all",
  source: "written by hand",
};
const task = { one, capability: "answer_question", repeat: 1 };
const played = { outcome: outcome({ text: `Write to ${email}.`, model: "other/model-1" }), items: [] };

function open(rubrics = [sampleRubric], { costMicros, isScripted = true }: { costMicros?: number; isScripted?: boolean } = {}) {
  const asked: ProviderRequest[] = [];
  const reply = (request: ProviderRequest): string => {
    asked.push(request);
    const { answer } = JSON.parse(request.messages[0]?.text ?? "");
    const because = `it says: ${answer}`;
    return JSON.stringify({
      correct: { because, reading: "right" },
      plain: { because, reading: "yes" },
      polite: { because, reading: "no" },
    });
  };
  // A script behind the boundary is sent what a model would be.
  const provider = scriptedProvider({
    name: "script",
    boundary: "on",
    lines: [{ purpose: "judge", when: /(?:)/, replies: [reply] }],
  });
  const scores = openJudging({
    project: "it-support",
    parts: { providers: [{ ...provider, isScripted }] },
    rubrics,
    vault: { secret: (name) => name },
    privacy: { policy: null, exemptions: null, publicKeys: [], dictionaries: new Map() },
    ...(costMicros === undefined ? {} : { costMicros }),
  });
  return { asked, scores };
}

describe("the judges of a run", () => {
  it("score an answer behind the privacy boundary: what is sent holds no value, what comes back does", async () => {
    const { asked, scores } = open();
    const made = await scores(task, played);
    expect(made[0]).toEqual({
      metric: "judge.helpful_answer",
      value: expect.closeTo(4 / 6, 12),
      passed: null,
      why: expect.any(String),
    });
    expect(made[1]?.why).toBe(`right: it says: Write to ${email}.`);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked)).not.toContain(email);
  }, 60_000);

  it("read nothing of other capabilities and of cases that expect a refusal, and say so where nothing was told", async () => {
    const { asked, scores } = open();
    expect(await scores({ ...task, capability: "other" }, played)).toEqual([]);
    expect(await scores({ ...task, one: { ...one, expectations: { ...one.expectations, refuses: true } } }, played)).toEqual([]);
    const stopped = { ...played, outcome: outcome({ text: "", stop: "not_in_sources" }) };
    expect(await scores(task, stopped)).toEqual([
      { metric: "judge.helpful_answer", value: null, passed: null, why: "nothing was told, so there is nothing to read" },
    ]);
    expect(asked).toHaveLength(0);
  });

  it("stay within what they may cost together: what has no price is not asked under a cap", async () => {
    const { asked, scores } = open([sampleRubric], { costMicros: 5_000_000, isScripted: false });
    const [score] = await scores(task, played);
    expect(score).toMatchObject({ value: null, passed: false, why: expect.stringMatching(/over_budget/) });
    expect(asked).toHaveLength(0);
  });

  it("are refused before anything is run where their model cannot be asked", () => {
    const model = { ...sampleRubric.model, provider: "nowhere" };
    expect(() => open([{ ...sampleRubric, model }])).toThrow(
      expect.objectContaining({ code: "definition_invalid", message: expect.stringContaining("nowhere") }),
    );
  });
});
