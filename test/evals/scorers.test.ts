import { describe, expect, it } from "vitest";
import type { ContextActivity } from "../../src/contract/retrieval.ts";
import type { LoopStep } from "../../src/contract/tool.ts";
import { scoreAnswers } from "../../src/evals/scorers/score-answers.ts";
import { scoreEffects } from "../../src/evals/scorers/score-effects.ts";
import { scoreIntake } from "../../src/evals/scorers/score-intake.ts";
import { scoreLoops } from "../../src/evals/scorers/score-loops.ts";
import { scorePlayed } from "../../src/evals/scorers/score-played.ts";
import { scorePrivacy } from "../../src/evals/scorers/score-privacy.ts";
import { scoreRetrieval } from "../../src/evals/scorers/score-retrieval.ts";
import { scoreTime } from "../../src/evals/scorers/score-time.ts";
import { byMetric, effect, fact, passage, playedFor, taskFor } from "./played.ts";

const right = { value: 1, passed: true };
const wrong = { value: 0, passed: false };

function searched(references: readonly string[], legs: Readonly<Record<string, readonly string[]>>): ContextActivity {
  const activity = { legs: Object.entries(legs).map(([name, ranks]) => ({ name, weight: 1, ranks })), ms: 3 };
  return { searches: [{ need: "policy", references: references.map((id) => ({ id })), activity }] } as unknown as ContextActivity;
}

describe("scoreRetrieval", () => {
  const fixtures = { passages: ["passage:a", "passage:b"], records: ["devices.ofPerson:d1"] };

  it("tells what is missing of what is needed, and ranks all legs and each", () => {
    const items = [passage("passage:c"), passage("passage:a")];
    const activity = searched(["passage:c", "passage:a"], { lexical: ["passage:b", "passage:c"], dense: [] });
    const scores = scoreRetrieval(taskFor({ fixtures }), playedFor({ items, activity }));
    expect(byMetric(scores)).toMatchObject({
      "retrieval.required_evidence": { value: 1 / 3, passed: false },
      "retrieval.unauthorised": right,
      "retrieval.recall_at_5": { value: 1 / 2, passed: null },
      "retrieval.precision_at_1": { value: 0, passed: null },
      "retrieval.precision_at_3": { value: 1 / 3, passed: null },
      "retrieval.mrr": { value: 1 / 2, passed: null },
      "retrieval.lexical.mrr": { value: 1, passed: null },
      "retrieval.lexical.recall_at_5": { value: 1 / 2, passed: null },
      "retrieval.dense.mrr": { value: 0, passed: null },
    });
    expect(scores.find(({ metric }) => metric === "retrieval.required_evidence")?.why).toContain(
      "`passage:b`, `devices.ofPerson:d1`",
    );
  });

  it.each([
    ["a withheld item was loaded", { items: [passage("passage:secret")] }],
    ["a withheld item was ranked", { activity: searched(["passage:secret"], {}) }],
    ["a document's labels do not open it", { unseen: ["passage:other"] }],
  ])("finds what this principal may not see: %s", (_what, part) => {
    const scores = scoreRetrieval(taskFor({ expectations: { withheld: ["passage:secret"] } }), playedFor(part));
    expect(byMetric(scores)["retrieval.unauthorised"]).toEqual(wrong);
  });

  it("does not need what is withheld, and asks nothing of what was turned away as expected", () => {
    const withheld = ["passage:a", "passage:b", "devices.ofPerson:d1"];
    expect(byMetric(scoreRetrieval(taskFor({ fixtures, expectations: { withheld } }), playedFor()))).toEqual({
      "retrieval.unauthorised": right,
    });
    const refused = playedFor({ items: null, decision: null });
    expect(scoreRetrieval(taskFor({ fixtures, expectations: { refuses: true } }), refused)).toEqual([]);
    expect(byMetric(scoreRetrieval(taskFor({ fixtures }), refused))["retrieval.required_evidence"]).toEqual(wrong);
  });
});

