// Names to secrets, for one process, from its environment. A name of another side is not known here, whatever the environment
// holds; no value of it may ever stand in an error, a log or a printed object.
import { CountersignError } from "../contract/errors.ts";
import type { Vault } from "../contract/ports.ts";

/** The three processes, each with a vault of its own. */
export type VaultSide = "deciding" | "desk" | "acting";

/** The names that a project's connectors and providers declare, by what the secret is for. */
export interface DeclaredSecrets {
  readonly reads: readonly string[];
  readonly models: readonly string[];
  readonly writes: readonly string[];
  readonly observes: readonly string[];
}

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens the vault of one side: it resolves that side's own settings, and of the declared names `reads` and `models` (deciding) or
 * `writes` and `observes` (acting). Values are read once, here. Throws `configuration_invalid` for names that are refused by
 * `refuseSharedNames`; `secret` throws `secret_missing` for a name that is unknown here or has no value.
 */
export function environmentVault({
  side,
  env,
  declared = {},
}: {
  side: VaultSide;
  env: Environment;
  declared?: Partial<DeclaredSecrets>;
}): Vault {
  const names = { reads: [], models: [], writes: [], observes: [], ...declared };
  refuseSharedNames(names);
  const open = [...ownNames[side], ...purposes[side].flatMap((purpose) => names[purpose])];
  const values = new Map(open.map((name) => [name, read(env, name)]));
  const known = new Set(Object.values(env));
  return Object.freeze({
    secret: (name: string): string => {
      const value = values.get(name);
      if (value !== undefined && value !== "") return value;
      // Whoever passes a value where a name belongs is not told it back.
      const shown = isName(name) && !known.has(name) ? name : null;
      throw values.has(name) ? withoutValue(side, name) : unknownName(side, shown);
    },
  });
}

/**
 * Refuses with `configuration_invalid` a name that both halves would resolve, one with which the acting half would write and observe
 * alike, one of Countersign's own, and one that cannot be the name of a variable.
 */
export function refuseSharedNames(declared: DeclaredSecrets): void {
  const { reads, models, writes, observes } = declared;
  const broken = [...reads, ...models, ...writes, ...observes].filter((name) => !isName(name));
  if (broken.length > 0)
    throw invalid(`${broken.length} declared secret names are no names of variables; use upper case, digits and \`_\``, []);
  const own = [...reads, ...models, ...writes, ...observes].filter((name) => name.startsWith(ownPrefix));
  if (own.length > 0)
    throw invalid(`a project may not declare ${listed(own)}; names with \`${ownPrefix}\` are Countersign's own`, own);
  const acting = new Set([...writes, ...observes]);
  const shared = [...reads, ...models].filter((name) => acting.has(name));
  if (shared.length > 0)
    throw invalid(
      `the deciding and the acting half both declare ${listed(shared)}; give each half a credential of its own`,
      shared,
    );
  const both = writes.filter((name) => observes.includes(name));
  if (both.length > 0)
    throw invalid(`${listed(both)} would both write and observe; observe with another credential, one that only reads`, both);
}

const ownPrefix = "COUNTERSIGN_";

const purposes = { deciding: ["reads", "models"], desk: [], acting: ["writes", "observes"] } as const satisfies Record<
  VaultSide,
  readonly (keyof DeclaredSecrets)[]
>;

const ownOfAll = ["COUNTERSIGN_PAYLOAD_KEY", "COUNTERSIGN_ENVIRONMENT", "COUNTERSIGN_PROJECT"] as const;

/** Countersign's own settings and keys, by the process that may know them. */
const ownNames: Readonly<Record<VaultSide, readonly string[]>> = {
  deciding: [...ownOfAll, "COUNTERSIGN_DECIDING_URL", "COUNTERSIGN_API_KEYS", "COUNTERSIGN_DECIDER_PORT"],
  desk: [...ownOfAll, "COUNTERSIGN_DESK_URL", "COUNTERSIGN_DESK_KEY", "COUNTERSIGN_API_KEYS", "COUNTERSIGN_DECIDER_URL", "PORT"],
  acting: [...ownOfAll, "COUNTERSIGN_ACTING_URL", "COUNTERSIGN_POLICY_KEY", "COUNTERSIGN_DESK_PUBLIC_KEYS", "COUNTERSIGN_HEADS"],
};

function read(env: Environment, name: string): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value?.trim() ?? "";
}

function isName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]{0,99}$/.test(name);
}

function withoutValue(side: VaultSide, name: string): CountersignError {
  const message = `the variable \`${name}\` is not set or is empty; set it for the ${side} process`;
  return new CountersignError("secret_missing", message, { facts: { name, side } });
}

function unknownName(side: VaultSide, name: string | null): CountersignError {
  const what = name === null ? "what was asked for is no name that" : `\`${name}\` is not a name that`;
  return new CountersignError("secret_missing", `${what} the ${side} process may resolve; declare it by its name on that side`, {
    facts: { name, side },
  });
}

function invalid(message: string, names: readonly string[]): CountersignError {
  return new CountersignError("configuration_invalid", message, { facts: { names } });
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `\`${name}\``).join(", ");
}
