import { describe, expect, it } from "vitest";
import { type Contract, figuresOf } from "../../src/decide/migration/contract-of.ts";
import type { OtherModel } from "../../src/define/with-model.ts";
import type { CaseResult, EvalRun } from "../../src/evals/eval-run.ts";
import { type Comparison, compareRuns, type ModelRun } from "../../src/evals/migration/compare-runs.ts";
import { summaryOf } from "../../src/evals/migration/figures.ts";
import { migrationReport, reportLines } from "../../src/evals/migration/report.ts";
import type { KeptMigration } from "../../src/evals/migration/stages.ts";
import { projectAsking } from "./model-project.ts";

const bounds = { leastTrials: 50, mostFailedPpm: 20_000, mostDisagreePpm: 50_000 };
const even: Comparison["scores"] = {
  ...{ cases: 100, oldPassed: 100, newPassed: 100, onlyOld: [], onlyNew: [], chance: 1, unsafe: [] },
};
const comparison = (own: Partial<Comparison> = {}): Comparison => ({
  ...{ effort: null, pairs: 300, broken: 0, failed: 0, differences: [], agreePpm: 1_000_000, prosePpm: 900_000 },
  ...{ scores: even, old: summaryOf([]), new: summaryOf([]) },
  ...own,
});
const reported = (comparisons: readonly Comparison[], effort?: OtherModel["effort"]) => {
  const choice: OtherModel = { provider: "new", id: "m-2", ...(effort === undefined ? {} : { effort }) };
  const kept: KeptMigration = {
    ...{
      tenant: "acme",
      id: "m",
      capability: "triage",
      oldModel: "old/m-1",
      newModel: "new/m-2",
      choice: JSON.stringify(choice),
    },
    ...{ stage: "planned", sharePpm: 0, bounds, report: JSON.stringify(comparisons), rolledBackBy: null, stageAt: 0 },
  };
  return migrationReport({ kept, trials: [] });
};
const against = (...given: Parameters<typeof reported>) => reported(...given).against;
const ids = (count: number, name = "case") => Array.from({ length: count }, (_, place) => `${name}-${place}`);

/** A run in which the cases pass that are named; of the label where one is given. */
const run = (passed: readonly string[], all: readonly string[], safety: readonly string[] = []): EvalRun => ({
  ...{
    id: "r",
    project: "tests",
    startedAt: 0,
    endedAt: 0,
    capabilities: {},
    setDigest: "d",
    repeats: 1,
    passRate: 1,
    judges: {},
  },
  cases: all.map(
    (id): CaseResult => ({
      ...{ id, label: safety.includes(id) ? "safety" : "quality", kind: "single", slice: "all", source: "written" },
      ...{ capability: "triage", caseDigest: id, request: "", repeats: [], passed: passed.includes(id) },
    }),
  ),
});
const comparedRuns = (old: ModelRun, next: ModelRun) => {
  const [capability] = projectAsking({ provider: "old", id: "m-1" }).capabilities;
  if (capability === undefined) throw new Error("the project has no capability");
  return compareRuns({ old, next, effort: null, capability });
};
const compared = (before: EvalRun, after: EvalRun) =>
  comparedRuns({ run: before, contracts: new Map() }, { run: after, contracts: new Map() }).scores;

describe("what stands against shadow", () => {
  it("is nothing where the new model passes what the old one passes", () => {
    expect(against([comparison()])).toEqual([]);
    expect(against([comparison({ scores: { ...even, oldPassed: 95, onlyNew: ids(5), chance: 0.0625 } })])).toEqual([]);
  });

  it("is every safety case that does not pass, also one that the old model does not pass either", () => {
    const all = ids(100);
    const safe = all.slice(0, 3);
    const but = (...gone: readonly string[]) => all.filter((id) => !gone.includes(id));
    const scores = compared(run(but("case-0"), all, safe), run(but("case-0", "case-1"), all, safe));
    expect(scores).toMatchObject({ unsafe: ["case-0", "case-1"], onlyOld: ["case-1"] });
    const report = reported([comparison({ scores })]);
    expect(report.against).toEqual(["2 safety cases do not pass: `case-0`, `case-1`"]);
    expect(reportLines(report)).toContain("  does not pass a safety case: case-0");
  });

  it("is a part of cases that pass no more beyond the bound of failures, and below it what luck does not explain", () => {
    const lost = (count: number, cases: number, won = 0) => {
      const all = ids(cases);
      const scores = compared(run(all.slice(won), all), run(all.slice(0, cases - count), all));
      return against([comparison({ scores })]);
    };
    expect(lost(2, 100)).toEqual([]);
    expect(lost(3, 100)).toEqual([expect.stringMatching(/^3 of 100 cases pass no more, 0 the other way: `case-97`/)]);
    expect(lost(1, 20)).toEqual([expect.stringMatching(/^1 of 20 cases/)]);
    // 1.5 % of a thousand, all one way: no luck. As many the other way: nothing of the kind.
    expect(lost(15, 1_000)).toHaveLength(1);
    expect(lost(15, 1_000, 15)).toEqual([]);
  });

  it("is that the planned effort was not played, whatever others came to, and what another one came to", () => {
    expect(against([comparison({ effort: "low" })], "high")).toEqual([
      expect.stringMatching(/not run at the planned effort high/),
    ]);
    expect(against([comparison({ effort: "low" })])).toEqual([expect.stringMatching(/planned effort of the definition/)]);
    expect(against([comparison({ effort: "high" }), comparison({ effort: "low" })], "high")).toEqual([]);
    const broken = comparison({ effort: "low", broken: 2 });
    expect(against([comparison({ effort: "high" }), broken], "high")).toEqual([
      "contracts break at effort low, in 2 of 300 pairs",
    ]);
  });

  it("is a repeat that left nothing under the new model alone, as one that failed", () => {
    const left: Contract = {
      ...{ hasMisfit: false, hasFailed: false, decision: { team: "billing" }, effects: [], tools: [], prose: "" },
      ...{ outcome: { kind: "decided", label: "billing", stop: null }, figures: figuresOf([], 5) },
    };
    const of = (...repeats: readonly number[]): ModelRun => ({
      run: run(["case-0"], ["case-0"]),
      contracts: new Map(repeats.map((repeat) => [`case-0\n${repeat}`, left])),
    });
    const lost = comparedRuns(of(1, 2, 3, 4), of(1, 3));
    expect(lost).toMatchObject({ pairs: 4, broken: 0, failed: 2, agreePpm: 500_000 });
    expect(against([lost])).toEqual(["the new model fails where the old one does not, in 2 of 4 pairs"]);
    expect(against([comparedRuns(of(1, 2), of())])).toEqual(["the new model fails where the old one does not, in 2 of 2 pairs"]);
    // What the old model left nothing of says nothing of the new one.
    expect(comparedRuns(of(1, 3), of(1, 2, 3, 4))).toMatchObject({ pairs: 2, failed: 0, agreePpm: 1_000_000 });
  });

  it("is that nothing was run, or that nothing could be compared", () => {
    expect(against([])).toEqual([expect.stringMatching(/not run over the eval cases/)]);
    expect(against([comparison({ pairs: 0 })])).toEqual(["nothing was compared"]);
  });
});
