import { generateKeyPairSync, hash } from "node:crypto";
import { canonicalJson } from "../../src/contract/json.ts";
import { genesisHash, linkHash } from "../../src/ledger/chain.ts";
import { signCheckpoint } from "../../src/ledger/proofs/checkpoint.ts";
import { type EntryLine, textOf } from "../../src/ledger/proofs/export-form.ts";
import { growTree } from "../../src/ledger/proofs/merkle.ts";
import { noteKeyText } from "../../src/ledger/proofs/signed-note.ts";
import { hashStretches, inclusionStretches } from "../../src/ledger/proofs/stretches.ts";
import { readSigningKey, type SigningKey } from "../../src/store/signature.ts";

/** An export that holds, in the parts that somebody who tampers with it has before them. */
export interface Sample {
  readonly tenant: string;
  readonly origin: string;
  readonly key: SigningKey;
  /** The key for whoever checks. */
  readonly noteKey: string;
  readonly entries: readonly EntryLine[];
  readonly checkpoints: readonly string[];
}

/** A new Ed25519 key. */
export function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  return readSigningKey(privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"));
}

/** Makes an export of `count` entries with checkpoints after each of `sizes`. */
export function makeSample({
  count,
  sizes,
  key = newKey(),
  tenant = "acme",
  word = "replace",
}: {
  count: number;
  sizes: readonly number[];
  key?: SigningKey;
  tenant?: string;
  /** Something that every entry says, so that two exports differ. */
  word?: string;
}): Sample {
  const bodies = Array.from({ length: count }, (_, i) => bodyOf({ tenant, seq: i + 1, word }));
  const entries = chained(tenant, bodies);
  const origin = `ledger.example.com/${tenant}`;
  const checkpoints = sizes.map((size) => checkpointOf({ origin, key, entries: entries.slice(0, size) }));
  return { tenant, origin, key, noteKey: noteKeyText({ name: origin, key }), entries, checkpoints };
}

/** The id of an entry of a sample. */
export function idOf(seq: number): string {
  return `01890a5d-ac96-774b-bcce-${seq.toString(16).padStart(12, "0")}`;
}

/** An entry's canonical bytes, of the members and the size (1.2 KB) that an entry of a decision has. */
export function bodyOf({ tenant, seq, word }: { tenant: string; seq: number; word: string }): string {
  const digest = (of: string) => hash("sha256", `${of} ${tenant} ${seq}`, "hex");
  return canonicalJson({
    ...{ v: 1, id: idOf(seq), tenant, kind: "decided", ts: 1_764_460_800_000 + seq, writer: "deciding", cause: null },
    ...{ decisionId: idOf(seq), capability: "replace-device", capabilityVersion: "1.0.0", environment: "demo", label: word },
    ...{ route: "hitl_recommended", rule: "below_margin", loweredBy: [], slice: "laptop", thresholdPpm: 900_000 },
    ...{ confidencePpm: 870_000, verified: true, effects: 1, inputsHash: digest("inputs"), contextDigest: digest("context") },
    ...{ model: "scripted/it-support-1", prompt: "replace-device/3", policy: "built-in/1", calibration: "starting-weights/1" },
    signals: [{ name: "verification", ppm: 1_000_000, weightPpm: 500_000 }],
    usage: { inputTokens: 900, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 60, reasoningTokens: 0, costMicros: 12 },
    commitments: { context: digest("c"), params: digest("p"), trace: digest("t"), proposal: digest("o") },
  });
}

/** Entries with their seals, as a sealer would have chained them. */
export function chained(tenant: string, bodies: readonly string[], ids = idOf): readonly EntryLine[] {
  let prevHash = genesisHash;
  return bodies.map((body, i): EntryLine => {
    const [seq, entryId, entryHash] = [i + 1, ids(i + 1), hash("sha256", body, "buffer")];
    const sealHash = linkHash({ tenant, seq, entryId, prevHash, entryHash });
    const line = { seq, entryId, prevHash: hex(prevHash), entryHash: hex(entryHash), sealHash: hex(sealHash), body };
    prevHash = sealHash;
    return { kind: "entry", ...line };
  });
}

/** A signed checkpoint over entries. */
export function checkpointOf({
  origin,
  key,
  entries,
}: {
  origin: string;
  key: SigningKey;
  entries: readonly EntryLine[];
}): string {
  const tree = growTree();
  for (const { entryHash } of entries) tree.append(Buffer.from(entryHash, "hex"));
  return signCheckpoint({ origin, size: tree.size(), root: tree.root() }, key);
}

/** The lines of an export. */
export function linesOfSample({ tenant, origin, entries, checkpoints }: Sample): readonly string[] {
  return [
    textOf({ kind: "export", tenant, origin, entries: entries.length }),
    ...checkpoints.map((text) => textOf({ kind: "checkpoint", text })),
    ...entries.map(textOf),
  ];
}

/** A proof that an entry stands in the tree of the last checkpoint. */
export function proofOf({ tenant, entries, checkpoints }: Sample, seq: number): string {
  const hasher = hashStretches(inclusionStretches({ index: seq - 1, size: entries.length }));
  for (const { entryHash } of entries) hasher.append(Buffer.from(entryHash, "hex"));
  const { entryId = "", body = "" } = entries[seq - 1] ?? {};
  const hashes = hasher.hashes().map(hex);
  return `${textOf({ kind: "inclusion", tenant, entryId, body, index: seq - 1, hashes, checkpoint: checkpoints.at(-1) ?? "" })}\n`;
}

function hex(bytes: Buffer): string {
  return bytes.toString("hex");
}
