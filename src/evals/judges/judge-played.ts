import { shownItem } from "../../contract/shown-item.ts";
import type { Score } from "../eval-run.ts";
import type { Played, PlayTask } from "../played.ts";
import { expectsRefusal } from "../scorers/scoring.ts";
import type { JudgeParts } from "./ask-judge.ts";
import { judge } from "./judge.ts";
import { judgeMetric, judgeScores } from "./judge-scores.ts";
import type { Rubric } from "./rubric.ts";

/**
 * Has the answer of one repeat read by every rubric of its capability. A case that expects a refusal is read by none: there is nothing to
 * read. One that expects an answer and got none has a score without a value, which a gate on the judge does not pass over.
 */
export async function judgePlayed(
  { one, capability }: PlayTask,
  { outcome, items }: Pick<Played, "outcome" | "items">,
  { rubrics, parts }: { rubrics: readonly Rubric[]; parts: JudgeParts },
): Promise<readonly Score[]> {
  const reading = expectsRefusal(one) ? [] : rubrics.filter(({ capabilities }) => capabilities.includes(capability));
  const request = typeof one.request === "string" ? one.request : JSON.stringify(one.request);
  const sources = (items ?? []).map((item) => ({ id: item.id, text: JSON.stringify(shownItem(item)) }));
  const scores: Score[] = [];
  for (const rubric of reading) {
    if (outcome.stop !== null || outcome.text === "") scores.push(nothingToRead(rubric));
    else {
      const subject = { request, answer: outcome.text, sources };
      scores.push(...judgeScores(rubric, await judge({ rubric, subject, answeredBy: outcome.model, parts })));
    }
  }
  return scores;
}

function nothingToRead(rubric: Rubric): Score {
  return { metric: judgeMetric(rubric), value: null, passed: null, why: "nothing was told, so there is nothing to read" };
}
