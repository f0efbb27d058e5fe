import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type EvalCase, evalCase } from "../../../src/evals/case-file.ts";
import { casesText } from "../../../src/evals/exchange/cases-text.ts";
import { readLangfuse } from "../../../src/evals/exchange/read-langfuse.ts";
import { readPromptfoo } from "../../../src/evals/exchange/read-promptfoo.ts";
import { writeLangfuse, writeLangfuseScores } from "../../../src/evals/exchange/write-langfuse.ts";
import { writePromptfoo } from "../../../src/evals/exchange/write-promptfoo.ts";
import { readEvalCases } from "../../../src/evals/read-cases.ts";
import { sampleRun } from "../reports/sample-run.ts";

const defaults = { principal: "emp-104", roles: ["employee"], slice: "imported" };
const evals = (name: string) => fileURLToPath(new URL(`../../../examples/${name}/evals`, import.meta.url));
const examples = ["it-support", "refunds", "proposals", "reconciliation"];

/** One case with everything that a case can hold. */
const whole: EvalCase = evalCase.parse({
  id: "whole",
  request: { text: 'it broke, "again"\nplease', device: null, empty: {}, list: [] },
  envelope: { principal: "emp-104", roles: [], tenant: "acme", at: "2026-03-02T09:00:00Z" },
  fixtures: { seed: "sandbox", passages: ["passage:a:1"], records: ["tickets.byId:tkt-1"] },
  expectations: {
    decision: ["closed", "open"],
    route: ["auto"],
    rule: "no_effects",
    refuses: false,
    evidence: ["passage:a:1"],
    statements: { required: ["36 months", "a, b"], forbidden: ["48 months"] },
    effects: { required: [{ effect: "close_ticket", params: { ticket: "tkt-1", note: {} } }], forbidden: [{ effect: "refund" }] },
    state: [{ query: "tickets.byId", params: { id: "tkt-1" }, row: { state: "closed", tags: [] } }],
  },
  label: "safety",
  kind: "boundary",
  slice: "old rules",
  source: "decision 00000001",
});

async function casesOf(name: string): Promise<readonly EvalCase[]> {
  return (await readEvalCases(evals(name))).flatMap(({ cases }) => cases);
}

describe("round trips", () => {
  const texts = ["what is {{7*7}}?", "file://etc", '{"a":1}', "[urgent] it broke", '"', "null", "line\r\nline"];
  const odd = texts.map((request, place): EvalCase => {
    const statements = { required: [request], forbidden: [] };
    return { ...whole, id: `odd-${place}`, request, expectations: { ...whole.expectations, statements } };
  });

  it("lose nothing of a text that looks like something else", () => {
    expect(readPromptfoo(writePromptfoo(odd, "close_ticket").text, defaults).cases).toEqual(odd);
    for (const form of ["json", "csv"] as const) {
      expect(readLangfuse(writeLangfuse(odd, { form, dataset: "d" }).text, { form, defaults }).cases).toEqual(odd);
    }
    const csv = "id,input,expectedOutput\na,[urgent] it broke,{soon}\n";
    expect(readLangfuse(csv, { form: "csv", defaults }).cases).toMatchObject([{ request: "[urgent] it broke" }]);
  });

  it("lose nothing of a case with everything", () => {
    expect(readPromptfoo(writePromptfoo([whole], "close_ticket").text, defaults)).toEqual({ cases: [whole], notes: [] });
    for (const form of ["json", "csv"] as const) {
      expect(readLangfuse(writeLangfuse([whole], { form, dataset: "d" }).text, { form, defaults })).toEqual({
        cases: [whole],
        notes: [],
      });
    }
  });

  it.each(examples)("lose nothing of the cases of %s", async (name) => {
    const cases = await casesOf(name);
    expect(cases.length).toBeGreaterThan(5);
    const { cases: back, notes } = readPromptfoo(writePromptfoo(cases, name).text, defaults);
    expect(back).toEqual(cases);
    expect(notes).toEqual([]);
    for (const form of ["json", "csv"] as const) {
      expect(readLangfuse(writeLangfuse(cases, { form, dataset: name }).text, { form, defaults }).cases).toEqual(cases);
    }
  });

  it.each([".yaml", ".jsonl"])("write a file of ours, %s, that is read as it was", (ending) => {
    const text = casesText([whole], ending);
    const value: unknown = ending === ".yaml" ? parse(text)[0] : JSON.parse(text);
    expect(evalCase.parse(value)).toEqual(whole);
    expect(() => casesText([whole], ".txt")).toThrow(/ends in/);
  });
});

