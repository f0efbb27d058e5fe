import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agreementOf } from "../../../src/evals/agreement/agreement.ts";
import { judgeReadings } from "../../../src/evals/agreement/judge-readings.ts";
import { labelSheet } from "../../../src/evals/agreement/label-sheet.ts";
import { type Label, readLabels } from "../../../src/evals/agreement/labels.ts";
import { agreementPath, agreementText, readAgreement, trustOf } from "../../../src/evals/agreement/trust.ts";
import type { EvalRun } from "../../../src/evals/eval-run.ts";
import { judgeScores } from "../../../src/evals/judges/judge-scores.ts";
import { judgesOf } from "../../../src/evals/judges/judges-of.ts";
import type { Rubric } from "../../../src/evals/judges/rubric.ts";
import { rubricDigest } from "../../../src/evals/judges/rubric-digest.ts";
import { sampleRubric } from "../judges/sample-rubric.ts";
import { caseOf, hostile, outcome, repeat, runOf } from "../reports/sample-run.ts";

const label = (decision: string, reading: string, person = "erin", criterion = "correct"): Label => ({
  decision,
  criterion,
  person,
  reading,
});
const read = (decision: string, reading: string, criterion = "correct") => ({ decision, criterion, reading });

/** Forty answers: people find the even ones right and the odd ones wrong; the judge misses every tenth. */
const forty = Array.from({ length: 40 }, (_, place) => `d-${place}`);
const words = ["right", "wrong"];
const labels = forty.map((decision, place) => label(decision, words[place % 2] ?? ""));
const readings = forty.map((decision, place) => read(decision, words[(place + (place % 10 === 0 ? 1 : 0)) % 2] ?? ""));
const one: Rubric = { ...sampleRubric, criteria: sampleRubric.criteria.slice(0, 1) };
const byJudge = (all: typeof readings, rubric = one) => ({ readings: all, rubricDigest: rubricDigest(rubric) });

describe("agreement", () => {
  it("compares a judge with the word that most people said, and counts what is contested for nobody", () => {
    const agreement = agreementOf({
      rubric: one,
      read: byJudge([read("a", "right"), read("b", "wrong"), read("c", "partly")]),
      labels: [
        ...[label("a", "right"), label("a", "right", "adam"), label("a", "wrong", "cleo")],
        ...[label("b", "wrong"), label("b", "right", "adam")],
        label("c", "right"),
        label("d", "right"),
      ],
    });
    expect(agreement).toMatchObject({ judge: "helpful_answer", people: 3 });
    expect(agreement.criteria[0]).toMatchObject({ criterion: "correct", labels: 2, contested: 1, same: 0.5 });
    expect(agreement.criteria[0]?.confusion).toEqual({
      words: ["wrong", "partly", "right"],
      counts: [
        [0, 0, 0],
        [0, 0, 1],
        [0, 0, 1],
      ],
    });
  });

  it("has a figure, an interval around it, and the same ones again", () => {
    const made = agreementOf({ rubric: one, read: byJudge(readings), labels });
    const [of] = made.criteria;
    // 36 of 40 alike; the judge said right 16 times of 40, people 20 times: chance 0.5, so 1 - 0.1 / 0.5.
    expect(of?.kappa).toBeCloseTo(0.8, 10);
    expect(of?.interval?.low).toBeGreaterThan(0.5);
    expect(of?.interval?.low).toBeLessThan(0.8);
    expect(of?.interval?.high).toBeGreaterThan(0.8);
    expect(of?.interval?.high).toBeLessThanOrEqual(1);
    expect(agreementOf({ rubric: one, read: byJudge(readings), labels })).toEqual(made);
  });

  it("has no figure where there is nothing to hold the judge against", () => {
    const [none] = agreementOf({ rubric: one, read: byJudge([]), labels: [] }).criteria;
    expect(none).toMatchObject({ labels: 0, same: null, kappa: null, interval: null, peopleAlpha: null, alpha: null });
  });
});

