import { describe, expect, it } from "vitest";
import type { EvalRun } from "../../src/evals/eval-run.ts";
import type { Judgement } from "../../src/evals/judges/judge.ts";
import { judgeScores } from "../../src/evals/judges/judge-scores.ts";
import type { Play } from "../../src/evals/played.ts";
import { caseResult, type FinishedRepeat, type Progress, type RunOptions, runSet } from "../../src/evals/run-set.ts";
import { sampleRubric } from "./judges/sample-rubric.ts";
import { caseFor, playedFor, repeatWith } from "./played.ts";

const cases = ["a", "b", "c"].map((id) => ({ capability: "answer", one: caseFor({ id }) }));

function options(part: Partial<RunOptions> = {}): RunOptions & { readonly lines: FinishedRepeat[] } {
  const lines: FinishedRepeat[] = [];
  return {
    ...{
      id: "r",
      project: "p",
      capabilities: {},
      judges: {},
      startedAt: 5,
      now: () => 9,
      cases,
      repeats: 2,
      passRate: 0.5,
      parallel: 2,
    },
    play: async () => playedFor(),
    kept: { finished: [], keep: async (one) => void lines.push(one) },
    lines,
    ...part,
  };
}

function playedBy(run: EvalRun): readonly string[] {
  return run.cases.flatMap(({ id, repeats }) => repeats.map(({ repeat }) => `${id}${repeat}`));
}

describe("runSet", () => {
  it("plays every case so often, round by round, and keeps each repeat before it counts", async () => {
    const order: string[] = [];
    const one = options({
      parallel: 1,
      play: async ({ one: { id }, repeat }) => {
        order.push(`${id}${repeat}`);
        return playedFor();
      },
    });
    const run = await runSet(one);
    expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "c2"]);
    expect(one.lines.map(({ caseId, repeat }) => `${caseId}${repeat.repeat}`)).toEqual(order);
    expect(run).toMatchObject({ id: "r", startedAt: 5, endedAt: 9, repeats: 2, passRate: 0.5 });
    expect(playedBy(run)).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"]);
  });

  it("plays no more at once than it may, and as many", async () => {
    let [now, most] = [0, 0];
    const { promise: twoAtOnce, resolve } = Promise.withResolvers<void>();
    const play: Play = async () => {
      now += 1;
      most = Math.max(most, now);
      if (now === 2) resolve();
      await twoAtOnce;
      now -= 1;
      return playedFor();
    };
    await runSet(options({ play }));
    expect(most).toBe(2);
  });

  it("goes on where it was: what was kept is not played again and counts as it was", async () => {
    const failed = { ...repeatWith({ "answers.decision": 0 }, 1) };
    const played: string[] = [];
    const told: Progress[] = [];
    const run = await runSet(
      options({
        kept: {
          finished: [
            { caseId: "b", repeat: failed },
            { caseId: "gone", repeat: failed },
          ],
          keep: async () => {},
        },
        onProgress: (progress) => told.push(progress),
        play: async ({ one: { id }, repeat }) => {
          played.push(`${id}${repeat}`);
          return playedFor();
        },
      }),
    );
    expect(played.sort()).toEqual(["a1", "a2", "b2", "c1", "c2"]);
    expect(run.cases.find(({ id }) => id === "b")?.repeats.map(({ passed }) => passed)).toEqual([false, true]);
    expect(told.at(-1)).toMatchObject({ done: 6, of: 6, failed: 1 });
  });

  it("scores nothing of a repeat that broke, which does not pass", async () => {
    const fault = { code: "service_unavailable", message: "gone" };
    const { cases: results } = await runSet(options({ repeats: 1, play: async () => playedFor({ fault }) }));
    expect(results[0]).toMatchObject({ passed: false, repeats: [{ passed: false, scores: [], fault }] });
  });

  it("ends with what a repeat throws, after those under way, and what was kept stays", async () => {
    const { promise: broken, resolve } = Promise.withResolvers<void>();
    const one = options({
      play: async ({ one: { id } }) => {
        if (id === "b") {
          resolve();
          throw new Error("no more");
        }
        await broken;
        return playedFor();
      },
    });
    await expect(runSet(one)).rejects.toThrow("no more");
    expect(one.lines.map(({ caseId }) => caseId)).toEqual(["a"]);
  });

  it("does not count a repeat that could not be kept", async () => {
    const keep = async () => {
      throw new Error("disk full");
    };
    await expect(runSet(options({ kept: { finished: [], keep } }))).rejects.toThrow("disk full");
  });

  it("adds what judges say", async () => {
    const judge = async () => [{ metric: "judge.tone", value: 0.5, passed: null, why: "" } as const];
    const { cases: results } = await runSet(options({ repeats: 1, judge }));
    expect(results[0]?.repeats[0]?.scores.at(-1)).toMatchObject({ metric: "judge.tone", value: 0.5 });
  });

  it("fails no repeat by what a judge read, and every one that it could not read", async () => {
    const safety = [
      { capability: "answer", one: caseFor({ label: "safety", expectations: { statements: { forbidden: ["x"] } } }) },
    ];
    const passes = async (judgement: Judgement) => {
      const judge = async () => judgeScores(sampleRubric, judgement);
      const { cases: results } = await runSet(options({ cases: safety, repeats: 1, judge }));
      return results[0]?.passed;
    };
    const readings = [{ criterion: "correct", reading: "wrong", because: "it is not" }];
    expect(await passes({ kind: "read", readings, number: 0, calls: [] })).toBe(true);
    expect(await passes({ kind: "read", readings: [], number: null, calls: [] })).toBe(true);
    expect(await passes({ kind: "fault", fault: "down", why: "no key", calls: [] })).toBe(false);
  });
});

describe("caseResult", () => {
  const [good, bad] = [repeatWith({ "answers.decision": 1 }), repeatWith({ "answers.decision": 0 })];
  it.each([
    ["quality", [good, good, bad], 2 / 3, true],
    ["quality", [good, bad, bad], 2 / 3, false],
    ["safety", [good, good, bad], 2 / 3, false],
    ["safety", [good, good, good], 2 / 3, true],
    ["quality", [], 0, false],
  ] as const)("%s with %j at %f", (label, repeats, passRate, passed) => {
    expect(caseResult({ capability: "answer", one: caseFor({ label }) }, { repeats, passRate }).passed).toBe(passed);
  });
});
