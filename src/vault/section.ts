import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { z } from "zod";
import type { SecretPurpose, VaultSide } from "./names.ts";
import { keyIdOf, sealingKeyOf } from "./vault-key.ts";

/** One side's part of a vault file: names in clear, values sealed. */
export interface Section {
  readonly keyId: string;
  /** What each name is for. Bound to the values: a name that is moved or renamed does not open. */
  readonly names: Readonly<Record<string, SecretPurpose>>;
  /** Nonce, cipher text and tag, base64. */
  readonly sealed: string;
}

/** The values of a section, by name. */
export type SecretValues = ReadonlyMap<string, string>;

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
/** Goes into what is authenticated, so that a section of another form never opens as this one. */
const formVersion = 1;
const valuesForm = z.array(z.tuple([z.string(), z.string()]));

/** Seals the values of one side under its key, with a new nonce each time. */
export function sealSection({
  side,
  names,
  values,
  key,
}: {
  side: VaultSide;
  names: Section["names"];
  values: SecretValues;
  key: KeyObject;
}): Section {
  const head = { keyId: keyIdOf(key), names: sorted(names) };
  const nonce = randomBytes(nonceBytes);
  const seal = createCipheriv(cipher, sealingKeyOf(key), nonce, { authTagLength: tagBytes });
  seal.setAAD(boundTo(side, head));
  const text = seal.update(JSON.stringify([...values]), "utf8");
  return { ...head, sealed: Buffer.concat([nonce, text, seal.final(), seal.getAuthTag()]).toString("base64") };
}

/** Opens a section; `null` where key, side, names or values are not those that were sealed. */
export function openSection({ side, section, key }: { side: VaultSide; section: Section; key: KeyObject }): SecretValues | null {
  const bytes = Buffer.from(section.sealed, "base64");
  if (bytes.length < nonceBytes + tagBytes || bytes.toString("base64") !== section.sealed) return null;
  const open = createDecipheriv(cipher, sealingKeyOf(key), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  open.setAAD(boundTo(side, section));
  open.setAuthTag(bytes.subarray(-tagBytes));
  const text = open.update(bytes.subarray(nonceBytes, -tagBytes));
  try {
    return new Map(valuesForm.parse(JSON.parse(Buffer.concat([text, open.final()]).toString("utf8"))));
  } catch {
    // What the parser or the cipher would say could quote what stands in there.
    return null;
  }
}

/** What the seal covers beside the values. */
function boundTo(side: VaultSide, { keyId, names }: Omit<Section, "sealed">): Buffer {
  return Buffer.from(JSON.stringify(["countersign-vault", formVersion, side, keyId, Object.entries(sorted(names))]));
}

function sorted(names: Section["names"]): Section["names"] {
  return Object.fromEntries(Object.entries(names).sort(([one], [other]) => (one < other ? -1 : 1)));
}
