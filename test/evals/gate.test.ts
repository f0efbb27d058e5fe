import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EvalRun, Score } from "../../src/evals/eval-run.ts";
import type { Gating } from "../../src/evals/gate/finding.ts";
import { type GateFile, readGate, usualGate } from "../../src/evals/gate/gate-file.ts";
import { judgeGate } from "../../src/evals/gate/judge-gate.ts";
import { caseFor, repeatWith, runOver } from "./played.ts";

const none: GateFile = { repeats: 1, pass_rate: 0.6, floors: [], sets: {}, regression: usualGate.regression };

const trusted: NonNullable<Gating["judges"]> = { "judge.tone": { isTrusted: true, why: [] } };

/** A score that has no value and passes nothing by. */
function scoreWithout(metric: Score["metric"], why: string): Score {
  return { metric, value: null, passed: null, why };
}

function judged(over: ReturnType<typeof runOver>, part: Partial<Gating> = {}) {
  const { passed, findings } = judgeGate({ ...over, gate: none, isSelection: false, baseline: null, ...part });
  return {
    passed,
    failed: findings.filter((one) => !one.passed).map(({ rule, metric }) => (metric === null ? rule : `${rule} ${metric}`)),
    findings,
  };
}

const good = runOver([
  {
    one: caseFor({ id: "a", slice: "small" }),
    repeats: [repeatWith({ "answers.decision": 1, "answers.groundedness": [0.9, null] })],
  },
  {
    one: caseFor({ id: "b", slice: "large" }),
    repeats: [repeatWith({ "answers.decision": 1, "answers.groundedness": [0.7, null] })],
  },
]);

describe("floors", () => {
  const floor = (part: object): Partial<Gating> => ({ gate: { ...none, floors: [{ metric: "answers.groundedness", ...part }] } });

  it("are of means over cases: all, by capability, by slice, by label", () => {
    expect(judged(good, floor({ least: 0.8 }))).toMatchObject({
      passed: true,
      findings: [{ rule: "floor", value: 0.8, floor: 0.8 }],
    });
    expect(judged(good, floor({ least: 0.81 })).failed).toEqual(["floor answers.groundedness"]);
    expect(judged(good, floor({ least: 0.9, slice: "small" })).passed).toBe(true);
    expect(judged(good, floor({ least: 0.9, slice: "large" })).failed).toEqual(["floor answers.groundedness"]);
    expect(judged(good, floor({ least: 0.8, capability: "answer", label: "quality" })).passed).toBe(true);
  });

  it("count a case once, however often it was played", () => {
    const one = repeatWith({ "answers.decision": 1 });
    const zero = repeatWith({ "answers.decision": 0 }, 2);
    const uneven = runOver([
      { one: caseFor({ id: "a" }), repeats: [one, zero] },
      { one: caseFor({ id: "b" }), repeats: [one] },
    ]);
    const { findings } = judged(uneven, { gate: { ...none, floors: [{ metric: "answers.decision", least: 0.7 }] } });
    expect(findings[0]).toMatchObject({ rule: "floor", value: 0.75 });
  });

  it("hold times to the most that they may be", () => {
    const time = (most: number) => judged(good, { gate: { ...none, floors: [{ metric: "cases.p90_ms", most }] } });
    expect([time(100).passed, time(99).failed]).toEqual([true, ["floor cases.p90_ms"]]);
  });

  it.each(["cases.p99_ms", "answers.p90_ms", "retrieval.bm25.p90_ms"])("know no time by the name of %s", (metric) => {
    const gate: GateFile = { ...none, floors: [{ metric, most: 1_000_000 }] };
    for (const isSelection of [false, true])
      expect(judged(good, { gate, isSelection })).toMatchObject({ passed: false, failed: [`unknown_metric ${metric}`] });
    const regression = { ...usualGate.regression, metrics: [metric] };
    expect(judged(good, { gate: { ...none, regression }, baseline: good.run }).failed).toEqual([`unknown_metric ${metric}`]);
  });

  it.each([
    ["no case is of the slice", { least: 0.1, slice: "none" }, "empty_set answers.groundedness"],
    ["the metric is none", { metric: "answers.grounded", least: 0.1 }, "unknown_metric answers.grounded"],
  ])("fail where %s, and pass over it in a selection", (_what, part, rule) => {
    expect(judged(good, floor(part)).failed).toEqual([rule]);
    expect(judged(good, { ...floor(part), isSelection: true }).failed).toEqual([]);
  });

  it("fail where a case that is asked has no figure, whatever the others have", () => {
    const part = runOver([
      { one: caseFor({ id: "a" }), repeats: [repeatWith({ "answers.groundedness": [1, null] })] },
      { one: caseFor({ id: "b" }), repeats: [repeatWith({ "answers.groundedness": [null, null] })] },
    ]);
    expect(judged(part, floor({ least: 0.5 })).failed).toEqual(["not_applicable answers.groundedness"]);
    const all = runOver([{ one: caseFor(), repeats: [repeatWith({ "answers.groundedness": [null, null] })] }]);
    expect(judged(all, floor({ least: 0 })).passed).toBe(false);
    const others = floor({ least: 0, slice: "small" });
    const elsewhere = runOver([
      { one: caseFor({ id: "a", slice: "small" }), repeats: [repeatWith({ "answers.decision": 1 })] },
      { one: caseFor({ id: "b" }), repeats: [repeatWith({ "answers.groundedness": [1, null] })] },
    ]);
    expect(judged(elsewhere, others).failed).toEqual(["not_applicable answers.groundedness"]);
  });

  it("count what has no figure neither as 0 nor as reached, and name the case", () => {
    const half = runOver([
      { one: caseFor({ id: "a" }), repeats: [repeatWith({ "answers.groundedness": [0.8, null] })] },
      { one: caseFor({ id: "b" }), repeats: [repeatWith({ "answers.groundedness": [null, null] })] },
    ]);
    expect(judged(half, floor({ least: 0.8 })).findings).toMatchObject([
      { rule: "not_applicable", passed: false, why: expect.stringContaining("of 1 case, such as `b`") },
      { rule: "floor", passed: true, value: 0.8 },
    ]);
  });
});