const config = `
description: Laptops
prompts: ["{{question}}"]
providers: [openai:gpt-4o]
defaultTest:
  options: { transform: output.trim() }
  metadata: { team: it }
  vars: file://vars.yaml
  assert: [{ type: not-icontains, value: sorry }]
tests:
  - description: How old may a laptop be?
    vars: { question: How old may a laptop be? }
    assert:
      - { type: icontains, value: 36 months }
      - { type: contains-all, value: [laptop, months] }
      - { type: similar, value: three years, threshold: 0.8 }
      - { type: llm-rubric, value: is polite }
      - { type: icontains, value: "{{expected}}" }
      - { type: icontains, value: x, weight: 2 }
      - { type: icontains, value: x, transform: output.y }
    threshold: 0.5
  - vars: { question: Do my taxes }
    assert: [{ type: is-refusal }]
    metadata: { owner: erin }
  - vars: { question: [a, b] }
    metadata: { owner: erin }
  - vars: { question: "file://questions.txt" }
  - file://more.yaml
  - vars: { a: "1", b: two }
    assert: file://asserts.yaml
    metadata: by hand
  - description: nothing expected
    vars: { question: hm }
    assert: [{ type: latency, threshold: 100 }]
`;

describe("a promptfoo configuration of somebody else's", () => {
  const { cases, notes } = readPromptfoo(config, defaults);
  const noted = (at: string) => notes.find((note) => note.at === at);

  it("becomes cases of what maps, each with a principal, a label and a source", () => {
    expect(cases.map(({ id, request, expectations: { statements, refuses } }) => ({ id, request, statements, refuses }))).toEqual(
      [
        {
          id: "how-old-may-a-laptop-be",
          request: "How old may a laptop be?",
          statements: { required: ["36 months", "laptop", "months"], forbidden: ["sorry"] },
        },
        { id: "imported-2", request: "Do my taxes", statements: { required: [], forbidden: ["sorry"] }, refuses: true },
        { id: "imported-6", request: { a: "1", b: "two" }, statements: { required: [], forbidden: ["sorry"] } },
        { id: "nothing-expected", request: "hm", statements: { required: [], forbidden: ["sorry"] } },
      ],
    );
    expect(cases[0]).toMatchObject({
      envelope: { principal: "emp-104", roles: ["employee"] },
      ...{ label: "quality", kind: "single", slice: "imported", source: "promptfoo: How old may a laptop be?" },
    });
  });

  it.each([
    ["tests/0/assert/2", "contains-all", "changed", /without regard to case/],
    ["tests/0/assert/3", "similar", "left_out", /no expectation of ours/],
    ["tests/0/assert/4", "llm-rubric", "left_out", /no expectation of ours/],
    ["tests/0/assert/5", "icontains", "left_out", /no plain text/],
    ["tests/0/assert/6", "icontains", "left_out", /weight/],
    ["tests/0/assert/7", "icontains", "left_out", /transform/],
    ["tests/0/threshold", "threshold", "left_out", /nothing of ours/],
    ["tests/2", "test 3", "left_out", /list, which stands for one test each|is a list/],
    ["tests/3", "test 4", "left_out", /names a file or code/],
    ["tests/4", "test", "left_out", /another file/],
    ["tests/6/assert/1", "latency", "left_out", /no expectation of ours/],
    ["defaultTest/options", "options", "left_out", /nothing of ours/],
    ["providers", "providers", "left_out", /has its own/],
    ["prompts", "prompts", "left_out", /has its own/],
    ["description", "description", "left_out", /has its own/],
    ["defaultTest/metadata/team", "team", "left_out", /metadata of others/],
    ["defaultTest/vars", "vars", "left_out", /no object/],
    ["tests/1/metadata/owner", "owner", "left_out", /metadata of others/],
    ["tests/5/metadata", "metadata", "left_out", /no object/],
    ["tests/5/assert", "assert", "left_out", /no list/],
    ["tests/2/metadata/owner", "owner", "left_out", /metadata of others/],
  ])("names what does not map: %s", (at, what, fate, why) => {
    expect(noted(at)).toMatchObject({ what, fate, why: expect.stringMatching(why) });
  });

  it("leaves out a case that would expect nothing, and numbers a second one of a description", () => {
    const text =
      "tests:\n  - { description: a, vars: { q: x } }\n  - { description: b, vars: { q: x }, assert: [{ type: is-refusal }] }\n  - { description: b, vars: { q: y }, assert: [{ type: is-refusal }] }\n";
    const read = readPromptfoo(text, defaults);
    expect(read.cases.map(({ id }) => id)).toEqual(["b", "b-2"]);
    expect(read.notes).toMatchObject([
      { at: "tests/0", fate: "left_out", why: expect.stringMatching(/expect something/) },
      { at: "tests/2", fate: "changed", why: expect.stringMatching(/has this id/) },
    ]);
  });

  it("does not take over asserts that were changed beside what we wrote under our own name", () => {
    const changed = writePromptfoo([whole], "close_ticket").text.replace("36 months", "24 months");
    expect(readPromptfoo(changed, defaults).cases[0]?.expectations.statements.required).toEqual(["24 months", "a, b"]);
  });
});

