import type { ContextItem } from "../../src/contract/context.ts";
import type { DecisionView, EffectView } from "../../src/contract/views.ts";
import { type EvalCase, evalCase, type SetCase } from "../../src/evals/case-file.ts";
import type { CaseResult, EvalRun, Outcome, Repeat, Score } from "../../src/evals/eval-run.ts";
import type { Played, PlayTask } from "../../src/evals/played.ts";

import { caseDigest, setDigest } from "../../src/evals/set-digest.ts";

/** A case as a file would hold it, with usual parts where none are given. */
export function caseFor(
  part: { id?: string; expectations?: object; fixtures?: object; label?: string; slice?: string; request?: string } = {},
): EvalCase {
  return evalCase.parse({
    id: "one",
    request: "How old must it be?",
    envelope: { principal: "emp-1", roles: ["employee"] },
    label: "quality",
    kind: "single",
    slice: "all",
    source: "written by hand",
    ...part,
    fixtures: { seed: "sandbox", ...part.fixtures },
    expectations: part.expectations ?? { decision: "answered" },
  });
}

/** The first repeat of a case. */
export function taskFor(part: Parameters<typeof caseFor>[0] = {}, capability = "answer"): PlayTask {
  return { one: caseFor(part), capability, repeat: 1 };
}

const outcome: Outcome = {
  ...{ decisionId: "d-1", state: "answered", label: "answered", route: "auto", rule: "no_effects", stop: null, text: "" },
  ...{ model: "scripted/a", isScripted: true, confidencePpm: 900_000, latencyMs: 100, costMicros: 0 },
  tokens: { input: 10, cached: 0, output: 5, reasoning: 0 },
};

const decision = {
  ...{
    id: "d-1",
    state: "answered",
    label: "answered",
    route: "auto",
    refusal: null,
    claims: [],
    droppedClaims: [],
    effects: [],
  },
} as unknown as DecisionView; // as much of it as scorers look at

/** What a repeat came to, with usual parts where none are given. */
export function playedFor({
  outcome: ofOutcome = {},
  decision: ofDecision = {},
  ...part
}: Partial<Omit<Played, "outcome" | "decision">> & {
  outcome?: Partial<Outcome>;
  decision?: Partial<DecisionView> | null;
} = {}): Played {
  return {
    ...{ trace: [], items: [], unseen: [], activity: null, steps: [], sent: [], unknownSent: 0, state: [], fault: null },
    ...part,
    outcome: { ...outcome, ...ofOutcome },
    decision: ofDecision === null ? null : { ...decision, ...ofDecision },
  };
}

/** A passage that was loaded. */
export function passage(id: string, text = ""): ContextItem {
  return { kind: "passage", id, need: "policy", document: "d", title: "Policy", version: "1", section: "Age", text, score: 0.5 };
}

/** A fact that was loaded; instants in milliseconds since the epoch. */
export function fact(
  object: string,
  { validFrom, validTo, at }: { validFrom: number; validTo: number | null; at: number },
): ContextItem {
  return {
    ...{
      kind: "fact",
      id: `fact:${object}`,
      need: "lead",
      subject: "team:a",
      predicate: "lead",
      object,
      validFrom,
      validTo,
      at,
      learntAt: 0,
    },
    ...{ source: "s", sourceTitle: "S", label: "system", zone: "UTC", mappingVersion: 1, hasLater: false, isInConflict: false },
    ...{ path: [], isCutOff: false },
  };
}

/** An effect that was proposed. */
export function effect(name: string, params: object, part: Partial<EffectView> = {}): EffectView {
  return { effect: name, params, state: "proposed", verdict: null, ...part } as unknown as EffectView; // as much as scorers look at
}

/** The figures of a scorer by metric. */
export function byMetric(scores: readonly Score[]): Record<string, Pick<Score, "value" | "passed">> {
  return Object.fromEntries(scores.map(({ metric, value, passed }) => [metric, { value, passed }]));
}

/** One repeat with these figures; a figure is part of whether it passed, or `[value, null]` where it is only watched. */
export function repeatWith(
  figures: Readonly<Record<string, number | null | readonly [number | null, boolean | null]>>,
  repeat = 1,
): Repeat {
  const scores = Object.entries(figures).map(([metric, figure]) => {
    const [value, passed] = Array.isArray(figure)
      ? (figure as [number | null, boolean | null])
      : [figure as number | null, figure === 1];
    return { metric: metric as Score["metric"], value, passed, why: passed === false ? "it was not" : "" };
  });
  return { repeat, outcome, scores, trace: [], passed: scores.every(({ passed }) => passed !== false), fault: null };
}

/** A set of cases, and a run over it with these repeats. */
export function runOver(
  cases: readonly { readonly one: EvalCase; readonly repeats: readonly Repeat[]; readonly capability?: string }[],
  part: Partial<EvalRun> = {},
): { readonly run: EvalRun; readonly set: readonly SetCase[] } {
  const set = cases.map(({ one, capability = "answer" }) => ({ one, capability }));
  const results = cases.map(({ one, repeats, capability = "answer" }): CaseResult => {
    const { id, label, kind, slice, source } = one;
    const passed = repeats.length > 0 && repeats.every((repeat) => repeat.passed);
    return {
      id,
      label,
      kind,
      slice,
      source,
      capability,
      caseDigest: caseDigest({ capability, one }),
      request: "",
      repeats,
      passed,
    };
  });
  const run: EvalRun = {
    ...{
      id: "r-1",
      project: "p",
      startedAt: 0,
      endedAt: 1,
      capabilities: {},
      judges: {},
      setDigest: setDigest(set),
      repeats: 1,
      passRate: 0.6,
    },
    cases: results,
    ...part,
  };
  return { run, set };
}