describe("trust", () => {
  const agreement = agreementOf({ rubric: one, read: byJudge(readings), labels });

  it("is given over enough labels and enough agreement, under the very rubric", () => {
    expect(trustOf(one, agreement)).toEqual({ isTrusted: true, why: [] });
    expect(trustOf({ ...one, floor: 0.1 }, agreement).isTrusted).toBe(true);
  });

  it.each<[string, Rubric, Parameters<typeof trustOf>[1], RegExp]>([
    ["nobody looked", one, null, /never held against people's labels/],
    ["the task changed", { ...one, task: "Another one." }, agreement, /has changed/],
    ["the model changed", { ...one, model: { ...one.model, id: "judge-2027-01-01" } }, agreement, /has changed/],
    ["it is another judge's", { ...one, name: "other" }, agreement, /has changed/],
    ["there are too few labels", { ...one, trust: { kappa: 0.6, labels: 41 } }, agreement, /40 labels of the 41/],
    ["it agrees too little", { ...one, trust: { kappa: 0.85, labels: 30 } }, agreement, /kappa of 0.800, which is under 0.85/],
    [
      "all said one word",
      one,
      agreementOf({
        rubric: one,
        read: byJudge(forty.map((id) => read(id, "right"))),
        labels: forty.map((id) => label(id, "right")),
      }),
      /nothing can be learnt/,
    ],
    [
      "a criterion was not labelled",
      sampleRubric,
      agreementOf({ rubric: sampleRubric, read: byJudge(readings, sampleRubric), labels }),
      /`plain` has 0 labels/,
    ],
  ])("is not given where %s", (_what, rubric, kept, why) => {
    const trust = trustOf(rubric, kept);
    expect(trust.isTrusted).toBe(false);
    expect(trust.why.join("\n")).toMatch(why);
  });

  describe("kept beside the rubric", () => {
    let project: string;
    beforeEach(async () => {
      project = await mkdtemp(join(tmpdir(), "countersign-trust-"));
      await mkdir(join(project, "evals", "judges"), { recursive: true });
    });
    afterEach(() => rm(project, { recursive: true, force: true }));

    it("is what it was, nothing where nothing is kept, and refused where it was tampered with", async () => {
      expect(await readAgreement(project, "helpful_answer")).toBeNull();
      const path = join(project, agreementPath("helpful_answer"));
      await writeFile(path, agreementText(agreement));
      expect(trustOf(one, await readAgreement(project, "helpful_answer")).isTrusted).toBe(true);
      await writeFile(path, agreementText(agreement).replace(/"kappa": 0\.8\d*/, '"kappa": 2'));
      await expect(readAgreement(project, "helpful_answer")).rejects.toMatchObject({ code: "definition_invalid" });
    });
  });
});

describe("a file of labels", () => {
  const csv = "decision,criterion,person,reading\nd-1,correct,erin,right\nd-1,correct,adam,\nd-2,polite,erin,not_applicable\n";

  it("is read row by row; a reading that was not filled in is passed over, further columns too", () => {
    const filled = [label("d-1", "right"), label("d-2", "not_applicable", "erin", "polite")];
    expect(readLabels(csv, sampleRubric)).toEqual(filled);
    expect(
      readLabels(csv.replaceAll(/^/gm, "x,").replace("x,decision", "note,decision").replace(/x,$/, ""), sampleRubric),
    ).toEqual(filled);
    expect(readLabels("", sampleRubric)).toEqual([]);
  });

  it.each([
    ["a criterion that there is not", "d-1,kind,erin,right", /line 2.*correct, plain, polite/],
    ["a word that there is not", "d-1,correct,erin,fine", /line 2.*wrong, partly, right/],
    ["what does not apply where it must", "d-1,correct,erin,not_applicable", /line 2/],
    ["nobody", "d-1,correct,,right", /names its decision and its person/],
    ["one person twice", "d-1,correct,erin,right\nd-1,correct,erin,wrong", /line 3.*before/],
    ["a row too short", "d-1,correct", /no CSV/],
    ["a quote that does not end", 'd-1,"correct,erin,right', /no CSV/],
  ])("is refused with %s", (_what, rows, expected) => {
    const text = `decision,criterion,person,reading\n${rows}\n`;
    expect(() => readLabels(text, sampleRubric)).toThrow(
      expect.objectContaining({ code: "bad_request", message: expect.stringMatching(expected) }),
    );
  });

  it("is refused without its columns, and where it is too large", () => {
    expect(() => readLabels("decision,reading\nd-1,right\n", sampleRubric)).toThrow(/no column `criterion`, `person`/);
    expect(() => readLabels("x".repeat(2 * 1024 * 1024 + 1), sampleRubric)).toThrow(/larger than/);
  });
});

describe("a run that was judged", () => {
  const judgement = (correct: string, polite: string) =>
    ({
      kind: "read",
      readings: [
        { criterion: "correct", reading: correct, because: "" },
        { criterion: "plain", reading: "yes", because: "" },
        { criterion: "polite", reading: polite, because: "" },
      ],
      number: 0.9,
      calls: [],
    }) as const;
  const down = { kind: "fault", fault: "down", why: "no reply", calls: [] } as const;
  const judges = judgesOf([sampleRubric], new Set(["answer_question"]));
  const cases = [
    caseOf("a", [
      repeat(1, {
        scores: judgeScores(sampleRubric, judgement("partly", "not_applicable")),
        outcome: outcome({ decisionId: "d-1" }),
      }),
    ]),
    caseOf("b", [
      repeat(1, {
        scores: judgeScores(sampleRubric, down),
        outcome: outcome({ decisionId: "d-2", text: `=HYPERLINK("x"),${hostile}` }),
      }),
    ]),
    caseOf("c", [repeat(1, { outcome: outcome({ decisionId: "d-3" }) })], { capability: "other" }),
  ];
  const run = runOf(cases, { judges });

  it("gives the judge's words back, and counts where it gave none", () => {
    expect(judgeReadings(run, sampleRubric)).toEqual({
      readings: [read("d-1", "partly"), read("d-1", "yes", "plain"), read("d-1", "not_applicable", "polite")],
      faults: 1,
      rubricDigest: rubricDigest(sampleRubric),
    });
  });

  it.each<[string, Rubric, EvalRun, RegExp]>([
    [
      "another model reads now",
      { ...sampleRubric, model: { ...sampleRubric.model, id: "judge-2027-01-01" } },
      run,
      /version 1 with script\/judge-2026-01-01, and the project has version 1 with script\/judge-2027-01-01/,
    ],
    ["the task is another", { ...sampleRubric, task: "Another one." }, run, /another form of it/],
    ["the run does not say who read", sampleRubric, runOf(cases), /does not say that it was read by it/],
    ["the judge had nothing to read there", { ...sampleRubric, name: "constructor" }, run, /does not say/],
  ])("gives nothing where %s: trust is not carried to a judge that read nothing", (_what, rubric, of, why) => {
    expect(() => judgeReadings(of, rubric)).toThrow(
      expect.objectContaining({ code: "bad_request", message: expect.stringMatching(why) }),
    );
  });

  it("names the judges of the capabilities that were played alone", () => {
    expect(judges).toEqual({
      helpful_answer: { version: "1", model: "script/judge-2026-01-01", rubricDigest: rubricDigest(sampleRubric) },
    });
    expect(judgesOf([sampleRubric], new Set(["other"]))).toEqual({});
  });

  it("makes a sheet without the judge's words that comes back as labels, and starts no formula", () => {
    const sheet = labelSheet(run, sampleRubric);
    expect(sheet).not.toMatch(/partly|not_applicable|d-3/);
    expect(sheet).toContain(`"'=HYPERLINK(""x"")`);
    expect(readLabels(sheet, sampleRubric)).toEqual([]);
    const filled = sheet.replaceAll(
      /^(d-\d),(\w+),,,/gm,
      (_row, decision, criterion) => `${decision},${criterion},erin,${criterion === "correct" ? "right" : "no"},`,
    );
    expect(readLabels(filled, sampleRubric)).toHaveLength(6);
  });
});