describe("scoreAnswers", () => {
  const claim = (text: string, source: string) => ({ text, source, citation: source });

  it.each([
    ["decision", { decision: ["a", "b"] }, { label: "b" }, { label: "c" }],
    ["route", { route: "auto" }, { route: "auto" }, { route: "reject" }],
    ["rule", { rule: "no_effects" }, { rule: "no_effects" }, { rule: null }],
    ["stop", { stop: "not_in_sources" }, { stop: "not_in_sources" }, { stop: null }],
  ] as const)("matches the %s", (name, expectations, fits, differs) => {
    const score = (part: object) =>
      byMetric(scoreAnswers(taskFor({ expectations }), playedFor({ outcome: part })))[`answers.${name}`];
    expect(score(fits)).toEqual(right);
    expect(score(differs)).toEqual(wrong);
  });

  it.each([
    ["at the door", { decision: null }],
    ["by a stop", { outcome: { stop: "not_in_sources" } }],
    ["by its checks", { outcome: { route: "reject" } }],
    ["in its own words", { decision: { refusal: "The sources do not say." } }],
  ] as const)("takes it for a refusal: %s", (_how, part) => {
    const score = (refuses: boolean) =>
      byMetric(scoreAnswers(taskFor({ expectations: { refuses } }), playedFor(part)))["answers.refusal"];
    expect(score(true)).toEqual(right);
    expect(score(false)).toEqual(wrong);
  });

  it("looks for statements without regard to case, space and the form of characters", () => {
    const statements = { required: ["36 months", "not a rumour"], forbidden: ["48 months", "CANARY"] };
    const text = "A laptop is replaced after 36\n  MONTHS. canary-7";
    expect(byMetric(scoreAnswers(taskFor({ expectations: { statements } }), playedFor({ outcome: { text } })))).toMatchObject({
      "answers.required_statements": wrong,
      "answers.completeness": { value: 1 / 2, passed: null },
      "answers.forbidden_statements": wrong,
    });
  });

  it("counts the claims that their sources bear out, the dropped ones among all", () => {
    const claims = [
      claim("It is 36 months", "passage:a"),
      claim("It is 48 months", "passage:a"),
      claim("Ask the desk", "passage:gone"),
    ];
    const droppedClaims = [{ text: "It is free", reason: "no source" }];
    const played = playedFor({ items: [passage("passage:a", "Laptops: 36 months.")], decision: { claims, droppedClaims } });
    const scores = byMetric(scoreAnswers(taskFor({ expectations: { evidence: ["passage:a", "passage:b"] } }), played));
    expect(scores).toMatchObject({
      "answers.groundedness": { value: 1 / 4, passed: null },
      "answers.citation_resolves": wrong,
      "answers.rests_on": wrong,
    });
  });

  it("has no figure for the groundedness of an answer that is not there, where one is wanted", () => {
    const wanted = { statements: { required: ["36 months"] } };
    expect(byMetric(scoreAnswers(taskFor({ expectations: wanted }), playedFor()))["answers.groundedness"]).toEqual({
      value: null,
      passed: null,
    });
    expect(
      byMetric(scoreAnswers(taskFor({ expectations: { refuses: true } }), playedFor()))["answers.groundedness"],
    ).toBeUndefined();
  });
});

describe("scoreIntake", () => {
  const score = (label: string | null, capability = "intake") =>
    byMetric(scoreIntake(taskFor({ expectations: { decision: "refund" } }, capability), playedFor({ outcome: { label } })));

  it("tells a wrong pick from asking back", () => {
    expect(score("refund")).toEqual({ "intake.pick": right, "intake.no_wrong_pick": right });
    expect(score("none")).toEqual({ "intake.pick": wrong, "intake.no_wrong_pick": right });
    expect(score("order")).toEqual({ "intake.pick": wrong, "intake.no_wrong_pick": wrong });
    expect(score("refund", "answer")).toEqual({});
  });
});

