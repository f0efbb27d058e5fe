import { readAgreement, trustOf } from "../evals/agreement/trust.ts";
import type { Gating } from "../evals/gate/finding.ts";
import { judgeMetric } from "../evals/judges/judge-scores.ts";
import { readRubrics } from "../evals/judges/read-rubrics.ts";

/** Of the metric of each judge of a project, whether people's labels bear it out, and if not why. */
export async function readJudgeTrust(project: string): Promise<NonNullable<Gating["judges"]>> {
  const rubrics = await readRubrics(project);
  const trusts = rubrics.map(async (rubric) => {
    return [judgeMetric(rubric), trustOf(rubric, await readAgreement(project, rubric.name))] as const;
  });
  return Object.fromEntries(await Promise.all(trusts));
}
