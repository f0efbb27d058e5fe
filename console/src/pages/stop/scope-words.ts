import type { HaltScope } from "../../../../src/contract/words.ts";

const kinds: Readonly<Record<Exclude<HaltScope, "tenant">, string>> = { effect: "The effect", capability: "The capability" };

/** What a stop is about, with the kind of it and the name as it is declared. */
export function scopeWords({ scope, name }: { readonly scope: HaltScope; readonly name?: string }): string {
  return scope === "tenant" ? "Everything" : `${kinds[scope]} ${name ?? ""}`;
}
