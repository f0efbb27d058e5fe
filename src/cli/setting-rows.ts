import { join } from "node:path";
import { nameOfLedgers } from "../ledger/proofs/publisher.ts";
import { readSigningKey } from "../store/signature.ts";
import type { Settings } from "./settings.ts";

/** The installation that settings are of. */
export interface SettingPlace {
  readonly directory: string;
  readonly project: string;
  /** What `start` keeps; `null` where nothing was started here. */
  readonly settings: Settings | null;
  readonly hasSandbox: boolean;
  /** The vault file, where there is one. */
  readonly vault: string | null;
}

/** One setting: how much of it may be shown, and what it is where nobody says it. */
export interface SettingRow {
  /** `address` is shown without what may be a credential in it, `secret` never. */
  readonly shows: "value" | "address" | "secret";
  /** Kept by the installation: `start` hands this to its processes and passes over its environment. */
  readonly kept?: (settings: Settings) => string;
  /** Of what is kept: the environment comes first, or both count. */
  readonly beside?: "environment_first" | "both";
  /** What `start` says whatever the environment does; `null` for what it makes anew each time, `undefined` where it says nothing. */
  readonly byStart?: (place: SettingPlace) => string | null | undefined;
  readonly usual?: (place: SettingPlace) => string | null;
}

const value: SettingRow = { shows: "value" };
const address: SettingRow = { shows: "address" };
const secret: SettingRow = { shows: "secret" };
const usually = (usual: string): SettingRow => ({ ...value, usual: () => usual });
const madeAnew = () => null;
const loginOf = (role: keyof Settings["rolePasswords"]): SettingRow => ({
  ...secret,
  kept: ({ rolePasswords }) => rolePasswords[role],
  beside: "environment_first",
});

/** Every setting by its variable, in the order of docs/settings.md. */
export const settingRows: Readonly<Record<string, SettingRow>> = {
  COUNTERSIGN_PROJECT: { ...value, usual: ({ project }) => project },
  COUNTERSIGN_ENVIRONMENT: { ...usually("development"), byStart: ({ hasSandbox }) => (hasSandbox ? "demo" : undefined) },
  COUNTERSIGN_PAYLOAD_KEY: { ...secret, kept: ({ payloadKey }) => payloadKey },
  COUNTERSIGN_DECIDING_URL: loginOf("deciding"),
  COUNTERSIGN_DESK_URL: loginOf("desk"),
  COUNTERSIGN_ACTING_URL: loginOf("acting"),
  COUNTERSIGN_INGESTING_URL: loginOf("ingesting"),
  COUNTERSIGN_ASSERTION_KEY: { ...secret, byStart: madeAnew },
  COUNTERSIGN_ASSERTION_PUBLIC_KEYS: { ...value, byStart: madeAnew },
  COUNTERSIGN_DECIDER_PORT: { ...value, byStart: madeAnew },
  COUNTERSIGN_CANARIES: { ...secret, kept: ({ canary }) => canary },
  COUNTERSIGN_REGION: value,
  COUNTERSIGN_FLAGS: value,
  COUNTERSIGN_PRIVACY_PUBLIC_KEYS: { ...value, kept: ({ privacyKeys }) => privacyKeys.open, beside: "both" },
  COUNTERSIGN_PRIVACY_KEY: { ...secret, kept: ({ privacyKeys }) => privacyKeys.secret, beside: "environment_first" },
  COUNTERSIGN_PRICES: value,
  COUNTERSIGN_METRICS_PORT: value,
  COUNTERSIGN_METRICS_KEY: secret,
  COUNTERSIGN_TRIAL: secret,
  COUNTERSIGN_DECIDER_URL: { ...address, byStart: madeAnew },
  COUNTERSIGN_DESK_KEY: { ...secret, kept: ({ deskKey }) => deskKey },
  COUNTERSIGN_DEMO_PEOPLE: { ...secret, byStart: ({ hasSandbox }) => (hasSandbox ? null : undefined) },
  PORT: usually("4600"),
  COUNTERSIGN_DESK_ORIGIN: address,
  COUNTERSIGN_OIDC_ISSUER: address,
  COUNTERSIGN_OIDC_AUDIENCE: value,
  COUNTERSIGN_OIDC_JWKS_URL: address,
  COUNTERSIGN_OIDC_ALGORITHMS: usually("RS256,ES256,EdDSA"),
  COUNTERSIGN_OIDC_ROLES_CLAIM: value,
  COUNTERSIGN_OIDC_CLIENT_ID: value,
  COUNTERSIGN_OIDC_CLIENT_SECRET: secret,
  COUNTERSIGN_ACCOUNT_RATE: usually("200"),
  COUNTERSIGN_ADDRESS_RATE: usually("1"),
  COUNTERSIGN_PROXIES: usually("0"),
  COUNTERSIGN_MOST_AT_ONCE: usually("1000"),
  COUNTERSIGN_MOST_LISTENERS: usually("1000"),
  COUNTERSIGN_POLICIES: { ...value, usual: ({ project }) => join(project, "policies") },
  COUNTERSIGN_POLICY_KEY: { ...secret, kept: ({ policyKey }) => policyKey },
  COUNTERSIGN_DESK_PUBLIC_KEYS: { ...value, kept: ({ deskPublicKey }) => deskPublicKey },
  COUNTERSIGN_TAKE_OVER_MS: usually("5000"),
  COUNTERSIGN_HEADS: { ...value, byStart: ({ directory }) => join(directory, "heads") },
  COUNTERSIGN_LEDGER_KEY: { ...secret, kept: ({ ledgerKeys }) => ledgerKeys.secret },
  COUNTERSIGN_LEDGER_NAME: { ...value, usual: ({ settings }) => nameByKey(settings) },
  COUNTERSIGN_CHECKPOINTS: { ...value, usual: ({ directory }) => join(directory, "checkpoints") },
  COUNTERSIGN_LEDGER_WITNESS: address,
  COUNTERSIGN_DECIDING_SECRETS: value,
  COUNTERSIGN_ACTING_SECRETS: value,
  COUNTERSIGN_INGESTING_SECRETS: value,
  COUNTERSIGN_VAULT: { ...value, byStart: ({ vault }) => vault ?? undefined },
  COUNTERSIGN_VAULT_KEY: secret,
  COUNTERSIGN_VAULT_KEY_FILE: { ...value, byStart: ({ vault }) => (vault === null ? undefined : null) },
  COUNTERSIGN_BACKUP_PASSPHRASE: secret,
  DATABASE_URL: secret,
};

function nameByKey(settings: Settings | null): string | null {
  return settings === null ? null : nameOfLedgers(readSigningKey(settings.ledgerKeys.secret));
}
