import type { DecisionRecord } from "../../../src/contract/decision.ts";
import type { Snapshot } from "../../../src/contract/effect.ts";
import { canonicalJson, type Json } from "../../../src/contract/json.ts";
import type { Ids } from "../../../src/contract/ports.ts";
import { type AllowLists, everything, type Principal } from "../../../src/contract/principal.ts";
import type { Proposal, ProposedEffect, Source } from "../../../src/contract/proposal.ts";
import type { Route, RoutingRule } from "../../../src/contract/words.ts";
import { basisOf } from "../../../src/define/authority-basis.ts";
import type { DefinedEffect } from "../../../src/define/effect.ts";
import type { Project } from "../../../src/define/project.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { sha256Digest } from "../../../src/store/digest.ts";

const person = (id: string, roles: readonly string[], tenant = "acme"): Principal => ({
  tenant,
  id,
  roles,
  attributes: {},
  onBehalfOf: null,
  allow: everything,
});

/** The people of the tests. Erin asks, Ada, Abe and Amy approve, Oda owns, Gus approves elsewhere. */
export const people = {
  erin: person("erin", ["employee", "approver"]),
  ada: person("ada", ["approver"]),
  abe: person("abe", ["approver"]),
  amy: person("amy", ["approver"]),
  oda: person("oda", ["owner"]),
  gus: person("gus", ["approver"], "globex"),
};

/** One proposed change. */
export interface Change {
  readonly effect: DefinedEffect<never>;
  readonly params: Json;
  readonly before?: Snapshot;
  readonly sources?: { readonly [pointer: string]: Source };
}

/** What a decision is made of; the defaults wait for a person. */
export interface Deciding {
  readonly changes: readonly Change[];
  readonly tenant?: string;
  readonly route?: Route;
  readonly confidencePpm?: number;
  readonly verified?: boolean;
  /** The rule that fixed the route; one that fits the route unless told. */
  readonly rule?: RoutingRule;
  /** The digest of the definition that decided; that of the project unless told. */
  readonly basis?: string;
  readonly environment?: string;
  readonly onBehalfOf?: string;
  readonly allow?: AllowLists;
  /** The entry that it follows. */
  readonly cause?: string;
  /** Alters the proposal after its digest was made, as a hostile decider might. */
  readonly alter?: (proposal: Proposal) => Proposal;
}

/** A value that the principal gave. */
export const bySelf = (at: string): Source => ({
  kind: "principal",
  chosenBy: "principal",
  ref: "inputs",
  at,
  untrustedInContext: false,
});

/** What the graph would hand to the journal for such a decision by Erin. */
export function recordOf({ ids, project, ...deciding }: Deciding & { ids: Ids; project: Project }): DecisionRecord {
  const {
    tenant = "acme",
    route = "hitl_required",
    confidencePpm = 900_000,
    verified = true,
    environment = "demo",
    onBehalfOf = null,
    allow = everything,
    cause = null,
    rule = route === "auto" ? "at_or_above_threshold" : "below_margin",
  } = deciding;
  const decisionId = ids.next();
  const principal = { ...people.erin, tenant, onBehalfOf, allow };
  const capability = project.capabilities[0];
  if (capability === undefined) throw new Error("the sample project has a capability");
  const proposal: Omit<Proposal, "digest"> = {
    version: 1,
    decisionId,
    tenant,
    capability: capability.name,
    capabilityVersion: capability.version,
    requestedBy: principal.id,
    onBehalfOf,
    environment,
    summary: "tickets",
    confidencePpm,
    routing: { route, rule, slice: "all", thresholdPpm: 0, loweredBy: [] },
    effects: deciding.changes.map(proposedOf),
    claims: [],
    droppedClaims: [],
    refusal: null,
    reasoning: null,
  };
  const whole: Proposal = { ...proposal, digest: sha256Digest.sha256(canonicalJson(proposal)) };
  return {
    kind: "decided",
    request: {
      decisionId,
      entryId: ids.next(),
      principal,
      capability: capability.name,
      inputs: {},
      idempotencyKey: null,
      cause,
    },
    at: systemClock.now(),
    environment,
    capabilityVersion: capability.version,
    model: "none",
    prompt: "rule 1",
    policy: "code-1",
    calibration: "weights-1",
    basis: deciding.basis ?? basisOf(capability, sha256Digest),
    label: null,
    route,
    rule,
    loweredBy: [],
    slice: "all",
    thresholdPpm: 0,
    confidencePpm,
    signals: [{ name: "verification", ppm: confidencePpm, weightPpm: 500_000 }],
    verified,
    stop: null,
    contextDigest: null,
    proposal: deciding.alter?.(whole) ?? whole,
    calls: [],
    notes: [],
    bodies: {},
  };
}

function proposedOf({ effect: defined, params, before = null, sources = {} }: Change, index: number): ProposedEffect {
  const { erased: effect } = defined;
  return {
    index,
    effect: effect.name,
    version: effect.version,
    sentence: effect.describe(params),
    params,
    paramsDigest: sha256Digest.sha256(canonicalJson(params)),
    risk: effect.risk(params),
    sideEffect: effect.sideEffect,
    reversible: effect.reversible,
    key: effect.key(params),
    before,
    beforeDigest: sha256Digest.sha256(canonicalJson(before)),
    expected: effect.expect.state(params, before),
    sources,
  };
}
