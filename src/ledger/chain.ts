import { hash } from "node:crypto";

/** One link of a tenant's chain: the place of an entry, the hash of the link before it, the hash of the entry's bytes. */
export interface Link {
  readonly tenant: string;
  readonly seq: number;
  readonly entryId: string;
  readonly prevHash: Buffer;
  readonly entryHash: Buffer;
}

/** What the first link of a chain continues. */
export const genesisHash: Buffer = Buffer.alloc(32);

const label = Buffer.from("countersign seal v1\n");

/**
 * The hash of a link, which the next one continues: SHA-256 over a fixed layout, so that anyone can compute it.
 *
 * | bytes | content |
 * |---|---|
 * | 20 | `countersign seal v1` and a newline, ASCII |
 * | 2 | length of the tenant's id, unsigned, big-endian |
 * | that many | the tenant's id, UTF-8 |
 * | 8 | seq, unsigned, big-endian |
 * | 16 | the entry's id (UUID) |
 * | 32 | the previous link's hash; zeros for seq 1 |
 * | 32 | the entry's hash: SHA-256 over its canonical bytes |
 */
export function linkHash({ tenant, seq, entryId, prevHash, entryHash }: Link): Buffer {
  const name = Buffer.from(tenant);
  const bytes = Buffer.allocUnsafe(label.length + 2 + name.length + 8 + 16 + 32 + 32);
  let at = label.copy(bytes);
  at = bytes.writeUInt16BE(name.length, at);
  at += name.copy(bytes, at);
  at = bytes.writeBigUInt64BE(BigInt(seq), at);
  at += bytes.write(entryId.replaceAll("-", ""), at, 16, "hex");
  at += prevHash.copy(bytes, at, 0, 32);
  entryHash.copy(bytes, at, 0, 32);
  return hash("sha256", bytes, "buffer");
}
