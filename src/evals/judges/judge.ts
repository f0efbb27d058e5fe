import type { CallRecord } from "../../contract/model.ts";
import { askJudge, type JudgeFault, type JudgeParts } from "./ask-judge.ts";
import { judgePrompt, replySchema, type Subject } from "./judge-prompt.ts";
import { isOwnModel } from "./own-model.ts";
import { numberOf, type Reading, type Rubric } from "./rubric.ts";

/** What a judge made of one answer. The number is computed from the readings, and from nothing else. */
export type Judgement =
  | {
      readonly kind: "read";
      readonly readings: readonly Reading[];
      /** 0 to 1; `null` where no criterion applies. */
      readonly number: number | null;
      readonly calls: readonly CallRecord[];
    }
  | { readonly kind: "fault"; readonly fault: JudgeFault; readonly why: string; readonly calls: readonly CallRecord[] };

/**
 * Has an answer read by a rubric. `answeredBy` is the model whose reply it is, `provider/id`, or `null` where none wrote it: a judge of the
 * same model is refused unless the rubric says why it may.
 */
export async function judge({
  rubric,
  subject,
  answeredBy,
  parts,
}: {
  rubric: Rubric;
  subject: Subject;
  answeredBy: string | null;
  parts: JudgeParts;
}): Promise<Judgement> {
  const own = refusalOfOwn(rubric, answeredBy);
  if (own !== null) return own;
  const reply = await askJudge({ rubric, prompt: judgePrompt(rubric, subject), schema: replySchema(rubric), parts });
  if (reply.kind === "fault") return reply;
  const readings = rubric.criteria.flatMap(({ id }) => {
    const of = reply.value[id];
    return of === undefined ? [] : [{ criterion: id, reading: of.reading, because: of.because }];
  });
  return { kind: "read", readings, number: numberOf(rubric, readings), calls: reply.calls };
}

/** Models prefer their own replies: a judge of the same model is a fault, unless the rubric says why it may be. */
function refusalOfOwn(rubric: Rubric, model: string | null): Extract<Judgement, { kind: "fault" }> | null {
  if (model === null || !isOwnModel(rubric.model, model) || rubric.judgesOwnModel !== undefined) return null;
  const why = `the judge \`${rubric.name}\` has the model that it would judge; name another model, or say why in \`judgesOwnModel\``;
  return { kind: "fault", fault: "own_model", why, calls: [] };
}
