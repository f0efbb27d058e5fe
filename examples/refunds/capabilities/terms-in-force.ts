import { type Fact, factsOf } from "countersign";
import type { Choosing } from "./choose-lines.ts";
import { type RefundReason, refundDays } from "./refund-rule.ts";

/** The terms that a reason is ruled by, by the name that the register of terms has for them, and their days in code. */
const terms: Readonly<Record<RefundReason, { readonly predicate: string; readonly days: number } | null>> = {
  changed_mind: { predicate: "changed_mind_days", days: refundDays.changedMind },
  damaged: { predicate: "defect_days", days: refundDays.defect },
  not_as_described: { predicate: "defect_days", days: refundDays.defect },
  not_received: { predicate: "lost_days", days: refundDays.notReceived },
  cancelled: null,
};

/** What the register of terms says at the time of the request of the days for the reason that was decided. */
export function termsFor({ context, decision: { reason } }: Pick<Choosing, "context" | "decision">): readonly Fact[] {
  return factsOf(context, "terms").filter(({ predicate }) => predicate === terms[reason]?.predicate);
}

/** The rule in code and the terms in force must say the same: with new terms nothing is refunded by the old rule. */
export function checkTerms(decided: Choosing) {
  const days = terms[decided.decision.reason]?.days;
  const others = termsFor(decided).filter(({ object }) => object !== String(days));
  return { passed: others.length === 0, evidence: `${others.length} terms in force say other days than the rule` };
}
