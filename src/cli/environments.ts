import { generateKeyPairSync } from "node:crypto";
import { type DatabaseRole, databaseRoles, type WriterRole } from "../contract/words.ts";
import type { Sandbox, SecretsByName } from "../define/sandbox.ts";
import { roleUrl } from "../store/migrate.ts";
import { checkpointsIn } from "./ledger-place.ts";
import { metricsVariables } from "./metrics-place.ts";
import { ownPolicies } from "./own-policies.ts";
import { publicKeysIn } from "./privacy-place.ts";
import { type DemoPerson, isSame, type Settings } from "./settings.ts";

/** Variables that every process may see; nothing else of the parent's environment is handed down. */
const common = ["PATH", "HOME", "TMPDIR", "TZ", "LANG", "NODE_EXTRA_CA_CERTS"] as const;

/** The project's own secrets by the process that may know them. */
export interface ProjectSecrets {
  readonly deciding: SecretsByName;
  readonly acting: SecretsByName;
}

/** Makes the environments: each process gets its own role's URL and its own secrets, and no other's. */
export function processEnvironments({
  settings,
  sandbox,
  adminUrl,
  project,
  directory,
  secrets,
  vaults = {},
  ports,
}: {
  settings: Settings;
  /** Where there is none, nothing shows itself as a demo. */
  sandbox: Sandbox | null;
  adminUrl: string;
  project: string;
  directory: string;
  secrets: ProjectSecrets;
  /** Where each process finds its section of the vault file, and that section's key. */
  vaults?: { readonly [role in WriterRole]?: Readonly<Record<string, string>> };
  ports: { desk: number; decider: number };
}): Record<DatabaseRole, NodeJS.ProcessEnv> {
  const urlOf = (role: DatabaseRole) =>
    process.env[urlNames[role]] ?? roleUrl({ adminUrl, role, password: settings.rolePasswords[role] });
  const base = {
    ...Object.fromEntries(common.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    COUNTERSIGN_ENVIRONMENT: sandbox === null ? (process.env["COUNTERSIGN_ENVIRONMENT"] ?? "development") : "demo",
    COUNTERSIGN_PROJECT: project,
  };
  const withKey = { ...base, COUNTERSIGN_PAYLOAD_KEY: settings.payloadKey, ...policiesOf(project) };
  const asserting = assertionKeys();
  return withMetrics({
    deciding: {
      ...withKey,
      [urlNames.deciding]: urlOf("deciding"),
      COUNTERSIGN_ASSERTION_PUBLIC_KEYS: asserting.open,
      COUNTERSIGN_PRIVACY_PUBLIC_KEYS: privacyPublicKeys(settings),
      COUNTERSIGN_CANARIES: settings.canary,
      ...Object.assign({}, ...passedToDecider.map(passedOn)),
      COUNTERSIGN_DECIDER_PORT: String(ports.decider),
      ...secrets.deciding,
      ...vaults.deciding,
    },
    desk: {
      ...withKey,
      [urlNames.desk]: urlOf("desk"),
      COUNTERSIGN_ASSERTION_KEY: asserting.secret,
      COUNTERSIGN_DESK_KEY: settings.deskKey,
      COUNTERSIGN_DECIDER_URL: `http://127.0.0.1:${ports.decider}`,
      ...(sandbox === null ? {} : { COUNTERSIGN_DEMO_PEOPLE: JSON.stringify(demoPeople({ settings, sandbox })) }),
      ...Object.assign({}, ...passedToDesk.map(passedOn)),
      PORT: String(ports.desk),
      ...vaults.desk,
    },
    acting: {
      ...withKey,
      [urlNames.acting]: urlOf("acting"),
      COUNTERSIGN_POLICY_KEY: settings.policyKey,
      COUNTERSIGN_DESK_PUBLIC_KEYS: settings.deskPublicKey,
      COUNTERSIGN_HEADS: `${directory}/heads`,
      COUNTERSIGN_LEDGER_KEY: settings.ledgerKeys.secret,
      COUNTERSIGN_CHECKPOINTS: checkpointsIn(directory),
      ...Object.assign({}, ...passedToWorker.map(passedOn)),
      ...secrets.acting,
      ...vaults.acting,
    },
    // Files documents: it needs no key of ours, since it reads nothing that is sealed or encrypted; its embedder may want one.
    ingesting: { ...base, [urlNames.ingesting]: urlOf("ingesting"), ...named(process.env, "COUNTERSIGN_INGESTING_SECRETS") },
  });
}

/** Each process with a port of its own for `/metrics`, where there is one. */
function withMetrics(env: Record<DatabaseRole, NodeJS.ProcessEnv>): Record<DatabaseRole, NodeJS.ProcessEnv> {
  const entry = (role: DatabaseRole) => [role, { ...env[role], ...metricsVariables(process.env, role) }];
  return Object.fromEntries(databaseRoles.map(entry));
}

/** Keys of this start alone, with which the desk says to the decider on whose behalf it calls; the decider gets the public half. */
function assertionKeys(): { readonly secret: string; readonly open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    open: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

/** The decider can verify an exemption from the privacy boundary, and sign none. */
function privacyPublicKeys({ privacyKeys }: Settings): string {
  return [privacyKeys.open, ...publicKeysIn(process.env["COUNTERSIGN_PRIVACY_PUBLIC_KEYS"])].join(",");
}

/** The folder of the project's own policies, the same for every process; nothing where it has none. */
function policiesOf(project: string): Readonly<Record<string, string>> {
  const folder = ownPolicies(project);
  return folder === null ? {} : { COUNTERSIGN_POLICIES: folder };
}

/** What the desk may be told of an identity provider, of where browsers reach it, and of how often people may ask. */
const passedToDesk = [
  ...["COUNTERSIGN_OIDC_ISSUER", "COUNTERSIGN_OIDC_AUDIENCE", "COUNTERSIGN_OIDC_JWKS_URL", "COUNTERSIGN_OIDC_ALGORITHMS"],
  ...["COUNTERSIGN_OIDC_ROLES_CLAIM", "COUNTERSIGN_OIDC_CLIENT_ID", "COUNTERSIGN_OIDC_CLIENT_SECRET", "COUNTERSIGN_DESK_ORIGIN"],
  ...["COUNTERSIGN_ACCOUNT_RATE", "COUNTERSIGN_ADDRESS_RATE", "COUNTERSIGN_PROXIES"],
  ...["COUNTERSIGN_MOST_AT_ONCE", "COUNTERSIGN_MOST_LISTENERS"],
];

const passedToDecider = ["COUNTERSIGN_PRICES", "COUNTERSIGN_REGION", "COUNTERSIGN_FLAGS", "COUNTERSIGN_MOST_AT_ONCE"];

/** The last: people whose roles a provider said have none in their accounts to be looked up. */
const passedToWorker = [
  ...["COUNTERSIGN_LEDGER_NAME", "COUNTERSIGN_LEDGER_WITNESS", "COUNTERSIGN_TAKE_OVER_MS"],
  "COUNTERSIGN_OIDC_ROLES_CLAIM",
];

/** A variable of `start`'s own environment, where it is set. */
function passedOn(name: string): Readonly<Record<string, string>> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}

/** The people that the demo offers for signing in: those of its own sandbox, and nobody else that the installation knows. */
export function demoPeople({ settings, sandbox }: { settings: Settings; sandbox: Sandbox }): readonly DemoPerson[] {
  return settings.people.filter((person) => sandbox.people.some((one) => isSame(one, person)));
}

const urlNames: Readonly<Record<DatabaseRole, string>> = {
  deciding: "COUNTERSIGN_DECIDING_URL",
  desk: "COUNTERSIGN_DESK_URL",
  acting: "COUNTERSIGN_ACTING_URL",
  ingesting: "COUNTERSIGN_INGESTING_URL",
};

/** The secrets of a project without a sandbox: the variables that `COUNTERSIGN_DECIDING_SECRETS` and `COUNTERSIGN_ACTING_SECRETS` name. */
export function secretsFromEnvironment(env: NodeJS.ProcessEnv): ProjectSecrets {
  return {
    deciding: named(env, "COUNTERSIGN_DECIDING_SECRETS"),
    acting: named(env, "COUNTERSIGN_ACTING_SECRETS"),
  };
}

/** The variables that a comma list in another variable names, as far as they are set. */
function named(env: NodeJS.ProcessEnv, list: string): Readonly<Record<string, string>> {
  return Object.fromEntries((env[list] ?? "").split(",").flatMap((name) => variable(env, name.trim())));
}

function variable(env: NodeJS.ProcessEnv, name: string): [string, string][] {
  const value = env[name];
  return value === undefined ? [] : [[name, value]];
}
