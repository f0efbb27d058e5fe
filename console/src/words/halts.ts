import type { HaltView } from "../../../src/contract/views.ts";
import { plainName } from "./plain.ts";

/** What a stop is about: an effect, a capability, or all of the tenant. */
export function haltWords({ scope, name }: Pick<HaltView, "scope" | "name">): string {
  return scope === "tenant" ? "Everything" : plainName(name);
}
