import type { HiddenValues, Vault } from "../../contract/ports.ts";

type Open = HiddenValues & { readonly close: () => Promise<void> };

/** Opens the source of values that nobody is shown; without one there are none. */
export async function openHiddenValues(
  source: { readonly connector: { readonly secret: string }; readonly open: (secret: string) => Promise<Open> | Open } | null,
  vault: Vault,
): Promise<Open> {
  if (source === null) return { findHidden: async () => [], close: async () => {} };
  return source.open(vault.secret(source.connector.secret));
}
