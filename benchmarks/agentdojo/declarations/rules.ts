import type { CallRule } from "../../../src/contract/plan.ts";
import type { SuiteName } from "../suite.ts";
import { bankingRules } from "./banking.ts";
import { slackRules } from "./slack.ts";
import { travelRules } from "./travel.ts";
import { workspaceRules } from "./workspace.ts";

/** What each suite's tools are declared to be: their arguments, where they reach, and who can write what they give back. */
export const rulesOf: Readonly<Record<SuiteName, readonly CallRule[]>> = {
  workspace: workspaceRules,
  travel: travelRules,
  banking: bankingRules,
  slack: slackRules,
};
