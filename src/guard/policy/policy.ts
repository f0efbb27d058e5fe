/**
 * Policy: who may use, read, see, review and sign what, by Cedar policies that are handed in as texts and compiled once.
 * Rules on the values it is handed: reads no file, no database, no clock. Every question that it cannot answer with yes is a no.
 */
import type { CaseRules } from "../../contract/case-view.ts";
import type { PoliciesView, PolicyAnswer } from "../../contract/policy-view.ts";
import type { EffectAtRisk, Permit, Seeing, SightOf } from "../../contract/ports.ts";
import type { PolicyRuling, Principal } from "../../contract/principal.ts";
import type { Risk } from "../../contract/words.ts";
import { type Ask, openAsk } from "./ask.ts";
import { caseRulesOf } from "./case-rules.ts";
import { compilePolicies } from "./compile.ts";
import { houseOf } from "./house.ts";
import { permitOf } from "./permit.ts";
import { answerWritten, writtenIn } from "./policies-view.ts";
import type { PolicyText } from "./policy-text.ts";
import { mayAudit, maySee, sightOf } from "./sight.ts";

export type { PolicyText } from "./policy-text.ts";

/** What policy rules on. The deciding half needs the part `Permit` alone. */
export interface Policy extends Permit {
  /** Whether this person may sign or reject this proposal. */
  readonly maySign: (signing: Signing) => PolicyRuling;
  /** Whether this person may say what became of an operation that was left to people. */
  readonly mayResolve: (signing: Signing) => PolicyRuling;
  /** Whether this person may stop effects, capabilities or the tenant in an emergency, and lift that again. */
  readonly mayStop: (principal: Principal) => PolicyRuling;
  /** Whether this principal may read what is stopped, by whom and why. */
  readonly maySeeStops: (principal: Principal) => PolicyRuling;
  /** Whether a board of figures over the whole tenant is open, such as `spend`. */
  readonly maySeeBoard: (principal: Principal, board: string) => PolicyRuling;
  /** Whether this person may see the proposals of the tenant that wait for somebody. */
  readonly mayReview: (principal: Principal) => PolicyRuling;
  /** Whether this principal may see one decision. */
  readonly maySee: (seeing: Seeing) => PolicyRuling;
  /** Whether this principal may read everything that was kept of one decision, such as the replies of models. */
  readonly mayAudit: (seeing: Seeing) => PolicyRuling;
  /** How much of one decision this principal may read, by the questions above. */
  readonly sightOf: SightOf;
  /** Whether this person may set the threshold of a slice. */
  readonly mayOpenSlice: (principal: Principal) => PolicyRuling;
  /** Whether an effect that this principal asked for may go through without a person. */
  readonly mayPassAlone: (principal: Principal, effect: EffectAtRisk) => PolicyRuling;
  readonly cases: CaseRules;
  /** The files and policies in force, as they were read. */
  readonly written: PoliciesView;
  /** What the policies say to any question, and which of them. Throws `bad_request` for what is no question. */
  readonly explain: (question: unknown) => PolicyAnswer;
}

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

/** Opens policies: the program's schema and any number of `.cedar` files. Throws `policy_invalid`, naming file and line. */
export function openPolicy({ texts }: { texts: readonly PolicyText[] }): Policy {
  const compiled = compilePolicies(texts);
  const written = writtenIn(texts, compiled);
  return policyOf(openAsk(compiled), { written, explain: (question) => answerWritten(compiled, question) });
}

/** The questions of the program over whatever answers them. */
function policyOf(ask: Ask, shown: Pick<Policy, "written" | "explain">): Policy {
  const ofHouse = (action: "stop" | "seeStops" | "seeReviews" | "openSlice") => (principal: Principal) =>
    ask({ principal, action, resource: houseOf(principal) });
  return Object.freeze({
    ...shown,
    ...permitOf(shown.written.version, ask),
    maySign: (signing) => ask({ principal: signing.principal, action: "sign", resource: signedBy(signing) }),
    mayResolve: (signing) => ask({ principal: signing.principal, action: "resolve", resource: signedBy(signing) }),
    mayStop: ofHouse("stop"),
    maySeeStops: ofHouse("seeStops"),
    maySeeBoard: (principal, name) => ask({ principal, action: "seeBoard", resource: { id: name, attributes: { name } } }),
    mayReview: ofHouse("seeReviews"),
    mayOpenSlice: ofHouse("openSlice"),
    maySee: (seeing) => maySee(ask, seeing),
    mayAudit: (seeing) => mayAudit(ask, seeing),
    sightOf: (seeing) => sightOf(ask, seeing),
    mayPassAlone: (principal, { name, risk }) =>
      ask({ principal, action: "passAlone", resource: { id: name, attributes: { name, risk } } }),
    cases: caseRulesOf(ask),
  } satisfies Policy);
}

function signedBy({ tenant, requestedBy, onBehalfOf, risk, editedBy }: Signing) {
  return {
    id: "decision",
    attributes: {
      ...{ tenant, requestedBy, effects: risk === null ? 0 : 1 },
      ...(onBehalfOf === null ? {} : { onBehalfOf }),
      ...(risk === null ? {} : { risk }),
      ...(editedBy === null ? {} : { editedBy }),
    },
  };
}
