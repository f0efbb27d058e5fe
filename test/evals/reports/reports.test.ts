import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GateFinding } from "../../../src/evals/gate/finding.ts";
import { figuresOf, reliabilityOf } from "../../../src/evals/reports/figures.ts";
import { jsonReport, readJsonReport } from "../../../src/evals/reports/json-report.ts";
import { junitReport } from "../../../src/evals/reports/junit-report.ts";
import { reportMaker } from "../../../src/evals/reports/report-file.ts";
import { evalReportSchema } from "../../../src/evals/reports/report-schema.ts";
import { terminalReport } from "../../../src/evals/reports/terminal-report.ts";
import { oneLine, shortened, visible } from "../../../src/evals/reports/visible.ts";
import { share } from "../../../src/evals/reports/words.ts";
import { caseOf, failedGate, hostile, outcome, repeat, runOf, sampleRun, score } from "./sample-run.ts";

const run = sampleRun();
const empty = runOf([]);

describe("the figures", () => {
  it("are worked by hand for two cases", () => {
    const small = runOf([
      caseOf("a", [
        repeat(1, { outcome: outcome({ latencyMs: 100 }), scores: [score("answers.x", 1)] }),
        repeat(2, { outcome: outcome({ latencyMs: 300 }), scores: [score("answers.x", 0)] }),
      ]),
      caseOf("b", [
        repeat(1, { outcome: outcome({ latencyMs: 200 }), scores: [score("answers.x", null)] }),
        repeat(2, { fault: { code: "internal", message: "x" }, outcome: outcome({ latencyMs: 9_000 }), scores: [] }),
      ]),
    ]);
    const { totals, metrics, latency } = figuresOf(small);
    expect(totals).toMatchObject({
      cases: 2,
      passedCases: 0,
      repeats: 4,
      passedRepeats: 2,
      faultedRepeats: 1,
      costMicros: 160,
      tokens: 1760,
    });
    expect(metrics).toEqual([{ metric: "answers.x", asked: 3, valued: 2, mean: 0.5, passRate: 0.5, failed: 1 }]);
    expect(latency).toEqual({ p50Ms: 200, p90Ms: 300, maxMs: 300 });
  });

  it("hold confidence against what passed: worked by hand", () => {
    // Two of four at 0.85 passed, one of one at 1: (4 * |0.85 - 0.5| + 1 * 0) / 5 = 0.28.
    const at = (place: number, confidencePpm: number, passed: boolean) =>
      repeat(place, { outcome: outcome({ confidencePpm }), scores: [score("answers.x", passed ? 1 : 0)] });
    const cases = [
      [850_000, true],
      [850_000, true],
      [850_000, false],
      [850_000, false],
      [1_000_000, true],
    ] as const;
    const { bins, count, error } = reliabilityOf(
      runOf([
        caseOf(
          "a",
          cases.map(([ppm, passed], place) => at(place + 1, ppm, passed)),
        ),
      ]),
    );
    expect({ count, error }).toEqual({ count: 5, error: expect.closeTo(0.28, 10) });
    expect(bins.map((bin) => bin.count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 4, 1]);
    expect(reliabilityOf(empty)).toMatchObject({ count: 0, error: null });
  });

  it("are cut, so that what is under a floor does not look as if it reached it", () => {
    expect([0.8996, 0.9, 1, 0.99999, 0, null].map(share)).toEqual(["0.899", "0.900", "1.000", "0.999", "0.000", "-"]);
  });
});

describe("texts of cases and models", () => {
  it("are told so that all of them is seen, and steer nothing", () => {
    expect(visible("a\u001b[31m\u0000\u202eb\ud800\ufffe\r\n")).toBe("a\\u{1b}[31m\\u{0}\\u{202e}b\\u{d800}\\u{fffe}\\u{d}\n");
    expect(visible("Übergröße 👩‍💻 日本")).toBe("Übergröße 👩‍💻 日本");
    expect(oneLine(" a\n\n b\t")).toBe("a b");
    expect(shortened("ab😀cd", 3)).toBe("ab ... (4 characters more)");
  });
});