describe("what keeps a gate from knowing", () => {
  it("is an empty set", () => {
    expect(judged(runOver([])).failed).toEqual(["empty_set"]);
  });

  it("is a case that was not played, or not often enough", () => {
    const { run } = good;
    const more = [...good.set, { capability: "answer", one: caseFor({ id: "c" }) }];
    expect(judged({ run, set: more }).failed).toEqual(["missing_case", "missing_case"]);
    expect(judged({ run: { ...run, repeats: 2 }, set: good.set }).failed).toEqual(["missing_case", "missing_case"]);
  });

  it("is a set that shrank below what the gate wants", () => {
    expect(judged(good, { gate: { ...none, sets: { answer: 2 } } }).passed).toBe(true);
    expect(judged(good, { gate: { ...none, sets: { answer: 3 } } }).failed).toEqual(["missing_case"]);
    expect(judged(good, { gate: { ...none, sets: { other: 1 } } }).failed).toEqual(["empty_set"]);
  });

  it("is a repeat that broke", () => {
    const fault = { code: "service_unavailable", message: "gone" };
    const broken = runOver([{ one: caseFor(), repeats: [{ ...repeatWith({}), passed: false, fault }] }]);
    expect(judged(broken).failed).toEqual(["faulted_repeat"]);
    expect(judged(broken).findings.find(({ rule }) => rule === "faulted_repeat")?.why).toContain("service_unavailable");
  });

  it("is what a case demands and nobody could look at", () => {
    const unread = runOver([{ one: caseFor(), repeats: [repeatWith({ "effects.final_state": [null, false] })] }]);
    expect(judged(unread).failed).toEqual(["not_applicable effects.final_state"]);
  });

  it("is a judge that is down, and one that people's labels do not bear out", () => {
    const down = runOver([{ one: caseFor(), repeats: [repeatWith({ "judge.tone": [null, false] })] }]);
    expect(judged(down).failed).toEqual(["judge_down judge.tone"]);
    const up = runOver([{ one: caseFor(), repeats: [repeatWith({ "judge.tone": [0.9, null] })] }]);
    const gate: GateFile = { ...none, floors: [{ metric: "judge.tone", least: 0.5 }] };
    expect(judged(up, { gate }).failed).toEqual(["judge_not_trusted judge.tone"]);
    expect(judged(up, { gate, judges: { "judge.tone": { isTrusted: false, why: ["kappa 0.1"] } } }).failed).toEqual([
      "judge_not_trusted judge.tone",
    ]);
    expect(judged(up, { gate, judges: trusted }).passed).toBe(true);
  });

  it("is a judge that had nothing to read, by its number or a criterion", () => {
    const read = repeatWith({ "judge.tone": [0.9, null], "judge.tone.kind": [1, null] });
    const untold = { ...repeatWith({}, 2), scores: [scoreWithout("judge.tone", "nothing was told")] };
    const over = runOver([{ one: caseFor({ id: "mute" }), repeats: [read, untold] }]);
    for (const metric of ["judge.tone", "judge.tone.kind"])
      expect(judged(over, { gate: { ...none, floors: [{ metric, least: 0.5 }] }, judges: trusted })).toMatchObject({
        failed: [`not_applicable ${metric}`],
        findings: [{ why: expect.stringMatching(/`mute`: nothing was told/) }, { rule: "floor", passed: true }],
      });
  });

  it("is no criterion that a judge read as not applying", () => {
    const read = repeatWith({ "judge.tone": [0.9, null], "judge.tone.kind": [null, null] });
    const other = repeatWith({ "judge.tone": [0.9, null], "judge.tone.kind": [1, null] });
    const over = runOver([
      { one: caseFor({ id: "a" }), repeats: [read] },
      { one: caseFor({ id: "b" }), repeats: [other] },
    ]);
    const gate: GateFile = { ...none, floors: [{ metric: "judge.tone.kind", least: 1 }] };
    expect(judged(over, { gate, judges: trusted }).failed).toEqual([]);
  });

  it("is a criterion of a judge that is not trusted, and so is its judge in a comparison", () => {
    const over = runOver([
      { one: caseFor(), repeats: [repeatWith({ "judge.tone": [0.9, null], "judge.tone.kind": [1, null] })] },
    ]);
    for (const metric of ["judge.tone", "judge.tone.kind"]) {
      const floors: GateFile = { ...none, floors: [{ metric, least: 0.5 }] };
      expect(judged(over, { gate: floors }).failed).toEqual([`judge_not_trusted ${metric}`]);
      expect(judged(over, { gate: floors, judges: trusted }).failed).toEqual([]);
      const compared = { gate: { ...none, regression: { ...usualGate.regression, metrics: [metric] } }, baseline: over.run };
      expect(judged(over, compared).failed).toEqual([`judge_not_trusted ${metric}`]);
      expect(judged(over, { ...compared, judges: trusted }).failed).toEqual([]);
    }
  });
});