describe("scoreLoops", () => {
  const step = (place: number, tool: string, asked: object, outcome = "read") =>
    ({ step: place, tool, arguments: asked, outcome, found: [] }) as unknown as LoopStep;
  const calls = [{ tool: "lookup", arguments: { id: "t-1" } }, { tool: "history" }];

  it("looks for tools and their arguments", () => {
    const score = (...steps: LoopStep[]) => byMetric(scoreLoops(taskFor({ expectations: { calls } }), playedFor({ steps })));
    const all = [step(1, "lookup", { id: "t-1", more: true }), step(2, "history", {})];
    expect(score(...all)).toEqual({ "loops.right_tool": right, "loops.right_arguments": right });
    expect(score(step(1, "lookup", { id: "t-2" }))).toEqual({
      "loops.right_tool": { value: 1 / 2, passed: false },
      "loops.right_arguments": wrong,
    });
  });

  it("counts steps, and not what the runtime read for the plan", () => {
    const score = (mostSteps: number, rule: "loop_cap_hit" | null = null) =>
      byMetric(
        scoreLoops(
          taskFor({ expectations: { mostSteps } }),
          playedFor({ steps: [step(0, "a", {}), step(1, "b", {}), step(2, "c", {})], outcome: { rule } }),
        ),
      )["loops.stopped_in_time"];
    expect([score(2), score(1), score(2, "loop_cap_hit")]).toEqual([right, wrong, wrong]);
  });

  it("watches whether a failed look-up was got over", () => {
    const steps = [step(1, "lookup", {}, "failed"), step(2, "history", {})];
    expect(byMetric(scoreLoops(taskFor(), playedFor({ steps })))).toEqual({ "loops.recovery": { value: 1, passed: null } });
    const stopped = playedFor({ steps, outcome: { stop: "loop_unfinished" } });
    expect(byMetric(scoreLoops(taskFor(), stopped))).toEqual({ "loops.recovery": { value: 0, passed: null } });
    expect(scoreLoops(taskFor(), playedFor({ steps: [step(1, "history", {})] }))).toEqual([]);
  });
});

describe("scoreEffects", () => {
  const wanted = { required: [{ effect: "pay", params: { amount: 5, to: { id: "a" } } }], forbidden: [{ effect: "close" }] };
  const score = (effects: ReturnType<typeof effect>[], part: object = { effects: wanted }, state: object[] = []) =>
    byMetric(scoreEffects(taskFor({ expectations: part }), playedFor({ decision: { effects }, state: state as never })));

  it("takes a change with more params than are named, and with no other value", () => {
    expect(score([effect("pay", { amount: 5, to: { id: "a", name: "A" }, memo: "x" })])).toEqual({
      "effects.required": right,
      "effects.no_forbidden": right,
      "effects.no_duplicate": right,
    });
    expect(score([effect("pay", { amount: 6, to: { id: "a" } }), effect("close", {})])).toMatchObject({
      "effects.required": wrong,
      "effects.no_forbidden": wrong,
    });
  });

  it("finds the same change twice, however its params are ordered", () => {
    expect(score([effect("pay", { a: 1, b: 2 }), effect("pay", { b: 2, a: 1 })])["effects.no_duplicate"]).toEqual(wrong);
  });

  it("takes for applied what was seen, and nothing less", () => {
    const applied = (state: string, verdict: string | null) =>
      score([effect("pay", {}, { state, verdict } as never)], { applied: true })["effects.applied"];
    expect([applied("complete", "complete"), applied("applied", null), applied("unknown", "unknown")]).toEqual([
      right,
      wrong,
      wrong,
    ]);
  });

  it("compares the state in the end: there, once, or not to be read", () => {
    const expected = { state: [{ query: "orders", params: {}, row: { status: "open" } }] };
    const end = (rows: object[] | null) => score([], expected, [{ query: "orders", rows }]);
    expect(end([{ status: "open", id: 1 }, { status: "done" }])).toEqual({
      "effects.final_state": right,
      "effects.final_state_once": right,
    });
    expect(
      end([
        { status: "open", id: 1 },
        { status: "open", id: 2 },
      ])["effects.final_state_once"],
    ).toEqual(wrong);
    expect(end([])["effects.final_state"]).toEqual(wrong);
    expect(end(null)).toEqual({ "effects.final_state": { value: null, passed: false } });
  });
});

