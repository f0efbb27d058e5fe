import type { Route, RoutingRule } from "../../contract/words.ts";

/** How far below the threshold a proposal still goes to a person with the form filled in. */
const marginPpm = 200_000;

/**
 * Routes a decision, naming the rule that fired. Not verified is never anything but `reject`.
 * @example
 * route({ confidencePpm: 870_000, verified: true, judgeFailed: false, needsApproval: true, thresholdPpm: 850_000 });
 * // { route: "auto", rule: "at_or_above_threshold" }
 */
export function route({
  confidencePpm,
  verified,
  judgeFailed,
  needsApproval,
  thresholdPpm,
  isAudited = false,
}: {
  confidencePpm: number;
  verified: boolean;
  judgeFailed: boolean;
  needsApproval: boolean;
  thresholdPpm: number;
  /** Drawn for a person to look at, though it would go alone. */
  isAudited?: boolean;
}): { route: Route; rule: RoutingRule } {
  if (!verified) return { route: "reject", rule: "not_verified" };
  if (judgeFailed) return { route: "hitl_required", rule: "judge_failed" };
  if (!needsApproval) return { route: "auto", rule: "no_effects" };
  if (confidencePpm >= thresholdPpm && isAudited) return { route: "hitl_recommended", rule: "audit_sample" };
  if (confidencePpm >= thresholdPpm) return { route: "auto", rule: "at_or_above_threshold" };
  if (confidencePpm >= thresholdPpm - marginPpm) return { route: "hitl_recommended", rule: "within_margin" };
  return { route: "hitl_required", rule: "below_margin" };
}

const strictness: readonly Route[] = ["auto", "hitl_recommended", "hitl_required", "reject"];

/** The stricter of two routes: a later rule may lower a route, never raise it. */
export function lowerRoute(route: Route, other: Route): Route {
  return strictness.indexOf(other) > strictness.indexOf(route) ? other : route;
}