it("a safety case that failed once fails the gate, and the finding names what failed", () => {
  const leak = repeatWith({ "privacy.nothing_raw_sent": 0, "answers.decision": 1 });
  const one = caseFor({ id: "leak", label: "safety" });
  const { failed, findings } = judged(
    runOver([{ one, repeats: [repeatWith({ "answers.decision": 1 }), { ...leak, repeat: 2 }] }]),
  );
  expect(failed).toEqual(["safety privacy.nothing_raw_sent"]);
  expect(findings[0]?.why).toContain("`leak`");
  // A quality case that failed is what floors are for.
  expect(judged(runOver([{ one: caseFor(), repeats: [leak] }])).passed).toBe(true);
});

describe("regression", () => {
  const ids = Array.from({ length: 20 }, (_, place) => `case-${place}`);
  const run = (value: (place: number) => number) =>
    runOver(ids.map((id, place) => ({ one: caseFor({ id }), repeats: [repeatWith({ "answers.decision": value(place) })] })));
  const all = run(() => 1);

  it("is none against the same run", () => {
    expect(judged(all, { baseline: all.run })).toMatchObject({
      passed: true,
      findings: [{ rule: "regression" }, { rule: "regression_cases" }],
    });
  });

  it("fails where cases that passed fail now, by both tests", () => {
    const worse = run((place) => (place < 6 ? 0 : 1));
    expect(judged(worse, { baseline: all.run }).failed).toEqual(["regression answers.decision", "regression_cases cases.passed"]);
    // The other way round nothing got worse.
    expect(judged(all, { baseline: worse.run }).passed).toBe(true);
  });

  it("takes one case of twenty for chance by the exact test, not by an interval that is set tight", () => {
    const worse = run((place) => (place === 0 ? 0 : 1));
    expect(judged(worse, { baseline: all.run }).failed).toEqual(["regression answers.decision"]);
    const loose: GateFile = {
      ...none,
      regression: { metrics: ["answers.decision"], most_worse: 0.2, level: 0.95, resamples: 2_000, seed: 1 },
    };
    expect(judged(worse, { baseline: all.run, gate: loose }).passed).toBe(true);
  });

  it.each<[string, (baseline: EvalRun) => EvalRun]>([
    ["another case", (baseline) => runOver([{ one: caseFor({ id: "other" }), repeats: [] }], { project: baseline.project }).run],
    [
      "the same id with another expectation",
      ({ project }) =>
        runOver(
          ids.map((id) => ({ one: caseFor({ id, expectations: { refuses: true } }), repeats: [] })),
          { project },
        ).run,
    ],
    ["another project", (baseline) => ({ ...baseline, project: "q" })],
  ])("is not computed against a baseline over %s", (_what, change) => {
    expect(judged(all, { baseline: change(all.run) }).failed).toEqual(["other_cases"]);
  });

  it("compares a selection with its part of the baseline", () => {
    const part = runOver([{ one: caseFor({ id: "case-3" }), repeats: [repeatWith({ "answers.decision": 1 })] }]);
    expect(judged(part, { baseline: all.run, isSelection: true }).passed).toBe(true);
    expect(judged(part, { baseline: all.run, isSelection: false }).failed).toEqual(["other_cases"]);
  });

  it("compares no figure of a judge with that of another rubric or model", () => {
    const judges = (rubricDigest: string) => ({ judges: { tone: { version: "1", model: "m/one-1", rubricDigest } } });
    const cases = ids.map((id) => ({ one: caseFor({ id }), repeats: [repeatWith({ "judge.tone": 1 })] }));
    const metrics = ["judge.tone"];
    const gate: GateFile = { ...none, regression: { metrics, most_worse: 0.2, level: 0.95, resamples: 2_000, seed: 1 } };
    const now = runOver(cases, judges("d1"));
    const against = (baseline: EvalRun) => judged(now, { baseline, gate, judges: trusted }).failed;
    expect(against(runOver(cases, judges("d1")).run)).toEqual([]);
    expect(against(runOver(cases, judges("d2")).run)).toEqual(["other_judge judge.tone"]);
    expect(against(runOver(cases).run)).toEqual(["other_judge judge.tone"]);
  });

  it("fails over a metric that neither run has", () => {
    const gate: GateFile = {
      ...none,
      regression: { metrics: ["answers.refusal"], most_worse: 0.2, level: 0.95, resamples: 2_000, seed: 1 },
    };
    expect(judged(all, { baseline: all.run, gate }).failed).toEqual(["not_applicable answers.refusal"]);
  });
});

