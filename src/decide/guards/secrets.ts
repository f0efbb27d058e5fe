import type { Guard } from "./guard.ts";

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
  rule: async ({ texts, deps }) => {
    const said = texts.join("\n");
    const folded = said.toLowerCase();
    if (deps.canaries.some((canary) => canary !== "" && folded.includes(canary.toLowerCase())))
      return { kind: "block", reason: "the output holds a canary" };
    if (credentialPatterns.some((pattern) => pattern.test(said)))
      return { kind: "block", reason: "the output holds something shaped like a credential" };
    return { kind: "pass" };
  },
};
