import type { CaseRules, CaseSeeing, CaseSight } from "../../contract/case-view.ts";
import type { Principal, Ruling } from "../../contract/principal.ts";
import { refused } from "./refused.ts";

/** What policy says of cases: who starts one, who tells it something, who sees how much of it. */
export const caseRules: CaseRules = Object.freeze({ mayStart, mayTell, mayRetry, caseSightOf, seesEveryCase });

function mayStart(principal: Principal, { name, openTo }: { readonly name: string; readonly openTo: readonly string[] }): Ruling {
  if (principal.roles.some((role) => openTo.includes(role))) return { kind: "permitted", rule: "case_open_to_role" };
  return refused("case_open_to_role", `case \`${name}\` is open to none of your roles`);
}

/** What a case is told may be a yes that it waits for, so it is told in person. */
function mayTell(seeing: CaseSeeing, { by, notByStarter = false }: Parameters<CaseRules["mayTell"]>[1]): Ruling {
  const { principal, startedBy, onBehalfOf } = seeing;
  if (principal.onBehalfOf !== null) return refused("tells_in_person", "nobody tells a case anything on behalf of another");
  if (!principal.roles.some((role) => by.includes(role)))
    return refused("teller_tells", "none of your roles may tell this case that");
  const isStarter = principal.id === startedBy || principal.id === onBehalfOf;
  if (notByStarter && isStarter)
    return refused("starter_never_tells", "who started the case, or was meant, may not tell it that");
  return { kind: "permitted", rule: "teller_tells" };
}

function mayRetry(principal: Principal): Ruling {
  if (principal.onBehalfOf !== null) return refused("retries_in_person", "nobody has a step begun again on behalf of another");
  if (principal.roles.includes("owner")) return { kind: "permitted", rule: "owner_retries" };
  return refused("owner_retries", "only an owner has a step begun again");
}

/** Who started it and who audits read all; who may tell it something sees how far it is. */
function caseSightOf(seeing: CaseSeeing): CaseSight | null {
  const { principal, startedBy, onBehalfOf, tellers } = seeing;
  // An agent that asks for a person sees with that person's eyes.
  const eyes = principal.onBehalfOf ?? principal.id;
  if (eyes === startedBy || eyes === onBehalfOf || seesEveryCase(principal)) return "whole";
  if (principal.onBehalfOf === null && principal.roles.some((role) => role === "approver" || tellers.includes(role)))
    return "progress";
  return null;
}

function seesEveryCase(principal: Principal): boolean {
  return principal.onBehalfOf === null && principal.roles.some((role) => role === "auditor" || role === "owner");
}