describe("the terminal's report", () => {
  it("says what passed, what failed and why, and what the gate says", () => {
    const text = terminalReport(run, failedGate).join("\n");
    expect(text).toContain("it-support: 24 of 26 eval cases passed, 3 repeats each");
    expect(text).toContain("1 of 76 repeats broke");
    expect(text).toContain("(scripted replies, no model)");
    expect(text).toContain("2: answers.required_statement: expected 1, came 0.5");
    expect(text).toContain("gate: FAILED, 3 of 5 rules hold");
    expect(text).toContain("FAIL floor answers.groundedness of answer_question: 0.899 is under the floor of 0.900");
    expect(terminalReport(empty, null).join("\n")).toContain("the set is empty");
  });

  it("stays as narrow as it is told, but for words that are longer, and has no colours unless it is told to", () => {
    for (const line of terminalReport(run, failedGate, { width: 60 })) {
      expect(line.length <= 60 || !line.trim().slice(0, 60).includes("  ")).toBe(true);
    }
    const plain = terminalReport(run, failedGate).join("\n");
    expect(plain).not.toContain("\u001b");
    const coloured = terminalReport(run, failedGate, { colours: true }).join("\n");
    expect(coloured.replaceAll("\u001b[1m", "").replaceAll("\u001b[22m", "")).toBe(plain);
    expect(coloured).not.toBe(plain);
  });
});

