/**
 * The edge at which what the book holds becomes typed: any role may have written anything that its grants allow, so nothing is
 * believed to have a form before it was seen here. What does not fit is `payload_unreadable`.
 */
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { canonicalJson, type Json, type JsonObject } from "../contract/json.ts";
import { idPattern, limits } from "../contract/limits.ts";
import type { Proposal } from "../contract/proposal.ts";
import { onePpm, risks, routes, routingRules, sideEffects, sourceKinds, stopReasons, verdicts } from "../contract/words.ts";

/** Reads the bytes of an entry's body: a JSON object whose known fields have their types. Throws `payload_unreadable`. */
export function parseBody(bytes: string): JsonObject {
  const body = parseJson(bytes);
  if (!isObject(body) || !bodySchema.safeParse(body).success)
    throw unreadable("the body of an entry has not the form of its kind");
  return body;
}

/** Reads the text of one decrypted body. Throws `payload_unreadable` where it is no JSON that could have been kept. */
export function parseJson(text: string): Json {
  try {
    // What JSON.parse returns is plain JSON.
    const value = JSON.parse(text) as Json;
    // Refuses what no column and no canonical form can hold: NUL, lone surrogates, numbers that are none, and nesting that no reader
    // survives. The quick way leaves to the careful one whatever it is not sure of.
    if (text.includes("\\u") || !text.isWellFormed() || !isShallow(value, 0)) canonicalJson(value);
    return value;
  } catch (cause) {
    throw unreadable("a text in the ledger is not JSON", cause);
  }
}

/** Deeper than this is left to the careful way. */
const shallow = 50;

/** Says of parsed JSON that all its numbers are finite and that it is not deep. */
function isShallow(value: Json, depth: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === shallow) return false;
  for (const member of Array.isArray(value) ? value : Object.values(value)) if (!isShallow(member, depth + 1)) return false;
  return true;
}

/** Reads a proposal; `null` where there is none. Throws `payload_unreadable`. Its digest is checked where it is acted upon. */
export function parseProposal(body: Json | undefined): Proposal | null {
  if (body === undefined || body === null) return null;
  const parsed = proposalSchema.safeParse(body);
  if (!parsed.success) throw unreadable("a proposal has not the form of version 1", parsed.error);
  return parsed.data;
}

function unreadable(message: string, cause?: unknown): CountersignError {
  return new CountersignError("payload_unreadable", message, { cause });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Effects are counted in a column of this size. */
const maxEffects = 32_767;
const text = z.string();
const ppm = z.int().min(0).max(onePpm);
const index = z.int().min(0).max(maxEffects);
const name = z.string().regex(idPattern);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Everything here came out of `JSON.parse`, so it is JSON already. */
const json = z.custom<Json>((value) => value !== undefined);
const snapshot = z.custom<JsonObject | null>((value) => value === null || isObject(value));

/** The fields that are read from bodies of entries; each kind has some of them. */
const bodySchema = z.looseObject({
  capability: text.nullish(),
  capabilityVersion: text.nullish(),
  principal: text.nullish(),
  onBehalfOf: text.nullish(),
  roles: z.array(text).optional(),
  model: text.nullish(),
  label: text.nullish(),
  route: z.enum(routes).nullish(),
  rule: text.nullish(),
  loweredBy: z.array(z.enum(routingRules)).optional(),
  thresholdPpm: z
    .int()
    .min(0)
    .max(onePpm + 1)
    .nullish(),
  confidencePpm: ppm.nullish(),
  verified: z.boolean().nullish(),
  stop: z.looseObject({ reason: z.enum(stopReasons), node: text.nullish() }).nullish(),
  proposalDigest: sha256.nullish(),
  effects: index.optional(),
  approvalId: text.nullish(),
  approver: text.nullish(),
  approverKind: z.enum(["person", "policy"]).nullish(),
  effectIndex: index.nullish(),
  operationId: text.nullish(),
  verdict: z.enum(verdicts).nullish(),
  code: text.nullish(),
});

const sourceSchema = z.strictObject({
  kind: z.enum(sourceKinds),
  chosenBy: z.enum(["code", "principal", "model"]),
  ref: text.nullable(),
  at: text.nullable(),
  untrustedInContext: z.boolean(),
});

const effectSchema = z.strictObject({
  index,
  effect: name,
  version: text,
  sentence: text,
  params: json,
  paramsDigest: sha256,
  risk: z.enum(risks),
  sideEffect: z.enum(sideEffects),
  reversible: z.boolean(),
  key: z.string().min(1).max(limits.businessKeyLength),
  before: snapshot,
  beforeDigest: sha256,
  expected: snapshot,
  sources: z.record(text, sourceSchema),
});

const workingSchema = z.strictObject({
  ...{ expression: text, value: text, by: z.array(text) },
  sources: z.array(z.strictObject({ item: text, at: z.union([text, z.strictObject({ from: z.int(), to: z.int() })]) })),
});
const claimSchema = z.strictObject({
  ...{ text, source: text, citation: text },
  also: z.array(z.strictObject({ source: text, citation: text })).exactOptional(),
  workings: z.array(workingSchema).exactOptional(),
});
const proposalSchema = z.strictObject({
  version: z.literal(1),
  decisionId: z.uuid(),
  tenant: text,
  capability: name,
  capabilityVersion: text,
  requestedBy: text,
  onBehalfOf: text.nullable(),
  environment: text,
  summary: text,
  confidencePpm: ppm,
  routing: z.strictObject({
    route: z.enum(routes),
    rule: z.enum(routingRules),
    slice: text,
    thresholdPpm: z
      .int()
      .min(0)
      .max(onePpm + 1),
    loweredBy: z.array(z.enum(routingRules)),
  }),
  effects: z.array(effectSchema).max(maxEffects),
  claims: z.array(claimSchema),
  droppedClaims: z.array(z.strictObject({ text, reason: text })),
  refusal: text.nullable(),
  reasoning: text.nullable(),
  digest: sha256,
}) satisfies z.ZodType<Proposal>;
