import { canonicalJson } from "../contract/json.ts";
import { sha256Digest } from "../store/digest.ts";
import type { SetCase } from "./case-file.ts";

/** SHA-256 over the canonical form of the cases with their capabilities, in hex; the order of files and cases does not matter. */
export function setDigest(cases: readonly SetCase[]): string {
  const sorted = [...cases].sort((a, b) => (a.one.id < b.one.id ? -1 : 1));
  return sha256Digest.sha256(canonicalJson(sorted.map(({ capability, one }) => ({ capability, one }))));
}

/** SHA-256 over one case with its capability, in hex: two runs are compared over cases that are the same. */
export function caseDigest({ capability, one }: SetCase): string {
  return sha256Digest.sha256(canonicalJson({ capability, one }));
}
