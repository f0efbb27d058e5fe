import { holdsConflict, holdsUntrustedText } from "../../contract/context.ts";
import type { Stop } from "../../contract/decision.ts";
import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson, frozenWith, type JsonObject, toFrozenJson } from "../../contract/json.ts";
import type { CallRuling } from "../../contract/plan.ts";
import type { Proposal, ProposedEffect, Routing } from "../../contract/proposal.ts";
import { type Route, type RoutingRule, risks } from "../../contract/words.ts";
import { judgeSources } from "../../guard/provenance/judge-sources.ts";
import { traceAnswer } from "../answers/trace-answer.ts";
import { lowerRoute } from "../confidence/route.ts";
import { calculationsOf, draftOf } from "../draft.ts";
import { judgeEffects, withPlannedSources } from "../planning/judge-effects.ts";
import { proposeEffects } from "../propose-effect.ts";
import { type Deps, type Holding, type Node, stopAt } from "../state.ts";

type Prepared = Holding<"request" | "inputs" | "envelope" | "context" | "loop" | "guarded" | "confidence" | "routed">;

/**
 * Node 10: the frozen proposal with its digest. Claims that do not trace, or say what their source does not, are dropped and named; every value of every effect carries
 * its source. It may lower the route (risk of the params, sources, conflicts of sources), never raise it.
 */
export const prepareProposal: Node<keyof Prepared, "proposal"> = async (state, deps) => {
  const decided = { inputs: state.inputs, envelope: state.envelope, context: state.context, decision: state.guarded };
  const draft = draftOf(deps.capability, decided);
  const calculations = calculationsOf(deps.capability);
  const { claims, droppedClaims, refusal, isInConflict } = traceAnswer({ draft, context: state.context, calculations });
  const proposed = await proposeEffects({
    drafts: draft.effects ?? [],
    inputs: state.inputs,
    envelope: state.envelope,
    context: state.context,
    deps,
  }).catch(refusedByPolicy);
  if ("kind" in proposed) return proposed;
  const rulings = judgeEffects({ effects: proposed, asked: decided, loop: state.loop, deps });
  const isForeign = holdsUntrustedText(state.context);
  const effects = proposed.map((effect, i) =>
    withPlannedSources({ proposed: effect, ruling: rulings?.[i], loop: state.loop, untrustedInContext: isForeign }),
  );
  // Invariant: what was routed as a proposal without effects has none; only a `propose` that is not pure could break it.
  if (state.routed.rule === "no_effects" && effects.length > 0)
    throw new CountersignError("definition_invalid", "`propose` gave other effects than before");
  const undigested: Omit<Proposal, "digest"> = {
    version: 1,
    decisionId: state.request.decisionId,
    tenant: state.envelope.principal.tenant,
    capability: deps.capability.name,
    capabilityVersion: deps.capability.version,
    requestedBy: state.envelope.principal.id,
    onBehalfOf: state.envelope.principal.onBehalfOf,
    environment: deps.environment,
    summary: draft.summary,
    confidencePpm: state.confidence.ppm,
    routing: lowered(
      state.routed,
      loweringRules({
        ...{ effects, rulings: rulings ?? [], dropped: droppedClaims.length, deps },
        isInConflict: isInConflict || holdsConflict(state.context),
      }),
    ),
    effects,
    claims,
    droppedClaims,
    refusal,
    reasoning: draft.reasoning ?? null,
  };
  // A copy that nobody else holds; a proposal is plain data, so what comes back is what went in.
  const frozen = toFrozenJson(undigested) as JsonObject; // a copy of an object is one
  const digest = deps.digest.sha256(canonicalJson(frozen));
  return { proposal: frozenWith(frozen, "digest", digest) as unknown as Proposal };
};

/** What policy does not let this principal have done, or see for it, ends the decision with that word; whatever else fails, fails. */
function refusedByPolicy(thrown: unknown): Stop {
  if (thrown instanceof CountersignError && thrown.code === "forbidden")
    return stopAt("prepare_proposal", "not_permitted", thrown.message);
  throw thrown;
}

function loweringRules({
  effects,
  rulings,
  dropped,
  isInConflict,
  deps: { capability },
}: {
  effects: readonly ProposedEffect[];
  rulings: readonly CallRuling[];
  dropped: number;
  isInConflict: boolean;
  deps: Deps;
}): RoutingRule[] {
  const highest = Math.max(0, ...effects.map((effect) => risks.indexOf(effect.risk)));
  const isTrusted = effects.every((proposed, i) => {
    if (rulings[i] !== undefined && rulings[i].kind !== "auto") return false;
    const effect = capability.effects.find((one) => one.name === proposed.effect);
    return effect !== undefined && judgeSources({ effect, proposedEffect: proposed }).kind === "permitted";
  });
  return [
    ...(highest === 2 ? (["risk_high"] as const) : highest === 1 ? (["risk_not_low"] as const) : []),
    ...(isTrusted ? [] : (["source_not_trusted"] as const)),
    ...(rulings.some(({ kind }) => kind === "refuse") ? (["not_in_plan"] as const) : []),
    // An answer is delivered without them; an effect that was argued for with them goes to a person.
    ...(effects.length > 0 && dropped > 0 ? (["claims_dropped"] as const) : []),
    // Also an answer: which of two values holds is for a person to say.
    ...(isInConflict ? (["sources_conflict"] as const) : []),
  ];
}

/** Each rule takes `auto` away, a conflict takes a person, and what is not in its plan is no proposal at all; what was stricter before stays so. */
function lowered(routed: Routing, rules: readonly RoutingRule[]): Routing {
  const lowest: Route = rules.includes("not_in_plan")
    ? "reject"
    : rules.includes("sources_conflict")
      ? "hitl_required"
      : "hitl_recommended";
  const route: Route = rules.length === 0 ? routed.route : lowerRoute(routed.route, lowest);
  return { ...routed, route, loweredBy: rules };
}
