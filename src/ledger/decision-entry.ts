import type { DecisionRecord, DecisionRequest } from "../contract/decision.ts";
import type { EntryDraft } from "../contract/entry.ts";
import type { JsonObject } from "../contract/json.ts";
import type { CallRecord } from "../contract/model.ts";

/** The draft of a decision's one `decided` or `stopped` entry: its facts, and the bodies that go into the payload. */
export function decisionDraft(record: DecisionRecord, inputsHash: string): EntryDraft {
  return {
    ...frameOf(record.request),
    kind: record.kind,
    ts: record.at,
    facts: factsOf(record, inputsHash),
    bodies: bodiesOf(record),
  };
}

/** What the sweeper writes for a decision whose decider died: nothing is known but that it began. */
export function abandonedDraft(intent: Intent, at: number): EntryDraft {
  return {
    ...frameOf(intent),
    kind: "stopped",
    ts: at,
    facts: {
      capability: intent.capability,
      principal: intent.principal.id,
      stop: { reason: "abandoned", node: null },
      model: "none",
      route: null,
      rule: null,
      effects: 0,
      attempts: 0,
      costMicros: 0,
    },
    bodies: {},
  };
}

/** What an intent row tells of a decision. */
export interface Intent extends Pick<DecisionRequest, "decisionId" | "entryId" | "capability" | "cause"> {
  readonly principal: { readonly tenant: string; readonly id: string };
}

function frameOf({ entryId, principal, decisionId, cause }: Intent) {
  return { id: entryId, tenant: principal.tenant, writer: "deciding", decisionId, cause } as const;
}

function factsOf(record: DecisionRecord, inputsHash: string): JsonObject {
  const { request, stop, proposal, calls } = record;
  return {
    capability: request.capability,
    capabilityVersion: record.capabilityVersion,
    principal: request.principal.id,
    onBehalfOf: request.principal.onBehalfOf,
    // The acting half reads the state before under the same roles; attributes may hold personal data and stay out.
    roles: request.principal.roles,
    environment: record.environment,
    inputsHash,
    model: record.model,
    // The provider's own word; a name can say anything.
    scripted: calls.some((call) => call.isScripted),
    prompt: record.prompt,
    policy: record.policy,
    calibration: record.calibration,
    label: record.label,
    route: record.route,
    rule: record.rule,
    loweredBy: record.loweredBy,
    slice: record.slice,
    thresholdPpm: record.thresholdPpm,
    confidencePpm: record.confidencePpm,
    signals: record.signals.map(({ name, ppm, weightPpm }) => ({ name, ppm, weightPpm })),
    verified: record.verified,
    // The detail is written for the requester and may name things; it goes into the payload.
    stop: stop === null ? null : { reason: stop.reason, node: stop.node },
    contextDigest: record.contextDigest,
    proposalDigest: proposal?.digest ?? null,
    effects: proposal?.effects.length ?? 0,
    attempts: calls.length,
    boundary: calls[0]?.boundary ?? "off",
    ...usageOf(calls),
  };
}

function usageOf(calls: readonly CallRecord[]): JsonObject {
  const sum = (of: (call: CallRecord) => number): number => calls.reduce((total, call) => total + of(call), 0);
  return {
    inputTokens: sum((call) => call.usage.inputTokens),
    cachedTokens: sum((call) => call.usage.cachedTokens),
    cacheWriteTokens: sum((call) => call.usage.cacheWriteTokens),
    outputTokens: sum((call) => call.usage.outputTokens),
    reasoningTokens: sum((call) => call.usage.reasoningTokens),
    costMicros: sum((call) => call.costMicros),
  };
}

function bodiesOf({ bodies, proposal, stop }: DecisionRecord): EntryDraft["bodies"] {
  return {
    ...bodies,
    // A proposal is frozen plain JSON by its making; its interface only lacks an index signature.
    ...(proposal === null ? {} : { proposal: proposal as unknown as JsonObject }),
    ...(stop === null ? {} : { stop: { detail: stop.detail } }),
  };
}
