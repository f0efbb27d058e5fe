import type { Seeing } from "../../contract/ports.ts";
import type { Principal, Ruling } from "../../contract/principal.ts";
import type { Sight } from "../../contract/views.ts";
import { refused } from "./refused.ts";

/** How much of a decision a principal may read: everything, what is put before people to sign, what is their own, or nothing. */
export function sightOf(seeing: Seeing): Sight | null {
  if (mayAudit(seeing).kind === "permitted") return "auditor";
  const ruling = maySee(seeing);
  if (ruling.kind === "refused") return null;
  return ruling.rule === "own_decision" ? "requester" : "reviewer";
}

/**
 * Rules on who sees a decision: who asked or was asked for, an agent what its person may, an auditor all; an approver what was routed
 * to a person or changes something. Answers to others and what they typed are no approver's business.
 */
export function maySee(seeing: Seeing): Ruling {
  if (isOwn(seeing)) return { kind: "permitted", rule: "own_decision" };
  const audit = mayAudit(seeing);
  if (audit.kind === "permitted") return audit;
  const { principal, route, effects } = seeing;
  const isForPeople = route === "hitl_recommended" || route === "hitl_required" || (route === "auto" && effects > 0);
  if (isForPeople) return mayReview(principal);
  return refused("approver_reviews", "an approver sees what was routed to a person or changes something");
}

/**
 * Rules on who reads everything that was kept of a decision, such as the replies of models and the whole context: an auditor or an
 * owner, in person, and never of what they asked for themselves, since a guard may have held something of it back from them.
 */
export function mayAudit(seeing: Seeing): Ruling {
  const { principal } = seeing;
  if (principal.onBehalfOf !== null) return refused("audits_in_person", "nobody audits on behalf of another");
  if (isOwn(seeing)) return refused("requester_never_audits", "who asked, or was asked for, does not audit the decision");
  if (principal.roles.some((role) => role === "auditor" || role === "owner"))
    return { kind: "permitted", rule: "auditor_audits" };
  return refused("auditor_audits", "only an auditor or an owner reads everything that was kept");
}

/** Rules on who sees the proposals of the tenant that wait for somebody. */
export function mayReview(principal: Principal): Ruling {
  if (principal.roles.includes("approver")) return { kind: "permitted", rule: "approver_reviews" };
  return refused("approver_reviews", "only an approver sees what waits for somebody");
}

/** An agent that asks for a person sees with that person's eyes: not what it asked for another one. */
function isOwn({ principal, requestedBy, onBehalfOf }: Seeing): boolean {
  const eyes = principal.onBehalfOf ?? principal.id;
  return eyes === requestedBy || eyes === onBehalfOf;
}