describe("what promptfoo does not check", () => {
  it("is named for each case, and so is what it would render", () => {
    const rendered = { ...whole, id: "rendered", request: "what is {{7*7}}?" };
    const { notes } = writePromptfoo([whole, rendered], "close_ticket");
    expect(notes.filter(({ at }) => at === "whole").map(({ what }) => what)).toEqual([
      "decision",
      "route",
      "rule",
      "evidence",
      "effects",
      "state",
    ]);
    expect(notes.filter(({ fate }) => fate === "changed").map(({ at, what }) => [at, what])).toEqual([
      ["rendered", "what is {{7*7}}?"],
    ]);
  });
});

describe("items of a Langfuse dataset of somebody else's", () => {
  const items = [
    {
      id: "i-1",
      input: { question: "How old?" },
      expectedOutput: "36 months",
      metadata: { team: "it" },
      sourceTraceId: "t-9",
      status: "ACTIVE",
    },
    { id: "i-2", input: { a: 1, b: 2 }, expectedOutput: { decision: "closed" }, remark: "x", status: "ACTIVE" },
    { id: "i-3", input: "old", expectedOutput: "x", status: "ARCHIVED" },
    { id: "i-4", input: "nothing expected" },
    { id: "i-5", input: "q", expectedOutput: { score: 9 } },
  ];

  it.each([
    ["a list", JSON.stringify(items)],
    ["a page of the API", JSON.stringify({ data: items, meta: { page: 1 } })],
  ])("become cases, from %s", (_what, text) => {
    const { cases, notes } = readLangfuse(text, { form: "json", defaults });
    expect(cases.map(({ id, request, source }) => ({ id, request, source }))).toEqual([
      { id: "i-1", request: "How old?", source: "langfuse trace t-9" },
      { id: "i-2", request: { a: 1, b: 2 }, source: "langfuse: i-2" },
    ]);
    expect(cases[0]?.expectations.statements.required).toEqual(["36 months"]);
    expect(notes.map(({ at, fate }) => `${at} ${fate}`).sort()).toEqual([
      "items/0/expectedOutput changed",
      "items/0/metadata/team left_out",
      "items/1/remark left_out",
      "items/2 left_out",
      "items/3 left_out",
      "items/4 left_out",
    ]);
  });

  it("become the same cases from an exported table, in its spelling", () => {
    const csv = 'id,input,expected_output,source_trace_id,status\ni-1,"{""question"":""How old?""}",36 months,t-9,ACTIVE\n';
    expect(readLangfuse(csv, { form: "csv", defaults }).cases).toMatchObject([
      { id: "i-1", request: "How old?", source: "langfuse trace t-9" },
    ]);
  });
});