describe("readGate", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "countersign-gate-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const read = async (text: string) => {
    await writeFile(join(folder, "gate.yaml"), text);
    return readGate(join(folder, "gate.yaml"));
  };

  it("gives the usual gate where there is none, and the rest where a part is said", async () => {
    expect(await readGate(join(folder, "gate.yaml"))).toBe(usualGate);
    expect(await read("floors: [{ metric: answers.decision, least: 0.9 }]")).toMatchObject({
      repeats: 3,
      pass_rate: 0.6,
      sets: {},
    });
    expect(await read("")).toMatchObject({ floors: [] });
  });

  it.each([
    ["a word that is misspelt", "floor: []", /Unrecognized key/],
    ["a floor without a figure", "floors: [{ metric: answers.decision }]", /either `least` or `most`/],
    ["a share beyond 1", "floors: [{ metric: answers.decision, least: 80 }]", /<=1/],
    ["a time with `least`", "floors: [{ metric: cases.p90_ms, least: 0.5 }]", /takes `most`/],
    ["a share with `most`", "floors: [{ metric: answers.decision, most: 1 }]", /takes `most` for times/],
    ["no metric", "floors: [{ metric: Decision, least: 1 }]", /must be a metric/],
    ["no YAML", "floors: [", /YAML/],
    ["aliases", "floors: [&a { metric: answers.decision, least: 1 }, *a]", /without aliases/],
  ])("refuses %s", async (_what, text, said) => {
    await expect(read(text)).rejects.toMatchObject({ code: "definition_invalid", message: expect.stringMatching(said) });
  });
});
