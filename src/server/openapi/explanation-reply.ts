import { z } from "zod";
import type { Explanation } from "../../contract/explanation.ts";
import { resolvedOutcomes, verdicts } from "../../contract/words.ts";
import { components } from "./components.ts";
import { decisionReply, entryReply, ms, snapshot } from "./decision-replies.ts";

const text = z.string().nullable();
const place = { entryId: z.string(), at: ms };

/** One signature of an effect: whose, for what, until when. */
export const approval = z.strictObject({
  approvalId: z.string(),
  ...place,
  by: z.string(),
  kind: z.enum(["person", "policy"]),
  role: text,
  scope: z.strictObject({ proposalDigest: text, paramsDigest: text, beforeDigest: text }),
  expiresAt: ms.nullable(),
  policy: text,
  policies: z.array(z.string()),
  keyId: text.describe("The fingerprint of the key that signed"),
  end: z.enum(["open", "consumed", "joined", "withdrawn", "expired", "refused"]),
});

const send = z.strictObject({
  ...place,
  attempt: z.int().nullable(),
  credential: text.describe("A name in the vault, never a value"),
  observer: text,
  environment: text,
  fence: z.int().nullable(),
  response: z.strictObject({ at: ms, targetId: text }).nullable(),
});

const look = z.strictObject({
  ...place,
  verdict: z.enum(verdicts).nullable(),
  observed: snapshot,
  expected: snapshot,
  differs: z.array(z.string()),
  forbidden: z.array(z.string()),
  fault: text,
  joins: text,
  next: z.literal("compensate").nullable(),
  reason: text,
});

const end = z.strictObject({
  ...place,
  kind: z.enum(["refused", "escalated", "compensated", "resolved"]),
  reason: text,
  owner: text,
  by: text,
  outcome: z.enum(resolvedOutcomes).nullable(),
});

/** What one operation sent and saw, and how it ended. */
export const operation = z.strictObject({
  operationId: z.string(),
  generation: z.int().nullable(),
  approvalIds: z.array(z.string()),
  sends: z.array(send),
  looks: z.array(look),
  ends: z.array(end),
});

const refusal = z.strictObject({
  ...place,
  code: text,
  rule: text,
  approvalId: text,
  policies: z.array(z.string()),
  by: text,
});

const effect = z.strictObject({
  index: z.int(),
  effect: text,
  version: text,
  sentence: text,
  params: z.json(),
  paramsDigest: text,
  before: snapshot,
  beforeDigest: text,
  expected: snapshot,
  key: text,
  approvals: z.array(approval),
  operations: z.array(operation),
  refusals: z.array(refusal).describe("Attempts that came to nothing before anything was begun"),
});

const evidence = z.strictObject({
  contextDigest: text,
  proposalDigest: text,
  loopDigest: text,
  items: z
    .array(
      z.strictObject({
        id: z.string(),
        kind: z.enum(["passage", "record", "fact", "memory"]),
        title: z.string(),
        version: text,
        readAt: ms.nullable(),
      }),
    )
    .nullable(),
});

/** The causal chain of one decision. */
export const explanationReply = z
  .strictObject({
    version: z.literal(1),
    sight: z.enum(["requester", "reviewer", "auditor"]),
    decision: decisionReply,
    asked: z.strictObject({ by: z.string(), onBehalfOf: text, roles: z.array(z.string()), inputsHash: text }),
    versions: z.strictObject({
      capability: text,
      model: text,
      prompt: text,
      policy: text,
      calibration: text,
      tools: text,
      index: text,
    }),
    evidence,
    environment: text,
    spent: z.strictObject({ inputTokens: z.int(), outputTokens: z.int(), costMicros: z.int(), sends: z.int() }),
    effects: z.array(effect),
    related: z.array(
      z.strictObject({
        how: z.enum(["follows", "supersedes", "followed_by", "superseded_by", "undone_by"]),
        decisionId: z.string(),
      }),
    ),
    entries: z.array(entryReply),
  })
  .register(components, {
    id: "Explanation",
    description: "Who asked, what decided, who allowed it, what was sent and what was seen",
  }) satisfies z.ZodType<Explanation>;
