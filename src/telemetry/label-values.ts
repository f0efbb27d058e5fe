import { errorCodes } from "../contract/errors.ts";
import { modelFaults } from "../contract/model.ts";
import { nodeNames, routes, stopReasons, verdicts } from "../contract/words.ts";
import type { LabelValues } from "./figures.ts";

/** The kinds of process that measure, as their commands are called. */
export const processNames = ["serve", "desk", "work", "ingest"] as const;
export type ProcessName = (typeof processNames)[number];

/** The names that a project declares: with the words of the house all that a label can say. */
export interface DeclaredNames {
  readonly capabilities?: readonly string[];
  readonly effects?: readonly string[];
  readonly tools?: readonly string[];
  readonly queries?: readonly string[];
  readonly sources?: readonly string[];
  readonly models?: readonly { readonly provider: string; readonly id: string }[];
}

/** What each label may say, from the closed lists of the house and a project's declared names. */
export function labelValues(names: DeclaredNames): LabelValues {
  const { models = [] } = names;
  return {
    answer: ["approve", "reject", "withdraw", "edit", "resolve"],
    capability: ["intake", ...(names.capabilities ?? [])],
    effect: names.effects ?? [],
    "error.type": [...modelFaults, ...Object.keys(errorCodes)],
    "gen_ai.operation.name": ["chat"],
    "gen_ai.provider.name": models.map(({ provider }) => provider),
    "gen_ai.request.model": models.map(({ id }) => id),
    "gen_ai.token.type": ["input", "cache_read", "cache_write", "output", "reasoning"],
    look: ["send", "after"],
    node: nodeNames,
    outcome: ["decided", "stopped", "taken", "refused", "accepted", "unsent", "unreadable", ...verdicts],
    process: processNames,
    query: names.queries ?? [],
    queue: ["operations", "wanted", "reviews", "notices"],
    read: ["passages", "records", "facts", "memory"],
    retry: ["no_reply", "misfit"],
    route: routes,
    source: names.sources ?? [],
    stop: stopReasons,
    tool: ["off_list", ...(names.tools ?? [])],
  };
}
