import { efforts, type ModelChoice } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import { idPattern, limits } from "../contract/limits.ts";
import { modelName } from "../contract/model-name.ts";

/**
 * Throws `definition_invalid` for a model that cannot be booked or is not pinned: floating aliases change under a team's feet, and
 * provider and id stand in every entry and row of spend. Also for settings that no model has.
 */
export function checkModel(named: string, { provider, id, effort, temperature, maxOutputTokens = 1 }: ModelChoice): void {
  if (!idPattern.test(provider)) throw invalid(`${named} names a provider that has not the form of an id`);
  if (!/^[\x21-\x7e]{1,200}$/.test(id))
    throw invalid(`${named} names a model id that is not 1 to 200 printable characters without space`);
  if (/(^|[-:/])latest$/i.test(id)) throw invalid(`${named} names the floating model id \`${id}\`; pin a dated one`);
  if (!efforts.includes(effort)) throw invalid(`${named} needs an effort of its model: one of ${efforts.join(", ")}`);
  if (temperature !== null && !(Number.isFinite(temperature) && temperature >= 0))
    throw invalid(`${named} needs a temperature of its model from 0 on, or \`null\` for a model that takes none`);
  if (!Number.isInteger(maxOutputTokens) || maxOutputTokens < 1 || maxOutputTokens > limits.mostOutputTokens)
    throw invalid(`${named} needs \`maxOutputTokens\` as a whole number from 1 to ${limits.mostOutputTokens}`);
}

/** Throws `definition_invalid` for a second model like that, and for one that is booked under the same name as the first. */
export function checkSecond(named: string, { first, second }: { first: ModelChoice; second: ModelChoice }): void {
  checkModel(named, second);
  if (first.provider === second.provider && first.id === second.id)
    throw invalid(
      `${named} names \`${modelName(second)}\` as its second model and as its first; no record could tell them apart, so name another one`,
    );
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
