import type { Guard } from "./guard.ts";
import { folded, shown } from "./shown.ts";

/** Forms of credentials that nobody writes by chance. */
const credentialPatterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)[-_][A-Za-z0-9_-]{16,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{1,100}@/i,
];

/** Secrets and canaries: an output that holds one is blocked whole. */
export const secretsGuard: Guard = {
  name: "secrets",
  rule: ({ texts, folds, deps }) => {
    const said = folds.join("\n");
    if (deps.canaries.map(folded).some((canary) => canary !== "" && said.includes(canary)))
      return { kind: "block", reason: "the output holds a canary" };
    // As written and as a reader sees it: an invisible character may stand within a credential, or before it.
    const forms = [texts.join("\n"), texts.map(shown).join("\n")];
    if (credentialPatterns.some((pattern) => forms.some((form) => pattern.test(form))))
      return { kind: "block", reason: "the output holds something shaped like a credential" };
    return { kind: "pass" };
  },
};
