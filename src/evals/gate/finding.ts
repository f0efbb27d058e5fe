import type { Trust } from "../agreement/trust.ts";
import type { SetCase } from "../case-file.ts";
import type { EvalRun } from "../eval-run.ts";
import type { GateFile } from "./gate-file.ts";
import type { Measure } from "./measures.ts";

/** By which rule of a gate a finding is. */
export type GateRule =
  | "floor"
  | "safety"
  | "not_applicable"
  | "empty_set"
  | "missing_case"
  | "faulted_repeat"
  | "unknown_metric"
  | "judge_down"
  | "judge_not_trusted"
  | "other_cases"
  | "other_judge"
  | "regression"
  | "regression_cases";

/** One thing that a gate looked at. */
export interface GateFinding {
  readonly rule: GateRule;
  /** `null` where it is about no one metric, capability or slice. */
  readonly metric: string | null;
  readonly capability: string | null;
  readonly slice: string | null;
  readonly passed: boolean;
  readonly value: number | null;
  /** What was wanted: the least, or the most of a time. */
  readonly floor: number | null;
  /** In one sentence. */
  readonly why: string;
}

/** What a gate says of a run. */
export interface GateResult {
  readonly passed: boolean;
  readonly findings: readonly GateFinding[];
}

/** What a gate is judged from. */
export interface Gating {
  readonly run: EvalRun;
  readonly gate: GateFile;
  /** The cases that were to be played. */
  readonly set: readonly SetCase[];
  /** They are a choice of the project's cases: what none of them is asked is not demanded then. */
  readonly isSelection: boolean;
  /** The pinned run to compare with; `null` where none was named. */
  readonly baseline: EvalRun | null;
  /** By the metric of each judge's number, whether people's labels bear it out; judges that are not in it are not trusted. */
  readonly judges?: Readonly<Record<string, Trust>>;
}

/** A finding about no one figure. */
export function found(rule: GateRule, why: string, about: Partial<GateFinding> = {}): GateFinding {
  return { rule, metric: null, capability: null, slice: null, passed: false, value: null, floor: null, ...about, why };
}

/** What is asked for and has no figure is named, since it was neither reached nor missed; nothing where every case has one. */
export function withoutFigure(
  { without, why }: Pick<Measure, "without" | "why">,
  about: Partial<GateFinding>,
): readonly GateFinding[] {
  if (without.length === 0) return [];
  const cases = `${without.length} ${without.length === 1 ? "case" : "cases"}, such as \`${without[0]}\``;
  return [found("not_applicable", `it could not be computed of ${cases}: ${why}`, about)];
}
