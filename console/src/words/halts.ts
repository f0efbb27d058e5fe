import type { HaltScope } from "../../../src/contract/words.ts";

const kinds: Readonly<Record<Exclude<HaltScope, "tenant">, string>> = { effect: "The effect", capability: "The capability" };

/** What a stop is about, with the kind of it and the name as it is declared: an effect, a capability, or all of the tenant. */
export function haltWords({ scope, name }: { readonly scope: HaltScope; readonly name?: string }): string {
  return scope === "tenant" ? "Everything" : `${kinds[scope]} ${name ?? ""}`;
}

/** Who stopped it: a person, or the worker that found the ledger not to hold. */
export function stoppedBy(by: string, nameOf: (id: string) => string): string {
  return by === "ledger-check" ? "the check of the ledger" : nameOf(by);
}
