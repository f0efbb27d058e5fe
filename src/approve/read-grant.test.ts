import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Grant } from "../contract/approval.ts";
import { canonicalJson } from "../contract/json.ts";
import { publicKeysOf, readSigningKey, signText } from "../store/signature.ts";
import { readGrant } from "./read-grant.ts";

const newKey = () =>
  readSigningKey(generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"));
const desk = newKey();
const policyKey = newKey();
const keys = { person: publicKeysOf(desk), policy: publicKeysOf(policyKey) };
const digest = "a".repeat(64);
const grant: Grant = {
  version: 1,
  id: "01900000-0000-7000-8000-000000000001",
  tenant: "acme",
  environment: "demo",
  subject: {
    kind: "effect",
    decisionId: "01900000-0000-7000-8000-000000000002",
    effectIndex: 0,
    effect: "add",
    capability: "adding",
    capabilityVersion: "1",
    proposalDigest: digest,
    paramsDigest: digest,
    beforeDigest: digest,
  },
  approver: { kind: "person", id: "ada", role: "approver", assertion: null },
  grantedAt: 1,
  expiresAt: 2,
  nonce: "0123456789abcdef",
  keyId: desk.keyId,
};
const read = (body: string, key = desk) => {
  const result = readGrant({ body, signature: signText(key, body), keys });
  return result.kind === "refused" ? result.rule : result.kind;
};

describe("readGrant", () => {
  it("survives a round trip through JSON", () => {
    const body = canonicalJson(JSON.parse(JSON.stringify(grant)));
    expect(readGrant({ body, signature: signText(desk, body), keys })).toEqual({ kind: "grant", grant });
  });

  it.each([
    ["a foreign key that names itself", canonicalJson({ ...grant, keyId: newKey().keyId }), desk, "key_pinned"],
    ["a foreign key under a pinned name", canonicalJson(grant), newKey(), "signature"],
    ["the policy's key for a person", canonicalJson({ ...grant, keyId: policyKey.keyId }), policyKey, "key_pinned"],
    [
      "the desk's key for policy",
      canonicalJson({ ...grant, approver: { ...grant.approver, kind: "policy" } }),
      desk,
      "key_pinned",
    ],
    ["another order of fields", JSON.stringify(grant), desk, "grant_canonical"],
    ["spaces", JSON.stringify(JSON.parse(canonicalJson(grant)), null, 1), desk, "grant_canonical"],
    ["a repeated field", canonicalJson(grant).replace("{", '{"expiresAt":9,'), desk, "grant_canonical"],
    ["an added field", canonicalJson({ ...grant, force: true }), desk, "grant_form"],
    ["a missing field", canonicalJson({ ...grant, nonce: undefined }), desk, "grant_form"],
    ["another version", canonicalJson({ ...grant, version: 2 }), desk, "grant_form"],
    ["no JSON", "{", desk, "grant_form"],
    ["a text of 20,000 characters", JSON.stringify("x".repeat(20_000)), desk, "grant_form"],
  ] as const)("refuses %s", (_what, body, key, rule) => {
    expect(read(body, key)).toBe(rule);
  });

  it("refuses a signature over another text", () => {
    const body = canonicalJson({ ...grant, expiresAt: 99 });
    expect(readGrant({ body, signature: signText(desk, canonicalJson(grant)), keys })).toMatchObject({ rule: "signature" });
  });
});
