import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSignedBy, publicKeysOf, readPublicKeys, readSigningKey, signText } from "./signature.ts";

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
};

describe("signatures", () => {
  const { secret, open } = pair();
  const key = readSigningKey(secret);
  const keys = readPublicKeys([open]);
  const signature = signText(key, "text");
  const publicKey = keys.get(key.keyId);
  if (publicKey === undefined) throw new Error("the fingerprint of both halves is the same");

  it("are good for the exact text and key", () => {
    expect(isSignedBy(publicKey, { text: "text", signature })).toBe(true);
    expect([...publicKeysOf(key).keys()]).toEqual([...keys.keys()]);
  });

  it("are not for another text, another key or another spelling", () => {
    const [other] = readPublicKeys([pair().open]).values();
    expect(isSignedBy(publicKey, { text: "text ", signature })).toBe(false);
    expect(other && isSignedBy(other, { text: "text", signature })).toBe(false);
    for (const spelling of [
      `${signature}=`,
      ` ${signature}`,
      signature.slice(1),
      "",
      Buffer.from(signature, "base64url").toString("hex"),
    ]) {
      expect(isSignedBy(publicKey, { text: "text", signature: spelling })).toBe(false);
    }
  });

  it("never show what a bad key was", () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const foreign = rsa.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
    for (const bad of ["", "secret-text", open, foreign]) {
      expect(() => readSigningKey(bad)).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
      expect(() => readSigningKey(bad)).not.toThrow(/secret-text/);
    }
  });
});
