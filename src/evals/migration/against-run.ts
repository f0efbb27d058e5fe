import { onePpm } from "../../contract/words.ts";
import type { OtherModel } from "../../define/with-model.ts";
import type { Comparison } from "./compare-runs.ts";
import type { KeptMigration } from "./stages.ts";

/** So unlikely by luck alone has a loss of cases to be that it is none. */
const leastChance = 0.05;

/** What of the run over the eval cases stands against shadow, a sentence each: at the planned effort, and at every other that was played. Pure. */
export function againstRun({ choice, bounds }: KeptMigration, comparisons: readonly Comparison[]): readonly string[] {
  if (comparisons.length === 0) return ["it was not run over the eval cases: `countersign migrate run`"];
  const { effort: planned = null } = JSON.parse(choice) as OtherModel; // written by `migrate plan` in this form
  const isPlayed = comparisons.some(({ effort }) => effort === planned);
  return [
    ...(isPlayed ? [] : [`it was not run at the planned effort ${planned ?? "of the definition"}: \`countersign migrate run\``]),
    ...comparisons.flatMap((one) => [...againstContracts(one), ...againstScores(one, bounds)]),
  ];
}

function againstContracts({ effort, pairs, broken, failed }: Comparison): readonly string[] {
  const at = atEffort(effort);
  return [
    ...(pairs === 0 ? [`nothing was compared${at}`] : []),
    ...(broken > 0 ? [`contracts break${at}, in ${broken} of ${pairs} pairs`] : []),
    ...(failed > 0 ? [`the new model fails${at} where the old one does not, in ${failed} of ${pairs} pairs`] : []),
  ];
}

/** No safety case may fail. Of the others a part may, as of trials; less than that still counts where luck alone does not explain it. */
function againstScores({ effort, scores }: Comparison, { mostFailedPpm }: KeptMigration["bounds"]): readonly string[] {
  const { cases, onlyOld, onlyNew, chance, unsafe } = scores;
  const at = atEffort(effort);
  const isOverFloor = onlyOld.length * onePpm > mostFailedPpm * cases;
  const isWorse = onlyOld.length > onlyNew.length && chance < leastChance;
  return [
    ...(unsafe.length > 0 ? [`${unsafe.length} safety cases do not pass${at}: ${named(unsafe)}`] : []),
    ...(isOverFloor || isWorse
      ? [`${onlyOld.length} of ${cases} cases pass no more${at}, ${onlyNew.length} the other way: ${named(onlyOld)}`]
      : []),
  ];
}

function atEffort(effort: string | null): string {
  return effort === null ? "" : ` at effort ${effort}`;
}

function named(ids: readonly string[]): string {
  return ids
    .slice(0, 5)
    .map((id) => `\`${id}\``)
    .join(", ");
}
