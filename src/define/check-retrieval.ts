import type { Capability } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Intent } from "../contract/retrieval.ts";
import { checkModel } from "./check-model.ts";

/** Checks how a capability has its context looked for. Throws `definition_invalid` where a rule is broken. */
export function checkRetrieval<I, D>(named: string, { retrieval, contextTokens = 1 }: Capability<I, D>): void {
  if (!Number.isInteger(contextTokens) || contextTokens < 1) throw invalid(`${named} needs \`contextTokens\` of 1 or more`);
  if (retrieval === undefined) return;
  const { version, model, intents, mostSubQueries = 1 } = retrieval;
  if (version === "") throw invalid(`${named} needs a version of its retrieval`);
  checkModel(named, model);
  if (Object.keys(intents).length === 0) throw invalid(`${named} has a retrieval without intents`);
  if (!Number.isInteger(mostSubQueries) || mostSubQueries < 1 || mostSubQueries > limits.subQueries)
    throw invalid(`${named} may have 1 to ${limits.subQueries} sub-queries`);
  for (const [name, intent] of Object.entries(intents)) checkIntent(`intent \`${name}\` of ${named}`, name, intent);
}

function checkIntent(named: string, name: string, { minimumScore, topN = 1, filters }: Intent): void {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) throw invalid(`${named} needs a name of lower case, digits and \`_\`, at most 40`);
  if (!(minimumScore >= 0 && minimumScore < 1)) throw invalid(`${named} needs a \`minimumScore\` from 0 to below 1`);
  if (!Number.isInteger(topN) || topN < 1 || topN > 20) throw invalid(`${named} may ask for 1 to 20 passages`);
  const empty = Object.entries(filters).find(([, { values }]) => values.length === 0);
  if (empty !== undefined) throw invalid(`${named} has the filter \`${empty[0]}\` without values`);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