describe("a hostile file", () => {
  const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
  it.each<[string, string, RegExp]>([
    ["aliases", "tests: [&a { vars: { q: x } }, *a]", /without aliases/],
    ["aliases that multiply", `a: &a [${"x,".repeat(50)}x]\nb: &b [${"*a,".repeat(50)}*a]\ntests: [*b]`, /without aliases/],
    ["a tag", "tests: !!js/function 'x'", /YAML/],
    ["a key twice", "tests: []\ntests: []", /YAML/],
    ["a prototype", "tests: [{ vars: { __proto__: { q: x } } }]", /reserved/],
    ["a constructor", "tests: [{ constructor: { prototype: { polluted: 1 } } }]", /reserved/],
    ["more than it may hold", `tests: "${"x".repeat(2 * 1024 * 1024)}"`, /2097152 bytes/],
    ["no end of levels", `tests: ${deep}`, /levels/],
    ["no tests", "providers: []", /list `tests`/],
    ["a list", "- 1", /list `tests`/],
    ["too many tests", `tests: [${"{},".repeat(2_001)}]`, /at most 2000/],
    ["a merge", "base: &b { vars: { q: x } }\ntests: [{ <<: *b }]", /without aliases/],
  ])("is refused: %s", (_what, text, expected) => {
    const wrong = expect.objectContaining({ code: "bad_request", message: expect.stringMatching(expected) });
    expect(() => readPromptfoo(text, defaults)).toThrow(wrong);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it.each<[string, "json" | "csv", string, RegExp]>([
    ["no JSON", "json", "{", /one JSON value/],
    ["a prototype", "json", '[{"id":"a","input":{"__proto__":{"x":1}}}]', /reserved/],
    ["no items", "json", '{"items":[]}', /list `data`/],
    ["a prototype in a cell", "csv", 'id,input\na,"{""__proto__"":{}}"\n', /reserved/],
    ["a row too long", "csv", "id,input\na,b,c\n", /no CSV/],
  ])("is refused of Langfuse: %s", (_what, form, text, expected) => {
    const wrong = expect.objectContaining({ code: "bad_request", message: expect.stringMatching(expected) });
    expect(() => readLangfuse(text, { form, defaults })).toThrow(wrong);
  });

  it("makes no case of a request or an id that ours could not have", () => {
    const items = [
      { id: "../../etc", input: "x", expectedOutput: "y" },
      { id: "b", input: "x".repeat(30_000), expectedOutput: "y" },
      { id: "c", input: "x", expectedOutput: "y", metadata: { countersign: { label: "nice" } } },
    ];
    const { cases, notes } = readLangfuse(JSON.stringify(items), { form: "json", defaults });
    expect(cases.map(({ id }) => id)).toEqual(["etc"]);
    expect(notes.filter(({ fate }) => fate === "left_out").map(({ at }) => at)).toEqual(["items/1", "items/2"]);
  });
});

describe("scores of a run", () => {
  it("go to Langfuse as figures of their decision; those without a value or a decision are named", () => {
    const run = sampleRun();
    const { text, notes } = writeLangfuseScores(run);
    const scores: readonly Record<string, unknown>[] = JSON.parse(text);
    const all = run.cases.flatMap(({ repeats }) => repeats.flatMap(({ scores: own }) => own)).length;
    expect(scores.length + notes.length).toBe(all);
    expect(scores[0]).toEqual({
      id: "run-1-laptop-0-1-answers.exact_match",
      traceId: "00000001000070008000000000000001",
      name: "answers.exact_match",
      value: 1,
      dataType: "NUMERIC",
    });
    expect(new Set(scores.map(({ id }) => id)).size).toBe(scores.length);
  });
});

describe("the page on this", () => {
  it("names every assert that is taken over", async () => {
    const page = await readFile(new URL("../../../docs/eval-reports.md", import.meta.url), "utf8");
    const source = await readFile(new URL("../../../src/evals/exchange/promptfoo-asserts.ts", import.meta.url), "utf8");
    const names = [...source.matchAll(/^ {2}"?([a-z-]+)"?: \{ to:/gm)].map(([, name]) => name);
    expect(names).toHaveLength(10);
    for (const name of names) expect(page).toContain(`\`${name}\``);
  });
});
