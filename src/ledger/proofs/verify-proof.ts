import { hash } from "node:crypto";
import { believedCheckpoint } from "./believed-checkpoints.ts";
import { isConsistent, isIncluded } from "./check-proof.ts";
import { type ConsistencyBundle, type InclusionBundle, readLine } from "./export-form.ts";
import { type ExportFinding, finding, type ProofVerified } from "./finding.ts";
import { readBody } from "./read-body.ts";
import type { NoteKey } from "./signed-note.ts";

/** Checks a proof, as `ledger prove` and `ledger consistency` write it, against the keys that are trusted. `text` is the whole file. */
export function verifyProof(text: string, keys: readonly NoteKey[]): ProofVerified | ExportFinding {
  const bundle = text.endsWith("\n") ? readLine(text.slice(0, -1)) : "line_unreadable";
  if (typeof bundle === "string") {
    const detail = bundle === "line_altered" ? "line 1 is not written as an export writes it" : "line 1 is not one of an export";
    return finding(bundle, { line: 1, detail });
  }
  if (bundle.kind === "inclusion") return checkInclusion(bundle, keys);
  if (bundle.kind === "consistency") return checkConsistency(bundle, keys);
  return finding("line_unreadable", { line: 1, detail: "line 1 is not a proof" });
}

function checkInclusion(bundle: InclusionBundle, keys: readonly NoteKey[]): ProofVerified | ExportFinding {
  const { tenant, entryId, body, index, hashes } = bundle;
  const at = { tenant, seq: index + 1, entryId };
  const checkpoint = believedCheckpoint({ text: bundle.checkpoint, line: null }, { keys, origin: null, tenant });
  if ("isVerified" in checkpoint) return checkpoint;
  if (!checkpoint.origin.endsWith(`/${tenant}`))
    return finding("checkpoint_foreign", { tenant, detail: "a checkpoint that was given: it is of another ledger" });
  const head = readBody(body);
  if (head === null) return finding("entry_altered", { ...at, detail: "the bytes are not canonical JSON" });
  if (head.id !== entryId || head.tenant !== tenant)
    return finding("entry_replaced", { ...at, detail: "the bytes are those of another entry or tenant" });
  const leaf = hash("sha256", body, "buffer");
  const { size, root } = checkpoint;
  if (!isIncluded({ leaf, index, size, root, hashes: hashes.map(fromHex) }))
    return finding("proof_invalid", { ...at, detail: "the hashes do not lead from the entry to the checkpoint" });
  return { isVerified: true, kind: "inclusion", tenant, seq: index + 1, entryId, size };
}

function checkConsistency(bundle: ConsistencyBundle, keys: readonly NoteKey[]): ProofVerified | ExportFinding {
  const from = believedCheckpoint({ text: bundle.from, line: null }, { keys, origin: null, tenant: null });
  if ("isVerified" in from) return from;
  const to = believedCheckpoint({ text: bundle.to, line: null }, { keys, origin: from.origin, tenant: null });
  if ("isVerified" in to) return to;
  if (!isConsistent({ from, to, hashes: bundle.hashes.map(fromHex) }))
    return finding("proof_invalid", { detail: `the hashes do not lead from the tree of ${from.size} to the tree of ${to.size}` });
  return { isVerified: true, kind: "consistency", origin: from.origin, from: from.size, to: to.size };
}

function fromHex(text: string): Buffer {
  return Buffer.from(text, "hex");
}
