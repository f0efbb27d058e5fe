import { CountersignError } from "../contract/errors.ts";

/** The three processes, each with a vault of its own. */
export type VaultSide = "deciding" | "desk" | "acting";

/** The names that a project's connectors and providers declare, by what the secret is for. */
export interface DeclaredSecrets {
  readonly reads: readonly string[];
  readonly models: readonly string[];
  readonly writes: readonly string[];
  readonly observes: readonly string[];
}

/** What a secret is for: a use that a project declares, or `own` for a key of Countersign itself. */
export type SecretPurpose = keyof DeclaredSecrets | "own";

/** The uses whose secrets each process resolves. */
export const purposesOf = { deciding: ["reads", "models"], desk: [], acting: ["writes", "observes"] } as const satisfies Record<
  VaultSide,
  readonly (keyof DeclaredSecrets)[]
>;

const ownOfAll = [
  "COUNTERSIGN_PAYLOAD_KEY",
  "COUNTERSIGN_ENVIRONMENT",
  "COUNTERSIGN_PROJECT",
  "COUNTERSIGN_METRICS_KEY",
] as const;

/** Countersign's own settings and keys, by the process that may know them. */
export const ownNames: Readonly<Record<VaultSide, readonly string[]>> = {
  deciding: [...ownOfAll, "COUNTERSIGN_DECIDING_URL", "COUNTERSIGN_ASSERTION_PUBLIC_KEYS", "COUNTERSIGN_DECIDER_PORT"],
  desk: [
    ...ownOfAll,
    "COUNTERSIGN_DESK_URL",
    "COUNTERSIGN_DESK_KEY",
    "COUNTERSIGN_ASSERTION_KEY",
    "COUNTERSIGN_OIDC_CLIENT_SECRET",
    "COUNTERSIGN_DECIDER_URL",
    "PORT",
  ],
  acting: [
    ...ownOfAll,
    "COUNTERSIGN_ACTING_URL",
    "COUNTERSIGN_POLICY_KEY",
    "COUNTERSIGN_DESK_PUBLIC_KEYS",
    "COUNTERSIGN_HEADS",
    "COUNTERSIGN_LEDGER_KEY",
  ],
};

/** Those of them that are secrets, which a vault file may hold; where a process finds things is said in its environment alone. */
export const ownSecrets: Readonly<Record<VaultSide, readonly string[]>> = {
  deciding: ["COUNTERSIGN_PAYLOAD_KEY", "COUNTERSIGN_METRICS_KEY", "COUNTERSIGN_DECIDING_URL"],
  desk: [
    "COUNTERSIGN_PAYLOAD_KEY",
    "COUNTERSIGN_METRICS_KEY",
    "COUNTERSIGN_DESK_URL",
    "COUNTERSIGN_DESK_KEY",
    "COUNTERSIGN_ASSERTION_KEY",
    "COUNTERSIGN_OIDC_CLIENT_SECRET",
  ],
  acting: [
    "COUNTERSIGN_PAYLOAD_KEY",
    "COUNTERSIGN_METRICS_KEY",
    "COUNTERSIGN_ACTING_URL",
    "COUNTERSIGN_POLICY_KEY",
    "COUNTERSIGN_LEDGER_KEY",
  ],
};

const ownPrefix = "COUNTERSIGN_";

/** Says whether a secret of that name and purpose may stand in a side's section. */
export function mayBeKept(side: VaultSide, name: string, purpose: SecretPurpose): boolean {
  if (purpose === "own") return ownSecrets[side].includes(name);
  return isName(name) && !name.startsWith(ownPrefix) && purposesOf[side].some((one) => one === purpose);
}

/** Says whether a text can be the name of a secret, which is that of a variable too. */
export function isName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]{0,99}$/.test(name);
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

function invalid(message: string, names: readonly string[]): CountersignError {
  return new CountersignError("configuration_invalid", message, { facts: { names } });
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `\`${name}\``).join(", ");
}
