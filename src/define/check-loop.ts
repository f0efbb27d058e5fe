import type { Loop } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { LoopCaps } from "../contract/tool.ts";

/** Throws `definition_invalid` for a loop without a written reason, without bounds, or with tools that it may not have. */
export function checkLoop<I>(named: string, loop: Loop<I>): void {
  if (loop.reason.trim() === "")
    throw invalid(`${named} loops without a written reason; if number and order of its steps are fixed, it needs no loop`);
  if (!isWithin(loop.maxSteps, limits.loopSteps)) throw invalid(`${named} needs \`maxSteps\` from 1 to ${limits.loopSteps}`);
  checkCaps(named, loop.caps);
  if (loop.tools.length === 0) throw invalid(`${named} loops without a tool; a prompt is enough`);
  if (loop.tools.length > limits.maxToolsInPrompt)
    throw invalid(`${named} has more than ${limits.maxToolsInPrompt} tools, which is more than a prompt holds`);
  const names = loop.tools.map((tool) => tool.name);
  const doubled = names.find((name, place) => names.indexOf(name) !== place);
  if (doubled !== undefined) throw invalid(`${named} has the tool \`${doubled}\` twice`);
  const changing = loop.tools.find((tool) => tool.sideEffect !== "read");
  if (changing !== undefined) throw invalid(`${named} has the tool \`${changing.name}\`, which does not only read`);
}

function checkCaps(named: string, { ms, tokens, costMicros }: LoopCaps): void {
  if (!isWithin(ms, limits.loopMs)) throw invalid(`${named} needs a cap on time from 1 to ${limits.loopMs} ms`);
  if (!isWithin(tokens, Number.MAX_SAFE_INTEGER) || !isWithin(costMicros, Number.MAX_SAFE_INTEGER))
    throw invalid(`${named} needs caps on tokens and on cost, in whole numbers of 1 or more`);
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
