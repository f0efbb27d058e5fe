import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { judgeScores } from "../../src/evals/judges/judge-scores.ts";
import { judgesOf } from "../../src/evals/judges/judges-of.ts";
import { jsonReport } from "../../src/evals/reports/json-report.ts";
import { sampleRubric } from "../evals/judges/sample-rubric.ts";
import { caseOf, failedGate, outcome, repeat, runOf } from "../evals/reports/sample-run.ts";
import { runJson } from "./command.ts";

// The commands that are given files alone; each is run as a process of its own. Nothing here needs an installation.
const slow = { timeout: 120_000 };
let folder: string;
const at = (name: string) => join(folder, name);
const inFolder = (...names: readonly string[]) => names.map(at);

/** Forty answers, each read by a judge; every other one is right, and of the first eight the judge misses one. */
const readings = Array.from({ length: 40 }, (_, place) => ({
  decision: `d-${place}`,
  judge: place % 2 === 0 || place === 7 ? "right" : "wrong",
  person: place % 2 === 0 ? "right" : "wrong",
}));
const rubric = { ...sampleRubric, criteria: sampleRubric.criteria.slice(0, 1) };
const run = runOf(
  readings.map(({ decision, judge }) => {
    const judgement = {
      kind: "read",
      number: 1,
      calls: [],
      readings: [{ criterion: "correct", reading: judge, because: "" }],
    } as const;
    return caseOf(decision, [repeat(1, { scores: judgeScores(rubric, judgement), outcome: outcome({ decisionId: decision }) })]);
  }),
  { judges: judgesOf([rubric], new Set(rubric.capabilities)) },
);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-exchange-"));
  await mkdir(at("project/evals/judges"), { recursive: true });
  await cp(
    new URL("../../examples/it-support/evals/answer_question.yaml", import.meta.url),
    at("project/evals/answer_question.yaml"),
  );
  await writeFile(at("project/evals/judges/helpful_answer.yaml"), stringify(rubric, { aliasDuplicateObjects: false }));
  await writeFile(at("run.json"), JSON.stringify(jsonReport(run, failedGate)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("eval report", () => {
  it("makes every kind of report again, and none where one of them cannot be", slow, async () => {
    const refused = await runJson(["eval", "report", at("run.json"), "--to", ...inFolder("a.html", "a.pdf")]);
    expect(refused).toMatchObject({ code: 2, json: { error: { code: "bad_request" } } });
    expect((await readdir(folder)).sort()).toEqual(["project", "run.json"]);
    const files = inFolder("a.html", "a.xml", "a.json", "a.txt");
    const made = await runJson(["eval", "report", at("run.json"), "--baseline", at("run.json"), "--to", ...files]);
    expect(made).toMatchObject({ code: 0, json: { run: "run-1", written: files } });
    expect(await readFile(at("a.html"), "utf8")).toContain("none of them changed");
    expect(JSON.parse(await readFile(at("a.json"), "utf8"))).toEqual(JSON.parse(JSON.stringify(jsonReport(run, failedGate))));
  });
});

describe("eval labels and agreement", () => {
  it("go from a run over a sheet to trust that a gate looks up", slow, async () => {
    const judge = ["--judge", "helpful_answer", "--project", at("project")];
    expect(await runJson(["eval", "labels", at("run.json"), ...judge, "--to", at("labels.csv")])).toMatchObject({ code: 0 });
    const sheet = await readFile(at("labels.csv"), "utf8");
    const filled = sheet.replaceAll(
      /^(d-(\d+)),correct,,,/gm,
      (_row, id, place) => `${id},correct,erin,${readings[Number(place)]?.person},`,
    );
    await writeFile(at("filled.csv"), filled);
    const over = ["--run", at("run.json"), ...judge];
    const said = await runJson(["eval", "agreement", at("filled.csv"), ...over, "--write"]);
    expect(said).toMatchObject({ code: 0, json: { isTrusted: true, people: 1, faults: 0 } });
    expect(said.json["criteria"]).toMatchObject([{ criterion: "correct", labels: 40, same: 0.975 }]);
    expect(JSON.parse(await readFile(at("project/evals/judges/helpful_answer.agreement.json"), "utf8"))).toMatchObject({
      judge: "helpful_answer",
    });
    // Two labels are too few for any judge.
    await writeFile(at("few.csv"), filled.split("\r\n").slice(0, 3).join("\r\n"));
    expect(await runJson(["eval", "agreement", at("few.csv"), ...over])).toMatchObject({ code: 1, json: { isTrusted: false } });
    await writeFile(at("other.csv"), filled.replace("d-0,", "d-99,"));
    expect(await runJson(["eval", "agreement", at("other.csv"), ...over])).toMatchObject({
      code: 2,
      json: { error: { code: "bad_request" } },
    });
  });
});

describe("eval export, import and scores", () => {
  it.each([
    ["promptfoo", "out.yaml"],
    ["langfuse", "out.json"],
    ["langfuse", "out.csv"],
  ])("take the cases of a capability to %s and back, by %s", slow, async (format, file) => {
    const out = await runJson([
      "eval",
      "export",
      "answer_question",
      "--format",
      format,
      "--project",
      at("project"),
      "--to",
      at(file),
    ]);
    expect(out).toMatchObject({ code: 0 });
    const back = ["eval", "import", at(file), "--format", format, "--principal", "emp-1", "--to", at(`${file}.jsonl`)];
    expect(await runJson(back)).toMatchObject({ code: 0, json: { cases: out.json["cases"], notes: [] } });
    const again = await runJson(back);
    expect(again).toMatchObject({ code: 2, json: { error: { message: expect.stringContaining("is there already") } } });
    expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("write nothing where something has no place here, unless the rest is asked for", slow, async () => {
    await writeFile(
      at("other.yaml"),
      "tests:\n  - vars: { q: hello }\n    assert: [{ type: icontains, value: hi }, { type: similar, value: hey }]\n",
    );
    const given = ["eval", "import", at("other.yaml"), "--format", "promptfoo", "--principal", "emp-1", "--to", at("mine.yaml")];
    const refused = await runJson(given);
    expect(refused).toMatchObject({ code: 1, json: { cases: 1, written: null, notes: [{ what: "similar", fate: "left_out" }] } });
    expect(await readdir(folder)).not.toContain("mine.yaml");
    expect(await runJson([...given, "--partial"])).toMatchObject({ code: 0, json: { written: at("mine.yaml") } });
  });

  it("write the scores of a run", slow, async () => {
    expect(await runJson(["eval", "scores", at("run.json"), "--to", at("scores.json")])).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(at("scores.json"), "utf8"))).toHaveLength(80);
  });
});
