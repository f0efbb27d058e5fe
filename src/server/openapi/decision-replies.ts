import { z } from "zod";
import {
  type AskView,
  type DecisionView,
  decisionStates,
  type EffectView,
  type EntryView,
  type HaltView,
} from "../../contract/views.ts";
import {
  dedupes,
  entryKinds,
  haltScopes,
  resolvedOutcomes,
  risks,
  routes,
  routingRules,
  sideEffects,
  sourceKinds,
  stopReasons,
  verdicts,
  writerRoles,
} from "../../contract/words.ts";
import { components } from "./components.ts";

// Schemas of what the HTTP API answers with. The types of `contract/views.ts` come first: a schema that does not give one does not
// compile, and a test holds real answers against them.

/** A moment. */
export const ms = z.int().describe("Milliseconds since the epoch, by the store's clock");
const ppm = z.int().describe("Parts per million");
/** State of a system of record, as an effect declares it. */
export const snapshot = z.record(z.string(), z.json()).nullable();

const source = z
  .strictObject({
    kind: z.enum(sourceKinds),
    chosenBy: z.enum(["code", "principal", "model"]),
    ref: z.string().nullable().describe("The context item, request part or calculation it was taken from"),
    at: z.string().nullable().describe("RFC 6901 pointer within `ref`"),
    untrustedInContext: z.boolean().describe("Text that outsiders can write was in the context when it was chosen"),
  })
  .register(components, { id: "Source", description: "Where a value of a proposal comes from and who chose it" });

const cited = { source: z.string(), citation: z.string() };
const working = z.strictObject({
  expression: z.string(),
  value: z.string(),
  by: z.array(z.string()),
  sources: z.array(
    z.strictObject({ item: z.string(), at: z.union([z.string(), z.strictObject({ from: z.int(), to: z.int() })]) }),
  ),
});
const claim = z
  .strictObject({
    text: z.string(),
    ...cited,
    also: z.array(z.strictObject(cited)).exactOptional(),
    workings: z.array(working).exactOptional(),
  })
  .register(components, { id: "Claim", description: "One statement with its source" });

/** What a person said became of an effect. */
export const resolution = z.strictObject({ outcome: z.enum(resolvedOutcomes), by: z.string(), at: ms, isDone: z.boolean() });

const effectStates = [
  ...["proposed", "half_signed", "signed", "not_started", "applying", "applied", "complete", "incomplete", "failed", "unknown"],
  ...["compensating", "compensated", "escalated", "refused"],
] as readonly EffectView["state"][];

const effectReply = z
  .strictObject({
    index: z.int(),
    effect: z.string(),
    sentence: z.string(),
    params: z.json(),
    before: snapshot,
    expected: snapshot,
    sources: z.record(z.string(), source).describe("By RFC 6901 pointer into `params`"),
    risk: z.enum(risks),
    sideEffect: z.enum(sideEffects),
    reversible: z.boolean(),
    state: z.enum(effectStates).describe("It is done on the verdict `complete` alone"),
    verdict: z.enum(verdicts).nullable(),
    observed: snapshot,
    signedBy: z.array(z.string()),
    signaturesNeeded: z.int(),
    approvedBy: z.string().nullable(),
    approverKind: z.enum(["person", "policy"]).nullable(),
    operationId: z.string().nullable(),
    refusedCode: z.string().nullable(),
    dedupe: z.enum(dedupes).nullable(),
    undoneBy: z.string().nullable().describe("The effect by which it is undone where it goes wrong"),
    seenWithinMs: z.int().nullable().describe("Within how many milliseconds after it was sent it must be seen"),
    resolution: resolution.nullable(),
    resolvable: z.array(z.enum(resolvedOutcomes)),
    stopped: z.enum(haltScopes).nullable(),
  })
  .register(components, {
    id: "Effect",
    description: "One effect of a decision with what is known of it",
  }) satisfies z.ZodType<EffectView>;

/** One decision, as its requester, a reviewer or an auditor sees it. */
export const decisionReply = z
  .strictObject({
    id: z.string(),
    entryId: z.string(),
    tenant: z.string(),
    capability: z.string(),
    capabilityVersion: z.string(),
    requestedBy: z.string(),
    request: z.string().nullable(),
    follows: z.string().nullable(),
    at: ms,
    state: z.enum(decisionStates),
    route: z.enum(routes).nullable(),
    rule: z.enum(routingRules).nullable(),
    loweredBy: z.array(z.enum(routingRules)),
    confidencePpm: ppm.nullable(),
    thresholdPpm: ppm.nullable(),
    verified: z.boolean().nullable(),
    label: z.string().nullable(),
    model: z.string(),
    isScripted: z.boolean().describe("The model's replies came from a script, not from a model"),
    stop: z.strictObject({ reason: z.enum(stopReasons), node: z.string(), detail: z.string() }).nullable(),
    summary: z.string().nullable(),
    refusal: z.string().nullable(),
    claims: z.array(claim),
    droppedClaims: z.array(z.strictObject({ text: z.string(), reason: z.string() })),
    effects: z.array(effectReply),
    proposalDigest: z.string().nullable(),
    obstacle: z.enum(["payload_unreadable", "payload_erased", "capability_changed"]).nullable(),
    editedBy: z.string().nullable(),
    supersededBy: z.string().nullable(),
    taken: z.strictObject({ by: z.string(), until: ms }).nullable(),
    expiresAt: ms.nullable().describe("When what waits ends without an answer"),
  })
  .register(components, {
    id: "Decision",
    description: "One decision as the caller may see it: what was not released to them is empty",
  }) satisfies z.ZodType<DecisionView>;

/** One entry of a decision's story. */
export const entryReply = z
  .strictObject({
    id: z.string(),
    kind: z.enum(entryKinds),
    ts: ms,
    writer: z.enum(writerRoles),
    cause: z.string().nullable(),
    seq: z.int().nullable().describe("Its place in the tenant's chain; null until it is sealed"),
    body: z.json(),
  })
  .register(components, { id: "Entry", description: "One entry of the ledger" }) satisfies z.ZodType<EntryView>;

/** What a request in free text led to. */
export const askReply = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("decided"), intake: decisionReply, decision: decisionReply }),
    z.strictObject({ kind: z.literal("asked_back"), intake: decisionReply, question: z.string() }),
  ])
  .register(components, {
    id: "Asked",
    description: "A decision of the capability that intake picked, or a question back",
  }) satisfies z.ZodType<AskView>;

/** An emergency stop that stands. */
export const haltReply = z
  .strictObject({ scope: z.enum(haltScopes), name: z.string(), by: z.string(), at: ms, reason: z.string() })
  .register(components, { id: "Halt", description: "An emergency stop that stands" }) satisfies z.ZodType<HaltView>;
