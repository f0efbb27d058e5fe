import { generateKeyPairSync } from "node:crypto";
import type { PrivacyFiles } from "../../src/contract/privacy.ts";
import { exemptionText, type Grant, type Unbounded } from "../../src/guard/privacy/exemptions.ts";
import { readSigningKey, signText } from "../../src/store/signature.ts";

/** A new signing key: what signs, and what verifies. */
export function newSigningKey(): { readonly secret: string; readonly open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}

/** What a project's folder holds where a person has signed that a provider is sent text as it is; `said` is what was signed otherwise. */
export function signedOff(
  { project, provider: { name, host = null } }: { project: string; provider: Unbounded },
  said: Partial<Grant> = {},
): PrivacyFiles {
  const pair = newSigningKey();
  const key = readSigningKey(pair.secret);
  const reason = "a test speaks to a server of its own on this machine";
  const grant: Grant = { provider: name, host, reason, by: "Ada Moll", at: "2026-03-02T09:00:00.000Z", ...said };
  const signature = signText(key, exemptionText(project, grant));
  const exemptions = { version: 1, exemptions: [{ ...grant, keyId: key.keyId, signature }] };
  return { policy: null, exemptions, publicKeys: [pair.open], dictionaries: new Map() };
}
