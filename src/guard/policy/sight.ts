import type { Seeing } from "../../contract/ports.ts";
import type { PolicyRuling } from "../../contract/principal.ts";
import type { Sight } from "../../contract/views.ts";
import type { Ask } from "./ask.ts";

/** How much of a decision a principal may read: everything, what is put before people to sign, what is their own, or nothing. */
export function sightOf(ask: Ask, seeing: Seeing): Sight | null {
  if (mayAudit(ask, seeing).kind === "permitted") return "auditor";
  if (asked(ask, seeing, "seeDecision").kind === "permitted") return "requester";
  return asked(ask, seeing, "reviewDecision").kind === "permitted" ? "reviewer" : null;
}

/** Whether a principal sees a decision at all: as its own, as an auditor's, or as one that people review. */
export function maySee(ask: Ask, seeing: Seeing): PolicyRuling {
  const own = asked(ask, seeing, "seeDecision");
  if (own.kind === "permitted") return own;
  const audit = mayAudit(ask, seeing);
  return audit.kind === "permitted" ? audit : asked(ask, seeing, "reviewDecision");
}

/** Whether a principal reads everything that was kept of a decision. */
export function mayAudit(ask: Ask, seeing: Seeing): PolicyRuling {
  return asked(ask, seeing, "auditDecision");
}

function asked(ask: Ask, seeing: Seeing, action: "seeDecision" | "reviewDecision" | "auditDecision"): PolicyRuling {
  const { principal, tenant, requestedBy, onBehalfOf, route, effects } = seeing;
  const attributes = {
    ...{ tenant, requestedBy, effects },
    ...(onBehalfOf === null ? {} : { onBehalfOf }),
    ...(route === null ? {} : { route }),
  };
  return ask({ principal, action, resource: { id: "decision", attributes } });
}
