import type { Principal, Ruling } from "../../contract/principal.ts";
import type { Risk } from "../../contract/words.ts";
import { refused } from "./refused.ts";

/** Who would sign, and what of the proposal matters for that. */
export interface Signing {
  readonly principal: Principal;
  readonly tenant: string;
  readonly requestedBy: string;
  readonly onBehalfOf: string | null;
  /** The risk of the effect; `null` for a proposal without effects. */
  readonly risk: Risk | null;
  /** Who decided it in a model's place, where a person edited the proposal. */
  readonly editedBy: string | null;
}

/**
 * Rules on who may sign: an approver of the same tenant, in person, who neither asked nor was asked for. Who edited the proposal
 * may sign it too, but where the risk is high. How many have to sign is said by `signaturesFor`.
 */
export function maySign({ principal, tenant, requestedBy, onBehalfOf, risk, editedBy }: Signing): Ruling {
  if (principal.tenant !== tenant) return refused("same_tenant", "the proposal belongs to another tenant");
  if (principal.onBehalfOf !== null) return refused("signs_in_person", "nobody signs on behalf of another");
  if (!principal.roles.includes("approver")) return refused("approver_signs", "only an approver may sign");
  if (principal.id === requestedBy || principal.id === onBehalfOf) {
    return refused("requester_never_signs", "who asked, or was asked for, never signs");
  }
  if (risk === "high" && principal.id === editedBy) {
    return refused("editor_never_signs_high", "who edited a proposal of high risk does not sign it");
  }
  return { kind: "permitted", rule: "approver_signs" };
}

/**
 * Rules on who may say what became of an operation that was left to people: whoever may sign an effect of that risk. One is enough, also
 * for high risk: they say what is, and permit nothing new.
 */
export function mayResolve(signing: Signing): Ruling {
  const ruling = maySign(signing);
  return ruling.kind === "refused" ? ruling : { kind: "permitted", rule: "approver_resolves" };
}
