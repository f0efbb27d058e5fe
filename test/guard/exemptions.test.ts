import { describe, expect, it } from "vitest";
import { isCountersignError } from "../../src/contract/errors.ts";
import { type Exemption, readExemptions, readGrant, refuseUnsigned } from "../../src/guard/privacy/exemptions.ts";
import { readPublicKeys, signedUnder } from "../../src/store/signature.ts";
import { newSigningKey, signedOff } from "../setup/privacy.ts";

const provider = { name: "local", host: "127.0.0.1:11434" };

/** The sentence of the refusal; `null` where the start is let go on. */
function refusal(
  signed: Partial<Parameters<typeof refuseUnsigned>[0]> & { change?: Partial<Exemption>; keys?: readonly string[] } = {},
) {
  const files = signedOff({ project: "shop", provider });
  const { version, exemptions } = readExemptions(files.exemptions);
  const changed = { version, exemptions: exemptions.map((one) => ({ ...one, ...signed.change })) };
  try {
    const isSigned = signedUnder(readPublicKeys(signed.keys ?? files.publicKeys));
    refuseUnsigned({ project: "shop", providers: [provider], exemptions: changed, isSigned, ...signed });
    return null;
  } catch (thrown) {
    if (!isCountersignError(thrown, "boundary_unsigned")) throw thrown;
    return thrown.message;
  }
}

describe("a provider that is sent text as it is", () => {
  it("is let go on where a person has signed a reason for it, for this project and this host", () => {
    expect(refusal()).toBeNull();
  });

  it.each<[string, Parameters<typeof refusal>[0], RegExp]>([
    ["nobody signed anything", { exemptions: readExemptions(null) }, /holds no reason for it/],
    ["another provider has one", { providers: [{ ...provider, name: "other" }] }, /`other` says .* holds no reason/],
    ["it is at another host by now", { providers: [{ ...provider, host: "api.example" }] }, /for another host/],
    ["it names no host any more", { providers: [{ name: "local" }] }, /for another host/],
    ["it was signed for another project", { project: "bank" }, /no signature/],
    ["the reason was changed", { change: { reason: "because it is quicker like this" } }, /no signature/],
    ["the name was changed", { change: { by: "Bea Lund" } }, /no signature/],
    ["the time was changed", { change: { at: "2026-03-03T09:00:00.000Z" } }, /no signature/],
    ["the signature is none", { change: { signature: "AAAA" } }, /no signature/],
    ["it was signed under a key that nobody believes", { keys: [newSigningKey().open] }, /no signature/],
    ["no key is believed", { keys: [] }, /COUNTERSIGN_PRIVACY_PUBLIC_KEYS/],
  ])("is refused where %s", (_what, signed, sentence) => {
    expect(refusal(signed)).toMatch(sentence);
    expect(refusal(signed)).toContain("countersign privacy allow-off");
  });

  it("is refused where only the first of two has a reason", () => {
    expect(refusal({ providers: [provider, { name: "second", host: "api.example" }] })).toMatch(/`second`/);
  });
});

describe("the file of exemptions", () => {
  it.each([
    ["no object", 7, "/"],
    ["another version", { version: 2, exemptions: [] }, "/version"],
    ["a key too many", { version: 1, exemptions: [], more: true }, "/"],
    ["a reason that says nothing", { version: 1, exemptions: [{ provider: "local", reason: "ok" }] }, "/exemptions/0/"],
  ])("is refused as %s, with the place and nothing that stands there", (_what, json, place) => {
    expect(() => readExemptions(json)).toThrow(expect.objectContaining({ code: "definition_invalid" }));
    expect(() => readExemptions(json)).toThrow(`cannot be read at \`${place}`);
  });

  it("takes no reason that is hardly one", () => {
    const grant = { provider: "local", host: null, by: "Ada Moll", at: "2026-03-02T09:00:00.000Z" };
    expect(() => readGrant({ ...grant, reason: "  because  " })).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(readGrant({ ...grant, reason: " it runs in the same room " }).reason).toBe("it runs in the same room");
  });
});
