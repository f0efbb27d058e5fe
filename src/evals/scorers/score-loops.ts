import type { EvalCase } from "../case-file.ts";
import type { Score } from "../eval-run.ts";
import type { Played } from "../played.ts";
import { holds, listed, required, type Scorer, watched } from "./scoring.ts";

/** Loops: the tools that were asked, with which arguments, whether a failed look-up was got over, and whether it stopped in time. */
export const scoreLoops: Scorer = ({ one }, played) => [...calls(one, played), ...stopping(one, played), ...recovery(played)];

function calls({ expectations: { calls: wanted } }: EvalCase, { steps }: Played): readonly Score[] {
  if (wanted.length === 0) return [];
  const toolless = wanted.filter(({ tool }) => !steps.some((step) => step.tool === tool));
  const wrong = wanted.filter((call) => !steps.some((step) => step.tool === call.tool && holds(step.arguments, call.arguments)));
  const names = (list: typeof wanted): string => listed(list.map(({ tool }) => tool));
  const part = (list: typeof wanted): number => 1 - list.length / wanted.length;
  return [
    required("loops.right_tool", part(toolless), `expected calls of ${names(toolless)}, and there were none`),
    required("loops.right_arguments", part(wrong), `expected other arguments of ${names(wrong)}`),
  ];
}

function stopping({ expectations: { mostSteps } }: EvalCase, { steps, outcome }: Played): readonly Score[] {
  if (mostSteps === undefined) return [];
  const taken = new Set(steps.flatMap(({ step }) => (step > 0 ? [step] : []))).size;
  const isCut = outcome.rule === "loop_cap_hit" || outcome.rule === "loop_no_progress";
  const why = `expected at most ${mostSteps} steps and an end by itself, and it took ${taken}${isCut ? " and was cut off" : ""}`;
  return [required("loops.stopped_in_time", taken <= mostSteps && !isCut ? 1 : 0, why)];
}

/** Of a loop in which a look-up failed: whether it came to a decision all the same. */
function recovery({ steps, outcome }: Played): readonly Score[] {
  if (!steps.some((step) => step.outcome === "failed" || step.outcome === "off_list")) return [];
  return [watched("loops.recovery", outcome.stop === null && outcome.route !== "reject" ? 1 : 0)];
}
