import type { CaseResult, EvalRun } from "../eval-run.ts";
import { numberMetric } from "../judges/judge-scores.ts";
import { bootstrapInterval } from "../statistics/bootstrap.ts";
import { mcnemarWorse } from "../statistics/mcnemar.ts";
import { mean } from "../statistics/mean.ts";
import { found, type GateFinding, type Gating, withoutFigure } from "./finding.ts";
import { isTime } from "./gate-file.ts";
import { judgeTrust } from "./judge-trust.ts";
import { isUnknownTime, measure } from "./measures.ts";

/**
 * Compares a run with its pinned baseline, case by case: the mean difference of each metric by a bootstrap interval over cases, and which
 * cases passed before and fail now by the exact test of McNemar. Nothing where no baseline was named.
 */
export function judgeRegression(gating: Gating): readonly GateFinding[] {
  const { run, gate, baseline, isSelection } = gating;
  if (baseline === null) return [];
  const other = differenceOf({ run, baseline, isSelection });
  if (other !== null) return [found("other_cases", other)];
  const rules = gate.regression;
  const pairs = pairsOf(run, baseline);
  return [
    ...rules.metrics.flatMap((metric) => {
      const made = judgedAlike(metric, { run, baseline }) ?? judgeMetric(metric, { pairs, rules, isSelection });
      // Where a choice of cases is not asked for it, it gates nothing.
      return made.length === 0 ? [] : [...judgeTrust(gating, { metric }), ...made];
    }),
    judgeCases(pairs, rules),
  ];
}

type Rules = Gating["gate"]["regression"];

interface Pair {
  readonly before: CaseResult;
  readonly now: CaseResult;
}

/** Only the same cases are compared: others say nothing of what changed. */
function differenceOf({
  run,
  baseline,
  isSelection,
}: Pick<Gating, "run" | "isSelection"> & { baseline: EvalRun }): string | null {
  if (baseline.project !== run.project) return `the baseline is of project \`${baseline.project}\``;
  if (run.setDigest === baseline.setDigest) return null;
  const known = new Map(baseline.cases.map((one) => [one.id, one]));
  const isSame = (one: CaseResult): boolean => {
    const before = known.get(one.id);
    return before !== undefined && before.caseDigest === one.caseDigest;
  };
  const other = run.cases.find((one) => !isSame(one));
  if (isSelection && other === undefined) return null;
  if (other !== undefined)
    return `the baseline is over other cases: \`${other.id}\` is new or was changed; pin a run over the cases as they are`;
  return "the baseline is over other cases: it has more than the run; pin a run over the cases as they are";
}

/** What two judges read is no difference between two runs; `null` where one and the same judge read both, or the metric is none of a judge's. */
function judgedAlike(metric: string, { run, baseline }: { run: EvalRun; baseline: EvalRun }): readonly GateFinding[] | null {
  const judge = numberMetric(metric);
  if (judge === null) return null;
  const [, name = ""] = judge.split(".");
  if (run.judges[name]?.rubricDigest === baseline.judges[name]?.rubricDigest) return null;
  const why = "the baseline was read by another rubric or model of this judge; pin a run that was read by the one of now";
  return [found("other_judge", why, { metric })];
}

function pairsOf(run: EvalRun, baseline: EvalRun): readonly Pair[] {
  const known = new Map(baseline.cases.map((one) => [one.id, one]));
  return run.cases.flatMap((now) => {
    const before = known.get(now.id);
    return before === undefined ? [] : [{ before, now }];
  });
}

function judgeMetric(
  metric: string,
  { pairs, rules, isSelection }: { pairs: readonly Pair[]; rules: Rules; isSelection: boolean },
): readonly GateFinding[] {
  const about = { metric, floor: -rules.most_worse };
  if (isUnknownTime(metric)) return [found("unknown_metric", "there is no time of this name", about)];
  const now = pairs.map((pair) => pair.now);
  // What is asked for and has no figure now may have become worse.
  const unknown = withoutFigure(measure(metric, now), about);
  const differences = pairs.flatMap(({ before, now }) => {
    const [was, is] = [measure(metric, [before]).value, measure(metric, [now]).value];
    return was === null || is === null ? [] : [isTime(metric) ? (was - is) / Math.max(was, 1) : is - was];
  });
  const { level, resamples, seed, most_worse } = rules;
  const interval = bootstrapInterval(differences, { level, resamples, seed, of: mean });
  const changed = mean(differences);
  if (interval === null || changed === null) {
    if (unknown.length > 0) return unknown;
    return isSelection ? [] : [found("not_applicable", "no case has it in both runs", about)];
  }
  const passed = interval.low >= -most_worse - 1e-9;
  const words = `the mean of ${metric} changed by ${changed.toFixed(3)} (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})`;
  const why = `${words} over ${differences.length} cases, and the lower end may be ${-most_worse} at the least`;
  return [...unknown, found("regression", passed ? "" : why, { ...about, passed, value: interval.low })];
}

function judgeCases(pairs: readonly Pair[], { level }: Rules): GateFinding {
  const lost = pairs.filter(({ before, now }) => before.passed && !now.passed).map(({ now }) => now.id);
  const won = pairs.filter(({ before, now }) => !before.passed && now.passed).length;
  const likely = mcnemarWorse(lost.length, won);
  const passed = lost.length === 0 || likely > 1 - level;
  const names = lost.slice(0, 5).map((id) => `\`${id}\``);
  const why = `${lost.length} cases passed before and fail now (${names.join(", ")}), ${won} the other way: by chance so in ${likely.toFixed(4)} of runs`;
  return found("regression_cases", passed ? "" : why, { metric: "cases.passed", passed, value: likely, floor: 1 - level });
}
