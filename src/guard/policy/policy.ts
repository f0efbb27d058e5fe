/**
 * Policy: who may use, see, review and sign what. First form, in code; every question that it cannot answer with yes is a no.
 * Rules on the values it is handed: reads no database, no clock and no configuration.
 */
import type { Permit, Seeing, SightOf } from "../../contract/ports.ts";
import type { Principal, Ruling } from "../../contract/principal.ts";
import type { Risk } from "../../contract/words.ts";
import { mayResolve, maySign, type Signing } from "./may-sign.ts";
import { maySeeStops, mayStop } from "./may-stop.ts";
import { refused } from "./refused.ts";
import { mayAudit, mayReview, maySee, sightOf } from "./sight.ts";

/** What policy rules on. The deciding half needs the part `Permit` alone. */
export interface Policy extends Permit {
  /** Whether this person may sign or reject this proposal. */
  readonly maySign: (signing: Signing) => Ruling;
  /** Whether this person may say what became of an operation that was left to people. */
  readonly mayResolve: (signing: Signing) => Ruling;
  /** Whether this person may stop effects, capabilities or the tenant in an emergency, and lift that again. */
  readonly mayStop: (principal: Principal) => Ruling;
  /** Whether this principal may read what is stopped, by whom and why. */
  readonly maySeeStops: (principal: Principal) => Ruling;
  /** Whether this person may see the proposals of the tenant that wait for somebody. */
  readonly mayReview: (principal: Principal) => Ruling;
  /** Whether this principal may see one decision. */
  readonly maySee: (seeing: Seeing) => Ruling;
  /** Whether this principal may read everything that was kept of one decision, such as the replies of models. */
  readonly mayAudit: (seeing: Seeing) => Ruling;
  /** How much of one decision this principal may read, by the three questions above. */
  readonly sightOf: SightOf;
  /** Whether this person may set the threshold of a slice. */
  readonly mayOpenSlice: (principal: Principal) => Ruling;
  /** Whether an effect of this risk may go through without a person. */
  readonly mayPassAlone: (risk: Risk) => Ruling;
}

/** The policy in code. Its version stands in every entry that it decided on. */
export const policy: Policy = Object.freeze({
  version: "code-1",
  mayUse,
  scopes,
  maySign,
  mayResolve,
  mayStop,
  maySeeStops,
  mayReview,
  maySee,
  mayAudit,
  sightOf,
  mayOpenSlice,
  mayPassAlone,
});

function mayUse(principal: Principal, capability: { readonly name: string; readonly openTo: readonly string[] }): Ruling {
  if (principal.roles.some((role) => capability.openTo.includes(role))) return { kind: "permitted", rule: "open_to_role" };
  return refused("open_to_role", `capability \`${capability.name}\` is open to none of your roles`);
}

/** What a principal may see: what all of the tenant see, what each of its roles sees, and what is its own. */
function scopes(principal: Principal): readonly string[] {
  return ["tenant:all", ...principal.roles.map((role) => `role:${role}`), `person:${principal.id}`];
}

function mayOpenSlice(principal: Principal): Ruling {
  if (principal.onBehalfOf !== null) return refused("signs_in_person", "nobody opens a slice on behalf of another");
  if (principal.roles.includes("owner")) return { kind: "permitted", rule: "owner_opens_slice" };
  return refused("owner_opens_slice", "only an owner sets the threshold of a slice");
}

function mayPassAlone(risk: Risk): Ruling {
  if (risk === "low") return { kind: "permitted", rule: "risk_low" };
  return refused("risk_not_low", `an effect of ${risk} risk needs a person`);
}
