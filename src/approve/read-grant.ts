import { z } from "zod";
import type { Grant } from "../contract/approval.ts";
import { canonicalJson, type Json } from "../contract/json.ts";
import { neverAutoPpm } from "../contract/words.ts";
import { evidenceSchema } from "../ledger/slices/evidence.ts";
import { isSignedBy, type PublicKeys } from "../store/signature.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** The keys that the acting side accepts, from its own configuration: people's approvals come from desks, policy's from here. */
export interface PinnedKeys {
  readonly person: PublicKeys;
  readonly policy: PublicKeys;
}

const maxBodyLength = 16_384;
/** Kept with what was signed and not looked at yet. */
const maxAssertionLength = 8_192;
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const id = z.uuid();
const word = z.string().min(1).max(200);
const grantSchema = z.strictObject({
  version: z.literal(1),
  id,
  tenant: word,
  environment: word,
  subject: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("effect"),
      decisionId: id,
      effectIndex: z.int().min(0),
      effect: word,
      capability: word,
      capabilityVersion: word,
      proposalDigest: sha256,
      paramsDigest: sha256,
      beforeDigest: sha256,
    }),
    z.strictObject({
      kind: z.literal("slice"),
      capability: word,
      capabilityVersion: word,
      slice: word,
      thresholdPpm: z.int().min(0).max(neverAutoPpm),
      basis: sha256,
      calibration: z.string().min(1).max(100),
      evidence: evidenceSchema.nullable(),
    }),
  ]),
  approver: z.strictObject({
    kind: z.enum(["person", "policy"]),
    id: word,
    role: word,
    assertion: z.string().max(maxAssertionLength).nullable(),
  }),
  grantedAt: z.int().min(0),
  expiresAt: z.int().min(0),
  nonce: z.string().min(16).max(200),
  keyId: sha256,
}) satisfies z.ZodType<Grant>;

/**
 * Reads the signed bytes of an approval: canonical JSON of a grant, signed by a key that is pinned for its kind of approver.
 * Nothing beside the bytes counts, whatever the row says.
 */
export function readGrant({
  body,
  signature,
  keys,
}: {
  body: string;
  signature: string;
  keys: PinnedKeys;
}): { kind: "grant"; grant: Grant } | Refusal {
  const parsed = body.length > maxBodyLength ? undefined : grantSchema.safeParse(parse(body));
  if (!parsed?.success) return invalid("grant_form", "the signed text is not a grant");
  const grant: Grant = parsed.data;
  if (canonicalJson(grant) !== body) return invalid("grant_canonical", "the signed text is not in canonical form");
  const key = keys[grant.approver.kind].get(grant.keyId);
  if (key === undefined)
    return invalid("key_pinned", `the key is not one that is pinned for approvals by ${grant.approver.kind}`);
  if (!isSignedBy(key, { text: body, signature })) return invalid("signature", "the signature is not that of the key");
  return { kind: "grant", grant };
}

function parse(text: string): Json | undefined {
  try {
    // What JSON.parse returns is plain JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function invalid(rule: string, reason: string): Refusal {
  return refusal("approval_invalid", rule, reason);
}
