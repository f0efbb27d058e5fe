import { type ResolvedOutcome, resolvedOutcomes } from "../../contract/words.ts";
import type { Project } from "../../define/project.ts";

/** What a person may say became of an effect: that it is to be undone only where the effect declares what undoes it. */
export function outcomesOf({ effects }: Project, name: string): readonly ResolvedOutcome[] {
  const isUndoable = effects.find((effect) => effect.name === name)?.compensate !== undefined;
  return resolvedOutcomes.filter((outcome) => outcome !== "compensate" || isUndoable);
}
