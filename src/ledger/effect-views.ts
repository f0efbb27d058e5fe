import type { EffectView } from "../contract/views.ts";
import { type EffectStanding, standingsAlone } from "./effect-standing.ts";
import type { DecisionStory } from "./story.ts";

/** Follows the entries and operations of a decision and says where each of its effects stands. */
export function effectStates(story: DecisionStory): readonly EffectStanding[] {
  const standings = standingsAlone(story);
  // Effects go in order: what comes after one that did not succeed was not started.
  const first = standings.findIndex(({ state }) => broken.has(state));
  return standings.map((one) => (first >= 0 && one.index > first && isUnstarted(one) ? { ...one, state: "not_started" } : one));
}

/** The views of a decision's effects; none where the payload was erased, since what they were is gone. */
export function effectViews({ proposal }: DecisionStory, standings: readonly EffectStanding[]): readonly EffectView[] {
  return (proposal?.effects ?? []).flatMap((effect) => {
    const standing = standings[effect.index];
    if (standing === undefined) return [];
    const { index, sentence, params, before, expected, sources, risk, sideEffect, reversible } = effect;
    const shown = { index, effect: effect.effect, sentence, params, before, expected, sources, risk, sideEffect, reversible };
    // What definitions and stops say of it is the desk's to know.
    return [{ ...shown, ...standing, dedupe: null, undoneBy: null, seenWithinMs: null, resolvable: [], stopped: null }];
  });
}

const broken: ReadonlySet<EffectView["state"]> = new Set([
  "failed",
  "incomplete",
  "unknown",
  "compensating",
  "compensated",
  "escalated",
  "refused",
]);

/** Signed or not, nothing was begun for it; its approval may have been refused because of the effect that broke. */
function isUnstarted({ state, operationId, refusedCode }: EffectStanding): boolean {
  if (state === "signed" || state === "half_signed" || state === "proposed") return true;
  return state === "refused" && operationId === null && refusedCode === "precondition_failed";
}
