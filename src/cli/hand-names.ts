import { isCountersignError } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import { checkHands, type Hands } from "../worker.ts";
import { loadEntry } from "./load.ts";

/**
 * Prints the effects that a project's acting half has hands for, and what keeps those hands from acting. Runs in a process of its own,
 * which loads that half alone.
 */
export async function handNames({ project: folder }: { project: string }): Promise<void> {
  const project = await loadEntry<Project>(folder, "project");
  const hands = await loadEntry<Hands>(folder, "hands");
  const effects = hands.hands.map(({ effect }) => effect.name);
  console.log(JSON.stringify({ effects, problem: problemOf({ project, hands, effects }) }));
}

/** Of the effects that have hands: those that have none are told one by one, from their names. */
function problemOf({ project, hands, effects }: { project: Project; hands: Hands; effects: readonly string[] }): string | null {
  try {
    checkHands({ project: { effects: project.effects.filter(({ name }) => effects.includes(name)) }, hands });
    return null;
  } catch (thrown) {
    if (isCountersignError(thrown, "definition_invalid")) return thrown.message;
    throw thrown;
  }
}
