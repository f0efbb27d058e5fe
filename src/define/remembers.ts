import { CountersignError } from "../contract/errors.ts";
import { keptKinds, type MemoryRule, maxMemories, maxTurns, memoryKinds, memoryScopes } from "../contract/memory.ts";

/** The longest that anything is remembered, in milliseconds: two years. */
const longestMs = 2 * 365 * 86_400_000;

/** Checks the memory rules of a capability: one for each kind and scope, with bounds. Throws `definition_invalid`. */
export function checkRemembers(named: string, remembers: readonly MemoryRule[]): void {
  const seen = new Set<string>();
  for (const rule of remembers) {
    const at = `${named} remembers \`${rule.of}\` of a ${rule.scope}`;
    if (seen.has(`${rule.of} ${rule.scope}`)) throw invalid(`${at} by two rules; make one`);
    seen.add(`${rule.of} ${rule.scope}`);
    checkShelf(at, rule);
    checkBounds(at, rule);
  }
}

function checkShelf(at: string, { of, scope }: MemoryRule): void {
  if (!memoryKinds.includes(of) || !memoryScopes.includes(scope)) throw invalid(`${at}, which is no kind or no scope of memory`);
  if (of === "turn" && scope !== "session") throw invalid(`${at}; turns are those of a session`);
  if (!keptKinds.some((kind) => kind === of) && scope === "tenant") throw invalid(`${at}; notes are told to their own principal`);
}

function checkBounds(at: string, { of, most, keepMs }: MemoryRule): void {
  const highest = of === "turn" ? maxTurns : maxMemories;
  if (!isWithin(most, highest)) throw invalid(`${at}: \`most\` is 1 to ${highest}`);
  if (!isWithin(keepMs, longestMs)) throw invalid(`${at}: \`keepMs\` is 1 to ${longestMs} whole milliseconds`);
}

function isWithin(value: number, highest: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= highest;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
