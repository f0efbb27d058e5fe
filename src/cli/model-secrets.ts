import { resolve } from "node:path";
import { isCountersignError } from "../contract/errors.ts";
import type { DecidingParts } from "../define/deciding.ts";
import type { SecretsByName } from "../define/sandbox.ts";
import { openVault } from "../vault/open-vault.ts";
import { decidingSecrets } from "./deciding-secrets.ts";
import { loadEntry } from "./load.ts";
import { vaultVariables } from "./vault-place.ts";

/**
 * The keys of a project's models, from the installation's vault file or the environment, and no other secret: what else a scratch
 * installation needs is its sandbox's. One that is nowhere is left out, and the decider says so.
 */
export async function modelSecrets({ project, directory }: { project: string; directory: string }): Promise<SecretsByName> {
  const names = decidingSecrets(await loadEntry<DecidingParts>(project, "decide")).models;
  if (names.length === 0) return {};
  const { deciding = {} } = await vaultVariables(resolve(directory));
  const vault = await openVault({ side: "deciding", env: { ...process.env, ...deciding }, declared: { models: names } });
  return Object.fromEntries(
    names.flatMap((name) => {
      try {
        return [[name, vault.secret(name)]];
      } catch (thrown) {
        if (isCountersignError(thrown, "secret_missing")) return [];
        throw thrown;
      }
    }),
  );
}
