import { numberMetric } from "../judges/judge-scores.ts";
import { found, type GateFinding, type Gating } from "./finding.ts";

/** A judge that people's labels do not bear out gates nothing, neither by its number nor by one of its criteria. */
export function judgeTrust({ judges = {} }: Pick<Gating, "judges">, about: { readonly metric: string }): readonly GateFinding[] {
  const judge = numberMetric(about.metric);
  if (judge === null) return [];
  const { isTrusted, why } = (Object.hasOwn(judges, judge) ? judges[judge] : undefined) ?? neverCompared;
  return isTrusted ? [] : [found("judge_not_trusted", why.join("; "), about)];
}

const neverCompared = { isTrusted: false, why: ["it was never compared with people's labels"] };
