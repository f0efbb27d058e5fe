import { CountersignError } from "./errors.ts";
import type { PolicyRuling, Principal } from "./principal.ts";

/** Lets a principal through, or throws `forbidden` with the rule. */
export type Door = (principal: Principal) => void;

/** Makes a door of a question to policy. */
export function doorOf(ask: (principal: Principal) => PolicyRuling): Door {
  return (principal) => {
    const ruling = ask(principal);
    if (ruling.kind === "refused") throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
  };
}
