import type { CaseResult, EvalRun, Outcome, Repeat, Score } from "../../../src/evals/eval-run.ts";
import type { GateResult } from "../../../src/evals/gate/finding.ts";

/** What a case, a model or a record may hold to break a report: markup, terminal codes, what XML cannot hold, text that is turned around. */
export const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>&lt; ]]> \u001b[31m\u0000\u202etxt\ud800 \ufffe {{x}} <!-- --> </blockquote></style>`;

const plain: Outcome = {
  decisionId: "00000001-0000-7000-8000-000000000001",
  state: "answered",
  label: "answered",
  route: "auto",
  rule: "no_effects",
  stop: null,
  text: "A laptop is replaced after 36 months.",
  model: "scripted/sample-2026-01-01",
  isScripted: true,
  confidencePpm: 900_000,
  latencyMs: 120,
  costMicros: 40,
  tokens: { input: 400, cached: 0, output: 40, reasoning: 0 },
};

/** An outcome as most are. */
export function outcome(own: Partial<Outcome> = {}): Outcome {
  return { ...plain, ...own };
}

/** A score of a metric that says whether it passed. */
export function score(
  metric: Score["metric"],
  value: number | null,
  passed: boolean | null = value === null ? null : value >= 1,
): Score {
  return { metric, value, passed, why: passed === false ? `expected 1, came ${value}` : "" };
}

/** A repeat that passed unless a score of it did not. */
export function repeat(place: number, own: Partial<Repeat> = {}): Repeat {
  const scores = own.scores ?? [score("answers.exact_match", 1)];
  const fault = own.fault ?? null;
  const passed = fault === null && scores.every((one) => one.passed !== false);
  return { repeat: place, outcome: outcome(), trace: [], passed, ...own, scores, fault };
}

/** A case that passed if all of its repeats did. */
export function caseOf(id: string, repeats: readonly Repeat[], own: Partial<CaseResult> = {}): CaseResult {
  return {
    id,
    capability: "answer_question",
    caseDigest: `digest of ${id}`,
    request: "How old may a laptop be?",
    label: "quality",
    kind: "single",
    slice: "all",
    source: "written by hand",
    passed: repeats.every(({ passed }) => passed),
    ...own,
    repeats,
  };
}

/** A run over some cases. */
export function runOf(cases: readonly CaseResult[], own: Partial<EvalRun> = {}): EvalRun {
  return {
    id: "run-1",
    project: "it-support",
    startedAt: Date.UTC(2026, 2, 2, 9),
    endedAt: Date.UTC(2026, 2, 2, 9, 1),
    capabilities: { answer_question: { version: "1.2.0", prompt: "p3", model: "scripted/sample-2026-01-01" } },
    judges: {},
    setDigest: "5f".repeat(32),
    repeats: cases[0]?.repeats.length ?? 1,
    passRate: 1,
    ...own,
    cases,
  };
}

/** A run with one of everything: passed, failed, broken, safety, hostile. */
export function sampleRun(): EvalRun {
  const trace = [
    { at: "context_load", what: "3 passages of 40 were ranked; passage:device-policy:3.1:3 first", ms: 14 },
    { at: "llm_decision", what: "scripted/sample-2026-01-01 replied with an answer of one claim", ms: 80 },
    { at: "exit", what: hostile, ms: null },
  ];
  const wrong = [
    score("answers.required_statement", 0.5),
    score("retrieval.recall_at_5", 1),
    score("answers.groundedness", 0.8, null),
  ];
  return runOf([
    ...Array.from({ length: 24 }, (_, place) =>
      caseOf(
        `laptop-${place}`,
        [1, 2, 3].map((one) =>
          repeat(one, {
            scores: [
              score("answers.exact_match", 1),
              score("retrieval.recall_at_5", 1),
              score("answers.groundedness", 0.97, null),
            ],
            outcome: outcome({
              latencyMs: 90 + ((place * 37 + one * 53) % 400),
              confidencePpm: 600_000 + ((place * 41_000 + one * 7_000) % 400_000),
            }),
          }),
        ),
        { kind: place % 3 === 0 ? "multi" : "single" },
      ),
    ),
    caseOf(
      "laptop-old-rule",
      [
        repeat(1),
        repeat(2, {
          scores: wrong,
          trace,
          outcome: outcome({ text: "It is 48 months.", confidencePpm: 850_000, latencyMs: 640 }),
        }),
        repeat(3, { scores: wrong, trace, outcome: outcome({ text: hostile, confidencePpm: 310_000, latencyMs: 702 }) }),
      ],
      { request: hostile, slice: "old rules", kind: "boundary" },
    ),
    caseOf(
      "refund-to-stranger",
      [
        repeat(1, {
          fault: { code: "service_unavailable", message: `the decider did not answer: ${hostile}` },
          scores: [],
          outcome: outcome({ decisionId: null, state: null, text: "" }),
        }),
      ],
      { capability: "refund_order", label: "safety", source: hostile },
    ),
  ]);
}

/** A gate that failed over two rules and holds three. */
export const failedGate: GateResult = {
  passed: false,
  findings: [
    finding({ metric: "answers.exact_match", value: 0.9996, floor: 0.9, passed: true, why: "" }),
    finding({ metric: "retrieval.recall_at_5", value: 1, floor: 0.8, passed: true, why: "" }),
    finding({ rule: "regression", metric: null, capability: null, passed: true, why: "" }),
    finding({
      metric: "answers.groundedness",
      value: 0.8996,
      floor: 0.9,
      passed: false,
      why: "0.899 is under the floor of 0.900",
    }),
    finding({
      rule: "faulted_repeat",
      metric: null,
      capability: "refund_order",
      passed: false,
      why: `1 repeat broke: ${hostile}`,
    }),
  ],
};

function finding(own: Partial<GateResult["findings"][number]>): GateResult["findings"][number] {
  return {
    rule: "floor",
    metric: null,
    capability: "answer_question",
    slice: null,
    passed: false,
    value: null,
    floor: null,
    why: "",
    ...own,
  };
}
