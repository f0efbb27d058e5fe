import type { Capability, Deciding, ModelChoice } from "../contract/capability.ts";
import type { ModelName } from "../contract/model-name.ts";
import { defineCapability } from "./capability.ts";
import type { OtherModel } from "./with-model.ts";

/**
 * The same capability with one model in the place of another, wherever it names that: for deciding, as the second, as a judge, for retrieval. What
 * `to` leaves out stays as each place has it. `null` where the capability does not name `from`. Throws `definition_invalid` for a floating
 * id, and for an effort or a temperature that is none.
 */
export function exchangeModel(capability: Capability, { from, to }: { from: ModelName; to: OtherModel }): Capability | null {
  const { deciding, judge, retrieval } = capability;
  const exchanged = (model: ModelChoice): ModelChoice => (isSame(model, from) ? { ...model, ...to } : model);
  const named = [...(deciding.kind === "rule" ? [] : [deciding.model, deciding.second]), ...[judge?.model, retrieval?.model]];
  if (!named.some((model) => model !== undefined && isSame(model, from))) return null;
  // Defined anew, so that the model is checked as any other.
  return defineCapability({
    ...capability,
    deciding: askingOf(deciding, exchanged),
    judge: judge === null ? null : { ...judge, model: exchanged(judge.model) },
    ...(retrieval === undefined ? {} : { retrieval: { ...retrieval, model: exchanged(retrieval.model) } }),
  });
}

/** Whether a model is the one that decides first: not the second, not a judge, not the one that plans retrieval, and no rule. */
export function isDecidedBy({ deciding }: Capability, model: ModelName): boolean {
  return deciding.kind !== "rule" && isSame(deciding.model, model);
}

function isSame(model: ModelName, other: ModelName): boolean {
  return model.provider === other.provider && model.id === other.id;
}

/** A second model that would be booked under the first one's name is left out. */
function askingOf<I>(deciding: Deciding<I>, exchanged: (model: ModelChoice) => ModelChoice): Deciding<I> {
  if (deciding.kind === "rule") return deciding;
  const model = exchanged(deciding.model);
  const second = deciding.second === undefined ? undefined : exchanged(deciding.second);
  const kept = second === undefined || isSame(second, model) ? {} : { second };
  if (deciding.kind === "loop") {
    const { second: _, ...loop } = deciding;
    return { ...loop, model, ...kept };
  }
  const { second: _, ...prompt } = deciding;
  return { ...prompt, model, ...kept };
}
