import { z } from "zod";
import type { CheckpointView, InclusionProof, LedgerEntryView, LedgerLine, LedgerState } from "../../contract/ledger-view.ts";
import { entryKinds, writerRoles } from "../../contract/words.ts";
import { components } from "./components.ts";
import { ms } from "./decision-replies.ts";

const text = z.string().nullable();
const hex = z.string().describe("SHA-256, in hex");

const checkpoint = z.strictObject({
  ...{ origin: z.string(), size: z.int(), at: ms, keyId: z.string() },
  witness: z.enum(["taken", "refused", "none"]).describe("Whether a witness outside took it"),
  uncovered: z.int().describe("Entries after it"),
});

/** Whether the ledger holds. */
export const ledgerReply = z
  .strictObject({
    ...{ head: z.int(), headHash: hex.nullable(), state: z.enum(["verified", "checking", "unverified", "tampered"]) },
    ...{ verifiedTo: z.int(), verifiedAt: ms.nullable(), begunAt: ms.nullable() },
    unsealed: z.strictObject({ count: z.int(), isOver: z.boolean(), oldestMs: z.int().nullable() }),
    break: z
      .strictObject({ seq: z.int().nullable(), entryId: text, fault: z.string(), detail: z.string(), foundAt: ms })
      .nullable(),
    checkpoint: checkpoint.nullable(),
  })
  .register(components, {
    id: "Ledger",
    description: "Whether the tenant's ledger holds, by the check that goes on in the acting half",
  }) satisfies z.ZodType<LedgerState>;

const line = z.strictObject({
  ...{ id: z.string(), seq: z.int().nullable(), kind: z.enum(entryKinds), ts: ms, sealedAt: ms.nullable() },
  ...{ writer: z.enum([...writerRoles, "owner"]), decisionId: text, capability: text },
  word: text.describe("A route, a verdict, a code: what says more than the kind"),
  ...{ what: text, effectIndex: z.int().nullable(), hash: hex },
});

/** One entry of a list. */
export const ledgerLineReply = line.register(components, {
  id: "LedgerLine",
  description: "One entry with its place in the chain",
}) satisfies z.ZodType<LedgerLine>;

/** One entry. */
export const ledgerEntryReply = z
  .strictObject({
    ...line.shape,
    ...{ cause: text, bytes: z.string().describe("The canonical bytes that are hashed"), body: z.json() },
    payload: z.record(z.string(), z.json()).nullable(),
    payloadState: z.enum(["none", "kept", "erased", "unreadable"]),
    ...{ sealHash: hex.nullable(), prevHash: hex.nullable() },
  })
  .register(components, {
    id: "LedgerEntry",
    description: "One entry with its bytes, its seal and what of its payload the caller may see",
  }) satisfies z.ZodType<LedgerEntryView>;

/** The newest checkpoint. */
export const checkpointReply = z
  .strictObject({ ...checkpoint.shape, text: z.string(), noteKey: z.string() })
  .register(components, {
    id: "Checkpoint",
    description: "The newest signed checkpoint, in the form of C2SP tlog-checkpoint, with the key that checks it",
  }) satisfies z.ZodType<CheckpointView>;

/** A proof that an entry stands in it. */
export const proofReply = z
  .strictObject({
    ...{ kind: z.literal("inclusion"), v: z.literal(1), tenant: z.string(), entryId: z.string(), body: z.string() },
    ...{ index: z.int(), hashes: z.array(z.string()), checkpoint: z.string() },
  })
  .register(components, {
    id: "InclusionProof",
    description: "That an entry stands in the tree of the newest checkpoint, as the stand-alone verifiers read it",
  }) satisfies z.ZodType<InclusionProof>;
