import { createHmac, hash } from "node:crypto";
import { z } from "zod";
import type { ChainHead } from "../../contract/ports.ts";
import { unreadable } from "../../store/backup/frames.ts";
import { type PublicKeys, type SigningKey, signedUnder, signText } from "../../store/signature.ts";

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const headForm = z.strictObject({ tenant: z.string(), seq: z.int().positive(), hash: hex });
const tableForm = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: hex,
});

const manifestForm = z.strictObject({
  /** Milliseconds since the epoch, by the clock of whoever made it. */
  madeAt: z.int().nonnegative(),
  /** The migrations that the database had, in order. */
  migrations: z.array(z.string()),
  /** In the order in which they stand in the file. */
  tables: z.array(tableForm),
  tenants: z.array(z.string()),
  /** The last seal of every tenant that has one. */
  heads: z.array(headForm),
  /** Says whether a payload key is the one, and nothing else of it. */
  payloadKeyCheck: hex,
  /** The installation's keys and vault, encrypted under a passphrase; `null` where they were not asked for. */
  keys: z.string().nullable(),
});

/** What a backup holds: what each table must give, and where each ledger ended. */
export type Manifest = z.infer<typeof manifestForm>;

/** A manifest as it was read, with what its signature says. */
export interface SignedManifest {
  readonly manifest: Manifest;
  /** SHA-256 over the manifest's text, in hex: names this backup. */
  readonly digest: string;
  readonly keyId: string;
  readonly isSignedUnder: (keys: PublicKeys) => boolean;
}

const signedForm = z.strictObject({ text: z.string(), keyId: z.string(), signature: z.string() });
const label = "countersign backup manifest v1\n";

/** The bytes of a signed manifest. */
export function manifestBytes(manifest: Manifest, key: SigningKey): Buffer {
  const text = JSON.stringify(manifest);
  return Buffer.from(JSON.stringify({ text, keyId: key.keyId, signature: signText(key, label + text) }));
}

/** Reads a signed manifest. Throws `backup_unreadable` where it is none; whether to believe it is for whoever has the key. */
export function readManifest(bytes: Buffer): SignedManifest {
  const signed = signedForm.safeParse(parsed(bytes.toString("utf8")));
  const manifest = manifestForm.safeParse(signed.success ? parsed(signed.data.text) : null);
  if (!signed.success || !manifest.success) throw unreadable("its manifest has not the form of one", manifest.error);
  const { text, keyId, signature } = signed.data;
  return {
    manifest: manifest.data,
    digest: hash("sha256", text, "hex"),
    keyId,
    isSignedUnder: (keys) => signedUnder(keys)({ text: label + text, keyId, signature }),
  };
}

/** What a manifest says of the payload key. */
export function payloadKeyCheck(payloadKey: Buffer): string {
  return createHmac("sha256", payloadKey).update("countersign backup payload key v1").digest("hex");
}

/** Where a tenant's ledger ended; `null` where it had no seal. */
export function headIn(manifest: Manifest, tenant: string): ChainHead | null {
  return manifest.heads.find((one) => one.tenant === tenant) ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
