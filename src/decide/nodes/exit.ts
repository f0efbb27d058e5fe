import type { Capability } from "../../contract/capability.ts";
import type { LoadedContext } from "../../contract/context.ts";
import type { DecidingPolicies, Stop } from "../../contract/decision.ts";
import { type Json, toFrozenJson } from "../../contract/json.ts";
import { idPattern } from "../../contract/limits.ts";
import type { PolicyRuling, Principal } from "../../contract/principal.ts";
import type { Proposal } from "../../contract/proposal.ts";
import { basisOf } from "../../define/authority-basis.ts";
import type { Deps, LoopTrace, Node, Outcome, Slots } from "../state.ts";

/** Node 12: the outcome, as the journal will write it. */
export const exit: Node<
  | "envelope"
  | "inputs"
  | "context"
  | "loop"
  | "guarded"
  | "decidedBy"
  | "checked"
  | "judged"
  | "confidence"
  | "routed"
  | "proposal"
  | "notes",
  "outcome"
> = async (state, deps) => ({
  outcome: {
    ...common(state, deps),
    kind: "decided",
    label: labelOf(deps.capability, state.guarded),
    // The proposal's route, which `prepare_proposal` may have lowered; the rule that fired first stays beside it.
    route: state.proposal.routing.route,
    rule: state.routed.rule,
    loweredBy: state.proposal.routing.loweredBy,
    slice: state.routed.slice,
    ...(state.proposal.effects.length === 0 ? {} : { basis: basisOf(deps.capability, deps.digest) }),
    thresholdPpm: state.routed.thresholdPpm,
    stop: null,
    proposal: state.proposal,
    notes: state.notes,
  },
});

/** The outcome of a decision that a node stopped: whatever was known by then, and why it ended. */
export function exitEarly(state: Partial<Slots>, stop: Stop, deps: Deps): Outcome {
  return {
    ...common(state, deps),
    kind: "stopped",
    label: null,
    route: stop.route,
    rule: stop.rule,
    loweredBy: [],
    slice: null,
    thresholdPpm: null,
    stop,
    proposal: null,
    notes: [],
  };
}

type Common = Omit<
  Outcome,
  "kind" | "label" | "route" | "rule" | "loweredBy" | "slice" | "thresholdPpm" | "stop" | "proposal" | "notes"
>;

function common(state: Partial<Slots>, deps: Deps): Common {
  const { capability, clock, environment, permit } = deps;
  const { loop } = state;
  return {
    at: state.envelope?.at ?? clock.now(),
    environment,
    capabilityVersion: capability.version,
    model: state.decidedBy?.model ?? "none",
    prompt: state.decidedBy?.prompt ?? "none",
    policy: permit.version,
    ...(state.envelope === undefined ? {} : { policies: decidingPolicies(state.envelope.principal, state.proposal, deps) }),
    calibration: state.confidence?.calibration ?? "none",
    confidencePpm: state.confidence?.ppm ?? null,
    signals: state.confidence?.signals ?? [],
    verified: state.checked?.verified ?? null,
    contextDigest: knownBy(state)?.digest ?? null,
    ...(loop == null ? {} : { loop: loopFacts(loop) }),
    bodies: bodiesOf(state, capability),
  };
}

function loopFacts({ steps, digest, plan }: LoopTrace): NonNullable<Outcome["loop"]> {
  return { steps: steps.length, digest, ...(plan === undefined ? {} : { plan: plan?.digest ?? null }) };
}

/** Asked again, since policy is a function of the question: what let this be asked, and its effects be proposed. */
function decidingPolicies(principal: Principal, proposal: Proposal | undefined, { capability, permit }: Deps): DecidingPolicies {
  const use = permittedBy(permit.mayUse(principal, capability));
  const propose = (proposal?.effects ?? []).flatMap(({ effect: name, risk }) =>
    permittedBy(permit.mayPropose(principal, { name, risk })),
  );
  return { use, propose: [...new Set(propose)] };
}

function permittedBy(ruling: PolicyRuling): readonly string[] {
  return ruling.kind === "permitted" ? ruling.policies : [];
}

function bodiesOf(state: Partial<Slots>, capability: Capability): { readonly [name: string]: Json } {
  const context = knownBy(state);
  const activity = state.activity ?? state.loaded?.activity;
  return {
    ...(state.envelope?.runtime === undefined ? {} : { runtime: state.envelope.runtime as unknown as Json }), // so is what surrounds it
    ...(context === undefined ? {} : { context: context.items as unknown as Json }), // context items are plain data
    ...(activity === undefined ? {} : { activity: activity as unknown as Json }), // so is what was done to find them
    ...(state.loop == null ? {} : { loop: state.loop.steps as unknown as Json }), // so are the steps of a loop
    ...(state.loop?.plan == null ? {} : { plan: state.loop.plan as unknown as Json }), // and a plan
    ...(state.checked === undefined ? {} : { checks: state.checked.results as unknown as Json }), // so are check results
    ...(state.judged === undefined ? {} : { judged: state.judged }),
    ...(capability.keepsInputs ? askedBodies(state) : {}),
    ...(capability.deciding.kind === "rule" ? ruledBodies(state) : {}),
  };
}

/** The inputs, and beside them what else was asked with where that is not the same: as received, and the asker's attributes. */
function askedBodies({ request, inputs, received }: Partial<Slots>): { readonly [name: string]: Json } {
  if (inputs === undefined) return {};
  const attributes = request?.principal.attributes ?? {};
  return {
    inputs: inputs as Json, // parsed from JSON
    ...(JSON.stringify(received) === JSON.stringify(inputs) ? {} : { received: received as Json }), // checked at the door
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** What a rule decided, where JSON keeps all of it; of a model the replies tell. */
function ruledBodies({ decision }: Partial<Slots>): { readonly [name: string]: Json } {
  try {
    return { decision: toFrozenJson(decision) };
  } catch {
    return {};
  }
}

/** What was known at the end: before node 4 only what was loaded. */
function knownBy({ context, loaded }: Partial<Slots>): LoadedContext | undefined {
  return context ?? loaded;
}

/** A label that is not an id-like word could carry personal data, so it is not kept. */
function labelOf(capability: Capability, decision: unknown): string {
  const label = capability.label(decision);
  return idPattern.test(label) ? label : "decided";
}
