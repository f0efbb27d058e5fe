import type { CaseRules, CaseSeeing } from "../../contract/case-view.ts";
import type { Ask } from "./ask.ts";
import { houseOf } from "./house.ts";
import type { Resource } from "./question.ts";

/** What policy says of cases: who starts one, who tells it something, who sees how much of it. */
export function caseRulesOf(ask: Ask): CaseRules {
  const permits = (...question: Parameters<Ask>) => ask(...question).kind === "permitted";
  return Object.freeze({
    mayStart: (principal, { name, openTo }) =>
      ask({ principal, action: "startCase", resource: { id: name, attributes: { name, openTo } } }),
    mayTell: (seeing, { by, notByStarter = false }) =>
      ask({ principal: seeing.principal, action: "tellCase", resource: caseOf(seeing, { by, notByStarter }) }),
    mayRetry: (principal) => ask({ principal, action: "retryCase", resource: houseOf(principal) }),
    caseSightOf: (seeing) => {
      const { principal } = seeing;
      const resource = caseOf(seeing, { by: [], notByStarter: false });
      if (permits({ principal, action: "seeCase", resource })) return "whole";
      return permits({ principal, action: "seeCaseProgress", resource }) ? "progress" : null;
    },
    seesEveryCase: (principal) => permits({ principal, action: "seeEveryCase", resource: houseOf(principal) }),
  } satisfies CaseRules);
}

function caseOf(
  { tenant, startedBy, onBehalfOf, tellers }: CaseSeeing,
  asked: { readonly by: readonly string[]; readonly notByStarter: boolean },
): Resource {
  const meant = onBehalfOf === null ? {} : { onBehalfOf };
  return { id: "case", attributes: { tenant, startedBy, ...meant, tellers: [...new Set(tellers)].sort(), ...asked } };
}
