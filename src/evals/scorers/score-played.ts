import type { Score } from "../eval-run.ts";
import type { Played, PlayTask } from "../played.ts";
import { scoreAnswers } from "./score-answers.ts";
import { scoreEffects } from "./score-effects.ts";
import { scoreIntake } from "./score-intake.ts";
import { scoreLoops } from "./score-loops.ts";
import { scorePrivacy } from "./score-privacy.ts";
import { scoreRetrieval } from "./score-retrieval.ts";
import { scoreTime } from "./score-time.ts";
import type { Scorer } from "./scoring.ts";

const scorers: readonly Scorer[] = [scoreRetrieval, scoreAnswers, scoreIntake, scoreLoops, scoreEffects, scoreTime, scorePrivacy];

/** Every figure that code computes of one repeat. Nothing that the case asks for is left out, and nothing is scored that it does not. */
export function scorePlayed(task: PlayTask, played: Played): readonly Score[] {
  return scorers.flatMap((scorer) => scorer(task, played));
}
