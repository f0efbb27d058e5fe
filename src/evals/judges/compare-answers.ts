import type { CallRecord } from "../../contract/model.ts";
import { askJudge, type JudgeParts } from "./ask-judge.ts";
import { type Judgement, refusalOfOwn } from "./judge.ts";
import { pairPrompt, pairSchema, type preferences, type Subject } from "./judge-prompt.ts";
import type { Rubric } from "./rubric.ts";

/** What a judge made of one criterion of two answers, having seen them in both orders. */
export interface Preference {
  readonly criterion: string;
  /** `same` too where it preferred whichever stood in one place. */
  readonly better: "one" | "other" | "same";
  /** It said the same in both orders. */
  readonly isSteady: boolean;
}

/** What a judge made of two answers. */
export type Comparison =
  | {
      readonly kind: "read";
      readonly preferences: readonly Preference[];
      /** The weighted share of the criteria in favour of the one answer, 0 to 1; 0.5 where neither is better. */
      readonly number: number;
      readonly calls: readonly CallRecord[];
    }
  | Extract<Judgement, { kind: "fault" }>;

/**
 * Has two answers to one request compared by a rubric, in both orders, since judges prefer a place. Source: Zheng et al., "Judging
 * LLM-as-a-Judge with MT-Bench and Chatbot Arena" (2023), section 3.4. A preference counts where both orders agree.
 */
export async function compareAnswers({
  rubric,
  request,
  sources,
  one,
  other,
  answeredBy,
  parts,
}: Omit<Subject, "answer"> & {
  rubric: Rubric;
  one: string;
  other: string;
  answeredBy: readonly (string | null)[];
  parts: JudgeParts;
}): Promise<Comparison> {
  const own = refusalOfOwn(rubric, answeredBy);
  if (own !== null) return own;
  const schema = pairSchema(rubric);
  const asked = { request, sources };
  const forwards = await askJudge({ rubric, prompt: pairPrompt(rubric, { ...asked, first: one, second: other }), schema, parts });
  if (forwards.kind === "fault") return forwards;
  const back = await askJudge({ rubric, prompt: pairPrompt(rubric, { ...asked, first: other, second: one }), schema, parts });
  if (back.kind === "fault") return { ...back, calls: [...forwards.calls, ...back.calls] };
  const found = rubric.criteria.map(({ id }) => preferenceOf(id, forwards.value[id]?.reading, back.value[id]?.reading));
  return { kind: "read", preferences: found, number: shareOf(rubric, found), calls: [...forwards.calls, ...back.calls] };
}

type Word = (typeof preferences)[number] | undefined;

function preferenceOf(criterion: string, forwards: Word, back: Word): Preference {
  const turned = back === "first" ? "second" : back === "second" ? "first" : back;
  const isSteady = forwards === turned;
  if (!isSteady || forwards === "same") return { criterion, better: "same", isSteady };
  return { criterion, better: forwards === "first" ? "one" : "other", isSteady };
}

const worth = { one: 1, same: 0.5, other: 0 } as const;

function shareOf({ criteria }: Rubric, found: readonly Preference[]): number {
  const weights = criteria.reduce((sum, { weight }) => sum + weight, 0);
  const weighed = criteria.reduce((sum, { weight }, place) => sum + weight * worth[found[place]?.better ?? "same"], 0);
  return weighed / weights;
}
