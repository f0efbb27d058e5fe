import type { DecisionRecord } from "../../src/contract/decision.ts";
import { canonicalJson } from "../../src/contract/json.ts";
import type { Ids } from "../../src/contract/ports.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import type { Proposal, ProposedEffect, Source } from "../../src/contract/proposal.ts";
import type { DefinedEffect } from "../../src/define/effect.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import type { Replacement } from "./project.ts";

/** The tenant, the environment and the people of the benchmark: one asks, another signs. */
export const tenant = "t0";
export const environment = "demo";
export const requester: Principal = {
  tenant,
  id: "emp-1",
  roles: ["employee"],
  attributes: {},
  onBehalfOf: null,
  allow: everything,
};
export const approver: Principal = {
  tenant,
  id: "ada",
  roles: ["approver"],
  attributes: {},
  onBehalfOf: null,
  allow: everything,
};

/** What the graph hands to the journal for a decision that proposes one replacement and waits for a person. */
export function decisionOf({
  device,
  at,
  ids,
  replacement,
}: {
  device: string;
  at: number;
  ids: Ids;
  replacement: DefinedEffect<Replacement>;
}): DecisionRecord {
  const decisionId = ids.next();
  const params = { device, note: "The battery is swollen; the warranty has run out.", days: 5 };
  const routing = { route: "hitl_required", rule: "below_margin", slice: "all", thresholdPpm: 0, loweredBy: [] } as const;
  const proposal: Omit<Proposal, "digest"> = {
    ...{ version: 1, decisionId, tenant, capability: "replace_device", capabilityVersion: "1" },
    ...{ requestedBy: requester.id, onBehalfOf: null, environment, summary: `Replace ${device}`, confidencePpm: 900_000 },
    ...{ routing, effects: [proposedOf(replacement, params)], claims: [], droppedClaims: [], refusal: null, reasoning: null },
  };
  const { route, rule, slice, thresholdPpm, loweredBy } = routing;
  return {
    kind: "decided",
    request: {
      ...{ decisionId, entryId: ids.next(), principal: requester, capability: "replace_device", inputs: {} },
      ...{ idempotencyKey: null, cause: null },
    },
    ...{ at, environment, capabilityVersion: "1", model: "none", prompt: "rule 1", policy: "code-1", calibration: "none" },
    ...{ label: null, route, rule, loweredBy, slice, thresholdPpm, confidencePpm: 900_000, signals: [], verified: true },
    ...{ stop: null, contextDigest: null, calls: [], notes: [], bodies: {} },
    proposal: { ...proposal, digest: sha256Digest.sha256(canonicalJson(proposal)) },
  };
}

function proposedOf({ erased: effect }: DefinedEffect<Replacement>, params: Replacement): ProposedEffect {
  const digest = (value: Parameters<typeof canonicalJson>[0]) => sha256Digest.sha256(canonicalJson(value));
  return {
    ...{ index: 0, effect: effect.name, version: effect.version, sentence: effect.describe(params), params },
    ...{ paramsDigest: digest(params), risk: effect.risk(params), sideEffect: effect.sideEffect, reversible: effect.reversible },
    ...{ key: effect.key(params), before: null, beforeDigest: digest(null), expected: effect.expect.state(params, null) },
    sources: { "/device": bySelf("/device"), "/note": bySelf("/note"), "/days": bySelf("/days") },
  };
}

function bySelf(at: string): Source {
  return { kind: "principal", chosenBy: "principal", ref: "inputs", at, untrustedInContext: false };
}
