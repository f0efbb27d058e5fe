import { type Capability, passagesOf } from "countersign";
import { bandLimits, mayAskMinor } from "../bands.ts";
import { allowanceOf, type Choice, type Choosing, chosenLines, namedLines, totalOf } from "./choose-lines.ts";
import { orderNamed, type Request } from "./request.ts";
import { resolveReason } from "./resolve-refund.ts";
import { checkTerms } from "./terms-in-force.ts";

/** What code checks of a proposed refund, whatever the model said of it. */
export const refundChecks: Capability<Request, Choice>["checks"] = [
  { name: "order_as_named", run: checkOrder },
  { name: "lines_of_order", run: checkLines },
  { name: "lines_as_named", run: checkNamed },
  { name: "reason_as_stated", run: checkReason },
  { name: "policy_retrieved", run: checkPolicy },
  { name: "eligible_by_rule", run: checkEligible },
  { name: "terms_in_force", run: checkTerms },
  { name: "within_cap", run: checkCap },
  { name: "within_role_limit", run: checkRole },
  { name: "lines_without_choice", soft: { reason: "a request may leave a choice; a person makes it" }, run: checkNoChoice },
  { name: "reason_in_words", soft: { reason: "a request may describe its reason in other words" }, run: checkInWords },
];

function checkOrder({ inputs, decision: { order } }: Choosing) {
  const passed = orderNamed(inputs.text) === order;
  return { passed, evidence: passed ? "the order is the one that the request names" : "the request names another order" };
}

function checkLines(decided: Choosing) {
  const passed = chosenLines(decided) !== null;
  const evidence = passed ? "the order has each line once" : "a line is not there, or an amount is not one that can be refunded";
  return { passed, evidence };
}

function checkNamed(decided: Choosing) {
  const named = namedLines(decided);
  const chosen = decided.decision.lines;
  const passed = named === null || (named.size === chosen.length && chosen.every((line) => named.has(line)));
  return { passed, evidence: named === null ? "the request names no line" : `the request names ${[...named].join(", ")}` };
}

function checkReason({ inputs, decision: { reason } }: Choosing) {
  const stated = resolveReason(inputs.text);
  const evidence = stated === null ? "no single reason is stated" : `stated is ${stated}`;
  return { passed: stated === null || stated === reason, evidence };
}

function checkPolicy({ context, decision: { policy } }: Choosing) {
  const passed = passagesOf(context, "policy").some((passage) => passage.id === policy);
  return { passed, evidence: passed ? "the cited passage was retrieved" : "the cited passage was not retrieved" };
}

function checkEligible(decided: Choosing) {
  const { allowed, rule, because } = allowanceOf(decided, chosenLines(decided) ?? []);
  return { passed: allowed === decided.decision.eligible, evidence: `${rule}: ${because}` };
}

function checkCap(decided: Choosing) {
  const total = totalOf(chosenLines(decided) ?? []);
  if (total === null) return { passed: false, evidence: "there is no single total" };
  const { cap } = bandLimits[total.currency];
  return { passed: total.minor <= cap, evidence: `${total.minor} of at most ${cap} minor units in ${total.currency}` };
}

/** A refusal needs no right to refund; it is told to whoever may ask at all. */
function checkRole(decided: Choosing) {
  const total = totalOf(chosenLines(decided) ?? []);
  if (total === null) return { passed: false, evidence: "there is no single total" };
  const most = mayAskMinor(decided.envelope.principal.roles, total.currency);
  const evidence = `${total.minor} of at most ${most} minor units in ${total.currency} for the roles of who asks`;
  return { passed: !decided.decision.eligible || total.minor <= most, evidence };
}

function checkNoChoice(decided: Choosing) {
  const isFree = namedLines(decided) === null;
  return { passed: !isFree, evidence: isFree ? "the model chose the lines" : "the request leaves no choice" };
}

function checkInWords({ inputs }: Choosing) {
  const isInferred = resolveReason(inputs.text) === null;
  return { passed: !isInferred, evidence: isInferred ? "the model inferred the reason" : "the request states the reason" };
}