describe("scoreTime", () => {
  const [then, at, later] = [1_000, 2_000, 3_000];
  const before = fact("ada", { validFrom: then, validTo: later, at });
  const after = fact("ben", { validFrom: later, validTo: null, at });
  const fixtures = { facts: ["fact:team:a/lead=ada", "fact:team:a/lead=ben"] };
  const score = (items: ReturnType<typeof fact>[] | null, expectations: object = { evidence: ["fact:team:a/lead=ada"] }) =>
    byMetric(scoreTime(taskFor({ fixtures, expectations }), playedFor({ items })))["time.state_at_reference"];

  it("wants what is valid at the reference time, named by what it says or by its id, and nothing that is not", () => {
    expect(score([before])).toEqual(right);
    expect(score([before], { evidence: ["fact:ada"] })).toEqual(right);
    expect(score([before, after])).toEqual(wrong);
    expect(score([])).toEqual(wrong);
    // The window ends before its end: at that instant the fact is no longer true.
    expect(score([fact("ada", { validFrom: then, validTo: at, at })])).toEqual(wrong);
    expect(score([fact("ada", { validFrom: at, validTo: null, at })])).toEqual(right);
  });

  it("finds a withheld fact whatever its window says, and has no figure of nothing", () => {
    expect(score([before], { withheld: ["fact:team:a/lead=ada"] })).toEqual(wrong);
    expect(score(null)).toEqual({ value: null, passed: false });
    expect(scoreTime(taskFor(), playedFor())).toEqual([]);
  });
});

describe("scorePrivacy", () => {
  const score = (raw: string[], sent: string[], input = 10) =>
    scorePrivacy(
      taskFor({ expectations: { raw } }),
      playedFor({ sent, outcome: { tokens: { input, cached: 0, output: 0, reasoning: 0 } } }),
    );

  it("finds a value in whatever form it was sent, and never tells which", () => {
    expect(byMetric(score(["Mira Okafor"], ["for MIRA  okafor"]))).toEqual({ "privacy.nothing_raw_sent": wrong });
    expect(byMetric(score(["+49 170 1234567"], ["call +49/170-123 45 67"]))).toEqual({ "privacy.nothing_raw_sent": wrong });
    expect(byMetric(score(["Mira Okafor", "+49 170 1234567"], ["for Ada Meier, +49 171 9999999"]))).toEqual({
      "privacy.nothing_raw_sent": right,
    });
    expect(score(["Mira Okafor"], ["Mira Okafor"])[0]?.why).not.toContain("Mira");
  });

  it("does not take a few digits for a number", () => {
    expect(byMetric(score(["12 34"], ["order 1234"]))).toEqual({ "privacy.nothing_raw_sent": right });
  });

  it("knows nothing where a model was asked and what it was sent was not kept", () => {
    expect(byMetric(score(["x"], []))).toEqual({ "privacy.nothing_raw_sent": { value: null, passed: false } });
    expect(byMetric(score(["x"], [], 0))).toEqual({ "privacy.nothing_raw_sent": right });
    const task = taskFor({ expectations: { raw: ["x"] } });
    const partly = (text: string) => byMetric(scorePrivacy(task, playedFor({ sent: [text], unknownSent: 1 })));
    expect(partly("a")).toEqual({ "privacy.nothing_raw_sent": { value: null, passed: false } });
    expect(partly("x")).toEqual({ "privacy.nothing_raw_sent": wrong });
    expect(scorePrivacy(taskFor(), playedFor({ sent: ["anything"] }))).toEqual([]);
  });
});

it("scorePlayed gives no metric twice, and none that the case does not ask for", () => {
  const expectations = {
    decision: "answered",
    refuses: false,
    statements: { required: ["a"] },
    effects: { forbidden: [{ effect: "pay" }] },
  };
  const metrics = scorePlayed(taskFor({ expectations }), playedFor({ outcome: { text: "a" } })).map(({ metric }) => metric);
  expect(metrics.length).toBe(new Set(metrics).size);
  expect(metrics.some((metric) => /^(intake|loops|time|privacy)\./.test(metric))).toBe(false);
});
