import type { CaseResult, EvalRun } from "../eval-run.ts";
import { numberMetric } from "../judges/judge-scores.ts";
import { setDigest } from "../set-digest.ts";
import { found, type GateFinding, type GateResult, type Gating, withoutFigure } from "./finding.ts";
import type { Floor } from "./gate-file.ts";
import { judgeTrust } from "./judge-trust.ts";
import { casesOf, isKnownMetric, isUnknownTime, measure } from "./measures.ts";
import { judgeRegression } from "./regression.ts";

/**
 * Holds a run against its gate. Whatever keeps the gate from knowing fails it by name: no case, a case that is missing, a repeat that broke, a
 * metric that could not be computed or that there is not, a judge that gave no reading or that people's labels do not bear out, a
 * baseline over other cases.
 */
export function judgeGate(gating: Gating): GateResult {
  const findings = [
    ...judgeSet(gating),
    ...judgeRepeats(gating.run),
    ...judgeSafety(gating.run),
    ...gating.gate.floors.flatMap((floor) => judgeFloor(gating, floor)),
    ...judgeRegression(gating),
  ];
  return { passed: findings.every(({ passed }) => passed), findings };
}

function judgeSet({ run, gate, set, isSelection }: Gating): readonly GateFinding[] {
  if (set.length === 0 || run.cases.length === 0) return [found("empty_set", "there is no eval case, so nothing was shown")];
  const played = new Set(run.cases.flatMap(({ id, repeats }) => (repeats.length >= run.repeats ? [id] : [])));
  const missing = set.filter(({ one }) => !played.has(one.id));
  const sizes = isSelection ? [] : Object.entries(gate.sets);
  return [
    ...missing.map(({ one, capability }) =>
      found("missing_case", `eval case \`${one.id}\` was not played ${run.repeats} times`, { capability }),
    ),
    ...(setDigest(set) === run.setDigest
      ? []
      : [found("missing_case", "the run is of other eval cases than the project has now")]),
    ...sizes.flatMap(([capability, least]) => judgeSize({ run, capability, least })),
  ];
}

function judgeSize({ run, capability, least }: { run: EvalRun; capability: string; least: number }): readonly GateFinding[] {
  const { length } = casesOf(run, { capability });
  if (length === 0) return [found("empty_set", `\`${capability}\` has no eval case`, { capability, value: 0, floor: least })];
  const why = length >= least ? "" : `\`${capability}\` has ${length} eval cases of at least ${least}`;
  return [found("missing_case", why, { capability, passed: length >= least, value: length, floor: least })];
}

function judgeRepeats({ cases }: EvalRun): readonly GateFinding[] {
  return cases.flatMap(({ id, capability, slice, repeats }) =>
    repeats.flatMap(({ repeat, fault, scores }) => [
      ...(fault === null
        ? []
        : [
            found("faulted_repeat", `repeat ${repeat} of \`${id}\` broke (${fault.code}): ${fault.message}`, {
              capability,
              slice,
            }),
          ]),
      ...scores
        .filter(({ metric, value, passed }) => numberMetric(metric) !== null && value === null && passed === false)
        .map(({ metric, why }) =>
          found("judge_down", `repeat ${repeat} of \`${id}\` was not judged: ${why}`, { metric, capability, slice }),
        ),
      // What a case demands and nobody could look at is not passed over, whether a floor names it or not.
      ...scores
        .filter(({ metric, value, passed }) => numberMetric(metric) === null && value === null && passed === false)
        .map(({ metric, why }) =>
          found("not_applicable", `repeat ${repeat} of \`${id}\`: ${why}`, { metric, capability, slice }),
        ),
    ]),
  );
}

/** A safety case passes only if every repeat passed; one finding for each metric that says why. */
function judgeSafety({ cases }: EvalRun): readonly GateFinding[] {
  return cases.filter(({ label, passed }) => label === "safety" && !passed).flatMap(failedSafety);
}

function failedSafety({ id, capability, slice, repeats }: CaseResult): readonly GateFinding[] {
  const failed = repeats.flatMap(({ scores }) => scores.filter(({ passed }) => passed === false));
  const byMetric = [...Map.groupBy(failed, ({ metric }) => metric)];
  const about = { capability, slice };
  if (byMetric.length === 0) return [found("safety", `safety case \`${id}\` did not pass`, about)];
  return byMetric.map(([metric, scores]) =>
    found("safety", `safety case \`${id}\`: ${scores[0]?.why ?? ""}`, {
      ...about,
      metric,
      value: scores[0]?.value ?? null,
      floor: 1,
    }),
  );
}

function judgeFloor(gating: Gating, floor: Floor): readonly GateFinding[] {
  const { run, isSelection } = gating;
  const { metric, capability = null, slice = null, least, most } = floor;
  const about = { metric, capability, slice, floor: least ?? most ?? null };
  const cases = casesOf(run, floor);
  if (cases.length === 0)
    return isSelection ? [] : [found("empty_set", "no eval case is of this capability, slice and label", about)];
  const measured = measure(metric, cases);
  const { value, without } = measured;
  if (value === null && without.length === 0) {
    // No choice of cases could make a name known that is none.
    if (isUnknownTime(metric) || !(isSelection || isKnownMetric(metric, run)))
      return [found("unknown_metric", "no eval case is asked for a metric of this name", about)];
    return isSelection
      ? []
      : [found("not_applicable", "no eval case of this capability, slice and label is asked for it", about)];
  }
  return [
    ...withoutFigure(measured, about),
    ...judgeTrust(gating, about),
    ...(value === null ? [] : [judgeFigure(value, { floor, cases, about })]),
  ];
}

type About = Partial<GateFinding> & { readonly metric: string };

function judgeFigure(
  value: number,
  { floor, cases, about }: { floor: Floor; cases: readonly CaseResult[]; about: About },
): GateFinding {
  const passed = floor.most === undefined ? value >= (floor.least ?? 0) - 1e-9 : value <= floor.most;
  return found("floor", passed ? "" : wordsOf({ value, cases, floor }), { ...about, passed, value });
}

function wordsOf({
  value,
  cases,
  floor: { metric, least, most },
}: {
  value: number;
  cases: readonly CaseResult[];
  floor: Floor;
}): string {
  const figure =
    most === undefined
      ? `${value.toFixed(3)}, and at least ${least} is wanted`
      : `${Math.round(value)} ms, and at most ${most} is wanted`;
  const worst = cases.flatMap(({ id, passed }) => (passed ? [] : [id])).slice(0, 5);
  const names = metric === "cases.passed" && worst.length > 0 ? `; failing: ${worst.map((id) => `\`${id}\``).join(", ")}` : "";
  return `${metric} is ${figure}, over ${cases.length} cases${names}`;
}
