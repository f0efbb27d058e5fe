import type { ErrorCode } from "../contract/errors.ts";
import type { PolicyRuling } from "../contract/principal.ts";

/** Why an approval licenses nothing: a code of the closed list, the rule, and a sentence for people. */
export interface Refusal {
  readonly kind: "refused";
  readonly code: ErrorCode;
  readonly rule: string;
  readonly reason: string;
  /** The policies that decided it, where policy did. */
  readonly policies?: readonly string[];
}

/** Makes a refusal of a no that policy gave. */
export function refusalByPolicy(
  code: ErrorCode,
  { rule, reason, policies }: PolicyRuling & { readonly kind: "refused" },
): Refusal {
  return { kind: "refused", code, rule, reason, policies };
}

/** Makes a refusal; the reason holds no personal data, since it stands in an entry. */
export function refusal(code: ErrorCode, rule: string, reason: string): Refusal {
  return { kind: "refused", code, rule, reason };
}
