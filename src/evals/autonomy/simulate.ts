import type { Simulation } from "../../contract/autonomy.ts";
import type { Capability } from "../../contract/capability.ts";
import { agreementInterval } from "./binomial.ts";
import type { JudgedDecision } from "./read-judged.ts";
import { barOf, scoredOf } from "./slice-view.ts";
import { usualDelta } from "./thresholds.ts";

/** Most wrong decisions that are named. */
const mostNamed = 50;

/** What would have gone `auto` at a threshold over a slice's own history, and which of these people or the world disagreed with. */
export function simulate({
  capability,
  slice,
  decisions,
  thresholdPpm,
}: {
  capability: Capability;
  slice: string;
  decisions: readonly JudgedDecision[];
  thresholdPpm: number;
}): Simulation {
  const scored = scoredOf({ capability, decisions });
  const auto = scored.filter(({ ppm }) => ppm >= thresholdPpm);
  const wrong = auto.filter(({ agreed }) => !agreed);
  const agreed = auto.length - wrong.length;
  return {
    ...{ capability: capability.name, slice, thresholdPpm, decisions: scored.length, wouldBeAuto: auto.length, agreed },
    ...{ barPpm: barOf(capability), ...agreementInterval({ agreed, decisions: auto.length, delta: usualDelta }) },
    wrong: wrong
      .slice(-mostNamed)
      .map(({ decision: { decisionId, judgement, at }, ppm }) => ({ decisionId, judgement, ppm, at })),
  };
}
