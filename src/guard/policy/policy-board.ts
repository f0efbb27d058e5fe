import { CountersignError } from "../../contract/errors.ts";
import type { Door } from "../../contract/permitted.ts";
import type { PoliciesView, PolicyAnswer, PolicyQuestion } from "../../contract/policy-view.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Policy } from "./policy.ts";

/** What people are told of the policies; `forbidden` for whoever that board is not open to. */
export interface PolicyBoard {
  readonly policies: (asking: { principal: Principal }) => Promise<PoliciesView>;
  /** The answer to one question within the caller's tenant; `bad_request` for what is no question. */
  readonly explainPolicy: (asking: { principal: Principal; question: PolicyQuestion }) => Promise<PolicyAnswer>;
}

/** Opens the board. */
export function policyBoard({ policy, door }: { policy: Policy; door: Door }): PolicyBoard {
  return {
    policies: async ({ principal }) => {
      door(principal);
      return policy.written;
    },
    explainPolicy: async ({ principal, question }) => {
      door(principal);
      const { tenant = principal.tenant, ...who } = question.principal;
      if (tenant !== principal.tenant)
        throw new CountersignError("bad_request", "ask about somebody of your own tenant; leave `tenant` out");
      return policy.explain({ ...question, principal: { ...who, tenant } });
    },
  };
}