describe("the JSON report", () => {
  const schema = evalReportSchema();

  it("holds to its schema, which is the one in docs, and comes back as it was", async () => {
    const report = JSON.parse(JSON.stringify(jsonReport(run, failedGate)));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect(validate(report) ? [] : validate.errors).toEqual([]);
    expect(readJsonReport(JSON.stringify(report))).toEqual(report);
    expect(report.run).toEqual(JSON.parse(JSON.stringify(run)));
    const page = await readFile(new URL("../../../docs/eval-report.schema.json", import.meta.url), "utf8");
    expect(JSON.parse(page)).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it("tells no more of a gate than reports tell", () => {
    const gate = { passed: true, findings: failedGate.findings.map((finding) => ({ ...finding, more: 1 })) };
    expect(JSON.stringify(jsonReport(run, gate))).not.toContain('"more"');
  });

  it.each([
    ["no JSON", "{", /no JSON/],
    ["another kind", '{"kind":"other"}', /not of version 1: `\/kind`/],
    ["another version", JSON.stringify({ ...jsonReport(run, null), version: 2 }), /`\/version`/],
    ["a run that is broken", JSON.stringify({ ...jsonReport(run, null), run: { ...run, cases: [{}] } }), /`\/run\/cases\/0/],
  ])("is refused where it is %s", (_what, text, expected) => {
    expect(() => readJsonReport(text)).toThrow(
      expect.objectContaining({ code: "bad_request", message: expect.stringMatching(expected) }),
    );
  });
});

/** What XML 1.0 may hold (section 2.2). */
const xmlText = /^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}])*$/u;

describe("the JUnit report", () => {
  it("counts in each suite what stands in it", () => {
    const text = junitReport(run, failedGate);
    const suites = [...text.matchAll(/<testsuite name="(\w+)" tests="(\d+)" failures="(\d+)" errors="(\d+)"/g)].map((match) =>
      match.slice(1),
    );
    expect(suites).toEqual([
      ["answer_question", "25", "1", "0"],
      ["refund_order", "1", "0", "1"],
      ["gate", "5", "2", "0"],
    ]);
    expect(text).toMatch(/<testsuites name="it-support" tests="31" failures="3" errors="1" time="[\d.]+">/);
    expect(text.match(/<testcase /g)).toHaveLength(31);
    expect(text.match(/<failure /g)).toHaveLength(3);
    expect(text.match(/<error /g)).toHaveLength(1);
    expect(text).toMatch(xmlText);
  });

  it("is XML whatever a case holds: nothing opens or closes an element, and no character is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const scores = [{ metric: "answers.x", value: 0, passed: false, why: text } as const];
        const report = junitReport(
          runOf([caseOf(text, [repeat(1, { scores, outcome: outcome({ text }) })], { slice: text, request: text })]),
          null,
        );
        expect(report).toMatch(xmlText);
        expect(report.match(/</g)).toHaveLength(9);
        expect(report.replace(/&(?:amp|lt|gt|quot|apos|#10|#9);/g, "")).not.toContain("&");
      }),
    );
  });

  it("is there for a run of nothing", () => {
    expect(junitReport(empty, null)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="it-support" tests="0" failures="0" errors="0" time="0">\n</testsuites>\n',
    );
  });
});

describe("reportMaker", () => {
  it("goes by a file's ending, and refuses others before anything is run", () => {
    expect(reportMaker("a/b.HTML")({ run, gate: null })).toMatch(/^<!doctype html>/);
    expect(reportMaker("b.xml")({ run, gate: null })).toMatch(/^<\?xml/);
    expect(JSON.parse(reportMaker("b.json")({ run, gate: null }))).toMatchObject({ kind: "countersign.eval-report", gate: null });
    expect(reportMaker("b.txt")({ run, gate: null })).toContain("24 of 26");
    for (const path of ["b.pdf", "b", ".html", "b.constructor"]) {
      expect(() => reportMaker(path)).toThrow(expect.objectContaining({ code: "bad_request" }));
    }
  });
});

describe("the HTML report", () => {
  it.each([
    ["a run with a gate", { run, gate: failedGate }],
    ["two runs", { run, gate: null, baseline: runOf(run.cases.slice(3).map((one) => ({ ...one, passed: !one.passed }))) }],
    ["a run of nothing", { run: empty, gate: null }],
    [
      "a run whose own names are hostile",
      { run: runOf([caseOf(hostile, [repeat(1)])], { project: hostile, id: hostile, setDigest: hostile }), gate: failedGate },
    ],
  ])("holds no script, no style of its own and no address but in its text: %s", (_what, reported) => {
    const page = reportMaker("a.html")(reported);
    const markup = [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(markup.filter((tag) => /^<\/?(?:script|img|iframe|object|embed|link|base|form|a)\b/i.test(tag))).toEqual([]);
    expect(markup.filter((tag) => /\s(?:on\w+|style|href|src|srcset|action)\s*=/i.test(tag))).toEqual([]);
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page).not.toMatch(/url\(|@import/);
    expect(page).toContain('content="default-src &#39;none&#39;; style-src &#39;sha256-');
  });

  it("escapes whatever a case, a model or a record holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const trace = [{ at: text, what: text, ms: 1 }];
        const scores = [{ metric: "answers.x", value: 0, passed: false, why: text } as const];
        const own = { slice: text, request: text, source: text, capability: text };
        const made = (words: string) => {
          const with_ = JSON.parse(
            JSON.stringify({ trace, scores, own }).replaceAll(JSON.stringify(text), JSON.stringify(words)),
          );
          return reportMaker("a.html")({
            run: runOf([caseOf(words, [repeat(1, { ...with_, outcome: outcome({ text: words }) })], with_.own)]),
            gate: null,
          });
        };
        const tags = (page: string) => page.match(/<\/?[a-z]+/gi)?.length;
        expect(tags(made(text === "" ? " " : text))).toBe(tags(made("x")));
      }),
      { numRuns: 40 },
    );
  });

  it.each<[string, Partial<GateFinding>, readonly [string, string]]>([
    ["a time", { metric: "cases.p90_ms", value: 4321, floor: 4000 }, ["4321 ms", "4000 ms"]],
    ["a size", { rule: "missing_case", value: 18, floor: 20 }, ["18", "20"]],
    ["an empty set", { rule: "empty_set", value: 0, floor: 20 }, ["0", "20"]],
    ["a share", { metric: "answers.decision", value: 0.8996, floor: 0.9 }, ["0.899", "0.900"]],
    ["how far a time changed", { rule: "regression", metric: "cases.p90_ms", value: -0.25, floor: -0.05 }, ["-0.250", "-0.050"]],
  ])("writes the figures of a finding by what they are: %s", (_what, of, figures) => {
    const finding: GateFinding = {
      ...{ rule: "floor", metric: null, capability: null, slice: null, passed: false, value: null, floor: null, why: "" },
      ...of,
    };
    const page = reportMaker("a.html")({ run, gate: { passed: false, findings: [finding] } });
    const cells = [...page.matchAll(/<td class="num">([^<]*)<\/td>/g)].map(([, text]) => text);
    expect(cells.slice(0, 2)).toEqual(figures);
  });
});
