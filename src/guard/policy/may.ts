import type { Principal } from "../../contract/principal.ts";
import type { MayView } from "../../contract/session.ts";
import type { Policy } from "./policy.ts";

/** What of the console policy opens to a principal; what their key may be used for is asked besides. */
export function mayOf(policy: Policy, principal: Principal): Omit<MayView, "ask"> {
  const opens = (board: string) => policy.maySeeBoard(principal, board).kind === "permitted";
  const ofAnother = { principal, tenant: principal.tenant, requestedBy: "", onBehalfOf: null, route: null, effects: 0 };
  return {
    review: policy.mayReview(principal).kind === "permitted",
    halts: policy.maySeeStops(principal).kind === "permitted",
    stop: policy.mayStop(principal).kind === "permitted",
    openSlices: policy.mayOpenSlice(principal).kind === "permitted",
    audit: policy.mayAudit(ofAnother).kind === "permitted",
    ...{ spend: opens("spend"), autonomy: opens("autonomy"), operations: opens("operations"), ledger: opens("ledger") },
    ...{ evals: opens("evals"), models: opens("models"), policies: opens("policies") },
  };
}
