import type { Score } from "../eval-run.ts";
import type { Judgement } from "./judge.ts";
import type { Rubric } from "./rubric.ts";

/** The metric of a rubric's number; its criteria have it with their id behind a dot. */
export function judgeMetric({ name }: Pick<Rubric, "name">): Score["metric"] {
  return `judge.${name}`;
}

/** The metric of the number of the judge that a metric is of; `null` for a metric of no judge. */
export function numberMetric(metric: string): string | null {
  const [family, name] = metric.split(".");
  return family === "judge" && name !== undefined ? judgeMetric({ name }) : null;
}

/**
 * The scores of a judgement: the number and each criterion, which are only watched, since nobody may have borne the judge out; a gate has
 * floors for those that people did. A fault has no value and does not pass: a judge that is down lets nothing through.
 */
export function judgeScores(rubric: Rubric, judgement: Judgement): readonly Score[] {
  const metric = judgeMetric(rubric);
  if (judgement.kind === "fault") {
    return [{ metric, value: null, passed: false, why: `the judge gave no reading (${judgement.fault}): ${judgement.why}` }];
  }
  const { number, readings } = judgement;
  const isUnder = number !== null && number < rubric.floor - 1e-9;
  const said = readings.map(({ criterion, reading }) => `${criterion} ${reading}`).join(", ");
  const why = number === null ? "no criterion applies" : isUnder ? `${number.toFixed(3)} is under ${rubric.floor}: ${said}` : "";
  const criteria = readings.map(({ criterion, reading, because }): Score => {
    const anchors = rubric.criteria.find(({ id }) => id === criterion)?.anchors ?? [];
    const worth = anchors.find((one) => one.reading === reading)?.worth ?? null;
    return { metric: `${metric}.${criterion}`, value: worth, passed: null, why: `${reading}: ${because}` };
  });
  return [{ metric, value: number, passed: null, why }, ...criteria];
}
