import type { DecisionRecord } from "../../contract/decision.ts";
import type { AnyEffect, Snapshot } from "../../contract/effect.ts";
import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson, type Json } from "../../contract/json.ts";
import type { Ids } from "../../contract/ports.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Proposal, ProposedEffect } from "../../contract/proposal.ts";
import type { Project } from "../../define/project.ts";
import { sha256Digest } from "../../store/digest.ts";

/** A change as it would be proposed. */
export interface Change {
  readonly project: Project;
  readonly effect: AnyEffect;
  readonly params: Json;
  readonly before: Snapshot;
  readonly principal: Principal;
  /** The version of the policies in force. */
  readonly policy: string;
  readonly environment: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The record of a decision that proposes one change and leaves it to people, as the deciding half would hand it to its journal.
 * Throws `definition_invalid` where no capability has the effect, and where the effect's own functions fail on this change.
 */
export function proposalRecord(change: Change, ids: Ids): DecisionRecord {
  const { project, effect, principal, policy, environment, at } = change;
  const capability = project.capabilities.find(({ effects }) => effects.includes(effect));
  if (capability === undefined)
    throw new CountersignError("definition_invalid", `no capability of the project proposes effect \`${effect.name}\``);
  const { name, version } = capability;
  const decisionId = ids.next();
  const routing = { route: "hitl_required", rule: "below_margin", slice: "release", thresholdPpm: 0, loweredBy: [] } as const;
  const draft: Omit<Proposal, "digest"> = {
    ...{ version: 1, decisionId, tenant: principal.tenant, capability: name, capabilityVersion: version },
    ...{ requestedBy: principal.id, onBehalfOf: null, environment, summary: "a change of the release matrix", confidencePpm: 0 },
    ...{ routing, effects: [proposedOf(change)], claims: [], droppedClaims: [], refusal: null, reasoning: null },
  };
  const proposal: Proposal = { ...draft, digest: sha256Digest.sha256(canonicalJson(draft)) };
  return {
    kind: "decided",
    request: {
      ...{ decisionId, entryId: ids.next(), principal, capability: name, inputs: {} },
      ...{ idempotencyKey: null, cause: null },
    },
    ...{ at, environment, capabilityVersion: version, model: "none", prompt: "release", policy, calibration: "none" },
    ...{ label: null, ...routing, confidencePpm: 0, signals: [], verified: true, stop: null, contextDigest: null },
    ...{ proposal, calls: [], notes: [], bodies: {} },
  };
}

function proposedOf({ effect, params, before }: Change): ProposedEffect {
  try {
    return {
      ...{ index: 0, effect: effect.name, version: effect.version, sentence: effect.describe(params), params, before },
      paramsDigest: sha256Digest.sha256(canonicalJson(params)),
      ...{ risk: effect.risk(params), sideEffect: effect.sideEffect, reversible: effect.reversible, key: effect.key(params) },
      beforeDigest: sha256Digest.sha256(canonicalJson(before)),
      expected: effect.expect.state(params, before),
      sources: {},
    };
  } catch (cause) {
    throw new CountersignError("definition_invalid", `the functions of effect \`${effect.name}\` fail on this change`, { cause });
  }
}
