import { createHmac, createSecretKey, hash, randomBytes } from "node:crypto";
import { canonicalJson } from "../contract/json.ts";
import type { StandInKey } from "../contract/ports.ts";
import type { Finding, KnownData, PrivacyFiles, Recogniser } from "../contract/privacy.ts";
import { findStructured } from "../guard/privacy/detect/find-structured.ts";
import { compileTerms, type TermMatcher } from "../guard/privacy/detect/terms.ts";
import { readPrivacyPolicy } from "../guard/privacy/policy.ts";
import type { PrivacyParts } from "./boundary.ts";

/**
 * Puts the boundary's parts together from what a project says of privacy. Throws `definition_invalid` for a policy that cannot be used: a
 * rule that cannot be read protects nobody.
 */
export function openPrivacyParts({
  files: { policy: json, dictionaries },
  recogniser,
}: {
  files: Pick<PrivacyFiles, "policy" | "dictionaries">;
  recogniser: Recogniser | null;
}): PrivacyParts {
  const policy = readPrivacyPolicy(json);
  // A dictionary is made ready once; what one request is known to be about is made ready for it.
  const matchers = new Map([...dictionaries].map(([tenant, values]) => [tenant, compileTerms(values)]));
  return {
    policy,
    policyDigest: hash("sha256", canonicalJson(policy), "hex"),
    recogniser,
    newKey: newStandInKey,
    structured: (known) => finderOf(known, matchers),
  };
}

function finderOf(known: KnownData | null, matchers: ReadonlyMap<string, TermMatcher>): (text: string) => readonly Finding[] {
  if (known === null) return (text) => findStructured(text);
  const ofTenant = matchers.get(known.tenant);
  const own = known.values.length === 0 ? undefined : compileTerms(known.values);
  const all = [ofTenant, own].filter((matcher) => matcher !== undefined);
  if (all.length === 0) return (text) => findStructured(text);
  const terms: TermMatcher = (folded) => all.flatMap((matcher) => matcher(folded));
  return (text) => findStructured(text, { terms });
}

/** A key of 32 fresh random bytes, which stand in this closure and nowhere else. */
function newStandInKey(): StandInKey {
  // As a key object: of bytes one would be made again for each stand-in, which takes most of the time.
  const key = createSecretKey(randomBytes(32));
  return { mac: (text) => createHmac("sha256", key).update(text).digest() };
}
