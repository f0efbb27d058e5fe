import { CountersignError } from "../../contract/errors.ts";
import type { EvalRun, Score } from "../eval-run.ts";
import { judgeMetric } from "../judges/judge-scores.ts";
import { notApplicable, type Rubric } from "../judges/rubric.ts";
import { rubricDigest } from "../judges/rubric-digest.ts";

/** What a judge read of one answer, by one criterion. */
export interface JudgeReading {
  readonly decision: string;
  readonly criterion: string;
  readonly reading: string;
}

/** What a judge read in a run. */
export interface ReadByJudge {
  /** Of the rubric that the readings were made by. */
  readonly rubricDigest: string;
  readonly readings: readonly JudgeReading[];
  /** For how many answers it gave no reading at all. */
  readonly faults: number;
}

/** What a judge read in a run. Throws `bad_request` where the run was read by another rubric or model, or nobody knows by which. */
export function judgeReadings(run: EvalRun, rubric: Rubric): ReadByJudge {
  refuseOtherRubric(run, rubric);
  const metric = judgeMetric(rubric);
  const repeats = run.cases.flatMap((one) => one.repeats);
  const readings = repeats.flatMap(({ outcome, scores }) =>
    outcome.decisionId === null ? [] : readingsIn(scores, { rubric, decision: outcome.decisionId }),
  );
  const faults = repeats.filter(({ scores }) =>
    scores.some((one) => one.metric === metric && one.value === null && one.passed === false),
  );
  return { rubricDigest: rubricDigest(rubric), readings, faults: faults.length };
}

/**
 * What one judge read says nothing of another, so a run is asked only of the very rubric and model by which it was read. Throws
 * `bad_request` for any other.
 */
export function refuseOtherRubric({ judges }: Pick<EvalRun, "judges">, rubric: Rubric): void {
  const then = Object.hasOwn(judges, rubric.name) ? judges[rubric.name] : undefined;
  if (then?.rubricDigest === rubricDigest(rubric)) return;
  const now = `the project has version ${rubric.version} with ${rubric.model.provider}/${rubric.model.id}`;
  const was =
    then === undefined
      ? "the run does not say that it was read by it"
      : `the run was read by another form of it, version ${then.version} with ${then.model}, and ${now}`;
  throw new CountersignError(
    "bad_request",
    `the rubric \`${rubric.name}\` is not the one of the run: ${was}; run the eval cases again`,
  );
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
