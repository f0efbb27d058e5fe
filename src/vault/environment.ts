// Names to secrets, for one process, from its section of the vault file and from its environment. A name of another side is not known
// here, whatever the environment holds; no value of it may ever stand in an error, a log or a printed object.
import { CountersignError } from "../contract/errors.ts";
import type { Vault } from "../contract/ports.ts";
import { type DeclaredSecrets, isName, ownNames, purposesOf, refuseSharedNames, type VaultSide } from "./names.ts";
import type { SecretValues } from "./section.ts";

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the vault of one side: it resolves that side's own settings, and of the declared names `reads` and `models` (deciding) or
 * `writes` and `observes` (acting). What is `kept` of them in a vault file comes first, then the environment. Values are read once,
 * here. Throws `configuration_invalid` for names that are refused by `refuseSharedNames`; `secret` throws `secret_missing` for a name
 * that is unknown here or has no value.
 */
export function environmentVault({
  side,
  env,
  declared = {},
  kept = null,
}: {
  side: VaultSide;
  env: Environment;
  declared?: Partial<DeclaredSecrets> | undefined;
  kept?: SecretValues | null;
}): Vault {
  const names = { reads: [], models: [], writes: [], observes: [], ...declared };
  refuseSharedNames(names);
  const open = [...ownNames[side], ...purposesOf[side].flatMap((purpose) => names[purpose])];
  const values = new Map(open.map((name) => [name, kept?.get(name) ?? read(env, name)]));
  const known = new Set([...Object.values(env), ...(kept?.values() ?? [])]);
  return Object.freeze({
    secret: (name: string): string => {
      const value = values.get(name);
      if (value !== undefined && value !== "") return value;
      // Whoever passes a value where a name belongs is not told it back.
      const shown = isName(name) && !known.has(name) ? name : null;
      throw values.has(name) ? withoutValue({ side, name, hasFile: kept !== null }) : unknownName(side, shown);
    },
  });
}

function read(env: Environment, name: string): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value?.trim() ?? "";
}

function withoutValue({ side, name, hasFile }: { side: VaultSide; name: string; hasFile: boolean }): CountersignError {
  const message = hasFile
    ? `\`${name}\` is neither in the vault file nor in the environment; set it for the ${side} process`
    : `the variable \`${name}\` is not set or is empty; set it for the ${side} process`;
  return new CountersignError("secret_missing", message, { facts: { name, side } });
}

function unknownName(side: VaultSide, name: string | null): CountersignError {
  const what = name === null ? "what was asked for is no name that" : `\`${name}\` is not a name that`;
  return new CountersignError("secret_missing", `${what} the ${side} process may resolve; declare it by its name on that side`, {
    facts: { name, side },
  });
}
