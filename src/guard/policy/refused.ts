import type { Ruling } from "../../contract/principal.ts";

/** A no with the rule's name and a sentence for people. */
export function refused(rule: string, reason: string): Ruling {
  return { kind: "refused", rule, reason };
}
