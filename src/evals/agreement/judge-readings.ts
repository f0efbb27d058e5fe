import type { EvalRun, Score } from "../eval-run.ts";
import { judgeMetric } from "../judges/judge-scores.ts";
import { notApplicable, type Rubric } from "../judges/rubric.ts";

/** What a judge read of one answer, by one criterion. */
export interface JudgeReading {
  readonly decision: string;
  readonly criterion: string;
  readonly reading: string;
}

/** What a judge read in a run, and for how many answers it gave no reading at all. */
export function judgeReadings(
  run: EvalRun,
  rubric: Rubric,
): { readonly readings: readonly JudgeReading[]; readonly faults: number } {
  const metric = judgeMetric(rubric);
  const repeats = run.cases.flatMap((one) => one.repeats);
  const readings = repeats.flatMap(({ outcome, scores }) =>
    outcome.decisionId === null ? [] : readingsIn(scores, { rubric, decision: outcome.decisionId }),
  );
  const faults = repeats.filter(({ scores }) =>
    scores.some((one) => one.metric === metric && one.value === null && one.passed === false),
  );
  return { readings, faults: faults.length };
}

/** The words behind the figures: what a reading is worth is its alone. */
function readingsIn(
  scores: readonly Score[],
  { rubric, decision }: { rubric: Rubric; decision: string },
): readonly JudgeReading[] {
  return rubric.criteria.flatMap(({ id, anchors }) => {
    const score = scores.find(({ metric }) => metric === `${judgeMetric(rubric)}.${id}`);
    if (score === undefined) return [];
    if (score.value === null) return [{ decision, criterion: id, reading: notApplicable }];
    const word = anchors.find(({ worth }) => worth === score.value)?.reading;
    return word === undefined ? [] : [{ decision, criterion: id, reading: word }];
  });
}
