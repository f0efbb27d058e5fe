import type { DecidingPolicies, DecisionRecord, DecisionRequest } from "../contract/decision.ts";
import type { EntryDraft } from "../contract/entry.ts";
import type { JsonObject } from "../contract/json.ts";
import type { CallRecord, Usage } from "../contract/model.ts";
import { type AllowLists, allowsEverything } from "../contract/principal.ts";

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
      sends: 0,
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

// The names stand in canonical order, which spares sorting them; a test holds them to it.
function factsOf(record: DecisionRecord, inputsHash: string): JsonObject {
  const { request, stop, proposal, calls } = record;
  const used = usageOf(calls);
  return {
    // The limits of the account, where it has any: the acting half reads and applies within them.
    ...(allowsEverything(request.principal.allow) ? {} : { allow: allowFacts(request.principal.allow) }),
    // An attempt may take several sends; one that a resting provider got none of counts for nothing.
    attempts: calls.filter(({ send }) => send === 1).length,
    ...(record.basis === undefined ? {} : { basis: record.basis }),
    // On only where everything that was asked had passed it.
    boundary: calls.length > 0 && calls.every(({ boundary }) => boundary === "on") ? "on" : "off",
    cacheWriteTokens: used.cacheWriteTokens,
    cachedTokens: used.cachedTokens,
    calibration: record.calibration,
    capability: request.capability,
    capabilityVersion: record.capabilityVersion,
    confidencePpm: record.confidencePpm,
    contextDigest: record.contextDigest,
    costMicros: used.costMicros,
    effects: proposal?.effects.length ?? 0,
    environment: record.environment,
    inputTokens: used.inputTokens,
    inputsHash,
    label: record.label,
    ...(record.loop === undefined ? {} : { loop: loopFacts(record.loop) }),
    loweredBy: record.loweredBy,
    model: record.model,
    onBehalfOf: request.principal.onBehalfOf,
    outputTokens: used.outputTokens,
    ...(record.policies === undefined ? {} : { policies: policyFacts(record.policies) }),
    policy: record.policy,
    principal: request.principal.id,
    ...privacyFacts(calls),
    prompt: record.prompt,
    proposalDigest: proposal?.digest ?? null,
    reasoningTokens: used.reasoningTokens,
    // The acting half reads the state before under the same roles; attributes may hold personal data and stay out.
    roles: request.principal.roles,
    route: record.route,
    rule: record.rule,
    // The provider's own word; a name can say anything.
    scripted: calls.some((call) => call.isScripted),
    sends: calls.length,
    ...(request.session == null ? {} : { session: request.session }),
    signals: record.signals.map(({ name, ppm, weightPpm }) => ({ name, ppm, weightPpm })),
    slice: record.slice,
    // The detail is written for the requester and may name things; it goes into the payload.
    stop: stop === null ? null : { node: stop.node, reason: stop.reason },
    thresholdPpm: record.thresholdPpm,
    verified: record.verified,
  };
}

/** Which privacy policy was in force, and how much of what kind was replaced under it; nothing where no call passed the boundary. */
function privacyFacts(calls: readonly CallRecord[]): JsonObject {
  const policy = calls.find(({ privacyPolicy }) => privacyPolicy !== undefined)?.privacyPolicy;
  if (policy === undefined) return {};
  const replaced: Record<string, Record<string, number>> = {};
  for (const { replacedCounts = {} } of calls)
    for (const [of, counts] of Object.entries(replacedCounts))
      for (const [treatment, count] of Object.entries(counts)) {
        const ofClass = replaced[of] ?? {};
        replaced[of] = { ...ofClass, [treatment]: (ofClass[treatment] ?? 0) + count };
      }
  return { privacy: { policy, replaced } };
}

/** The digest of the plan stands here, so that what licensed the effects is sealed; the plan itself is in the payload. */
function loopFacts({ digest, plan, steps }: NonNullable<DecisionRecord["loop"]>): JsonObject {
  return { digest, ...(plan === undefined ? {} : { plan }), steps };
}

function allowFacts({ capabilities, documents, effects, records }: AllowLists): JsonObject {
  return { capabilities, documents, effects, records };
}

function policyFacts({ propose, use }: DecidingPolicies): JsonObject {
  return { propose, use };
}

/** What the calls used and cost together. */
interface Used extends Usage {
  readonly costMicros: number;
}

function usageOf(calls: readonly CallRecord[]): Used {
  let used: Used = nothingUsed;
  for (const { usage, costMicros } of calls)
    used = {
      cacheWriteTokens: used.cacheWriteTokens + usage.cacheWriteTokens,
      cachedTokens: used.cachedTokens + usage.cachedTokens,
      costMicros: used.costMicros + costMicros,
      inputTokens: used.inputTokens + usage.inputTokens,
      outputTokens: used.outputTokens + usage.outputTokens,
      reasoningTokens: used.reasoningTokens + usage.reasoningTokens,
    };
  return used;
}

const nothingUsed: Used = {
  cacheWriteTokens: 0,
  cachedTokens: 0,
  costMicros: 0,
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

function bodiesOf({ bodies, notes, proposal, stop }: DecisionRecord): EntryDraft["bodies"] {
  return {
    ...bodies,
    // A proposal is frozen plain JSON by its making; its interface only lacks an index signature.
    ...(proposal === null ? {} : { proposal: proposal as unknown as JsonObject }),
    ...(notes.length === 0 ? {} : { notes: notes.map(({ text }) => text) }),
    ...(stop === null ? {} : { stop: { detail: stop.detail } }),
  };
}
