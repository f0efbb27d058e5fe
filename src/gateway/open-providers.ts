import type { Provider, ProviderSource } from "../contract/model.ts";
import type { Vault } from "../contract/ports.ts";

/**
 * Opens what a project's `decide.ts` lists: a source gets its key from the vault, a provider that is open already stays as it is.
 * Throws `secret_missing` for a key that this process does not have, and what a source's `open` throws.
 */
export function openProviders(listed: readonly (Provider | ProviderSource)[], vault: Vault): readonly Provider[] {
  return listed.map((one) => (isSource(one) ? one.open(one.secret === null ? null : vault.secret(one.secret)) : one));
}

function isSource(one: Provider | ProviderSource): one is ProviderSource {
  return "open" in one;
}
