import { existsSync } from "node:fs";
import { CountersignError, isCountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";
import { providerSettings } from "../identity/provider-settings.ts";
import { openWitness } from "../ledger/proofs/witness.ts";
import { checkMetricsKey } from "../server/metrics.ts";
import { readPublicKeys, readSigningKey } from "../store/signature.ts";
import { isName } from "../vault/names.ts";
import { parseVaultKey } from "../vault/vault-key.ts";
import { eventLimits } from "./event-limits.ts";
import { hasEntry } from "./load.ts";
import { metricsVariables } from "./metrics-place.ts";
import { portNumber } from "./port.ts";
import { publicKeysIn } from "./privacy-place.ts";
import { mostAtOnce, rateLimits } from "./rates.ts";
import { settingRows } from "./setting-rows.ts";

/** What is wrong with a setting, in words without its value. */
export interface SettingFault {
  readonly name: string;
  readonly problem: string;
}

type Check = (text: string, env: NodeJS.ProcessEnv) => unknown;

const folder: Check = (path) => existsSync(path) || wrong("names what is not there");
const login: Check = (text) =>
  /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "") || wrong("is no address such as `postgresql://login@host/database`");
const signingKey: Check = (text) => readSigningKey(text);
const publicKeys: Check = (text) => readPublicKeys(publicKeysIn(text));
const rate =
  (name: string): Check =>
  (text) =>
    rateLimits({ [name]: text });
const names: Check = (text, env) => {
  for (const name of text.split(",").map((one) => one.trim())) {
    if (!isName(name)) wrong("is no list of names of variables, joined by commas");
    if ((env[name] ?? "") === "") wrong(`names \`${name}\`, which is not set`);
  }
};

/** The same checks that the processes make of their settings, before any is started. */
const checks: Readonly<Record<string, Check>> = {
  COUNTERSIGN_PROJECT: (path) => hasEntry(path, "project") || wrong("names a folder without a `project.ts`"),
  COUNTERSIGN_ENVIRONMENT: (text) => idPattern.test(text) || wrong("is a word such as `production`"),
  COUNTERSIGN_PAYLOAD_KEY: (text) => Buffer.from(text, "base64").length === 32 || wrong("is not 32 bytes in base64"),
  COUNTERSIGN_DECIDING_URL: login,
  COUNTERSIGN_DESK_URL: login,
  COUNTERSIGN_ACTING_URL: login,
  COUNTERSIGN_INGESTING_URL: login,
  DATABASE_URL: login,
  COUNTERSIGN_ASSERTION_KEY: signingKey,
  COUNTERSIGN_PRIVACY_KEY: signingKey,
  COUNTERSIGN_DESK_KEY: signingKey,
  COUNTERSIGN_POLICY_KEY: signingKey,
  COUNTERSIGN_LEDGER_KEY: signingKey,
  COUNTERSIGN_ASSERTION_PUBLIC_KEYS: publicKeys,
  COUNTERSIGN_PRIVACY_PUBLIC_KEYS: publicKeys,
  COUNTERSIGN_DESK_PUBLIC_KEYS: publicKeys,
  PORT: portNumber,
  COUNTERSIGN_DECIDER_PORT: portNumber,
  COUNTERSIGN_METRICS_PORT: (_text, env) => metricsVariables(env, "deciding"),
  COUNTERSIGN_METRICS_KEY: checkMetricsKey,
  COUNTERSIGN_PRICES: folder,
  COUNTERSIGN_POLICIES: folder,
  COUNTERSIGN_VAULT: folder,
  COUNTERSIGN_VAULT_KEY_FILE: folder,
  COUNTERSIGN_VAULT_KEY: (text) => parseVaultKey(text, "`COUNTERSIGN_VAULT_KEY`"),
  COUNTERSIGN_ACCOUNT_RATE: rate("COUNTERSIGN_ACCOUNT_RATE"),
  COUNTERSIGN_ADDRESS_RATE: rate("COUNTERSIGN_ADDRESS_RATE"),
  COUNTERSIGN_PROXIES: rate("COUNTERSIGN_PROXIES"),
  COUNTERSIGN_MOST_AT_ONCE: (_text, env) => mostAtOnce(env),
  COUNTERSIGN_MOST_LISTENERS: (_text, env) => eventLimits(env),
  COUNTERSIGN_OIDC_ISSUER: (_text, env) => providerSettings(env, () => null),
  COUNTERSIGN_TAKE_OVER_MS: (text) =>
    (/^\d{3,6}$/.test(text) && Number(text) >= 100 && Number(text) <= 600_000) || wrong("is a whole number from 100 to 600000"),
  COUNTERSIGN_LEDGER_WITNESS: (text) => openWitness(text),
  COUNTERSIGN_DECIDING_SECRETS: names,
  COUNTERSIGN_ACTING_SECRETS: names,
  COUNTERSIGN_INGESTING_SECRETS: names,
};

/** Variables of the command line, which are options of their commands. */
const ofCommands = ["COUNTERSIGN_URL", "COUNTERSIGN_KEY", "COUNTERSIGN_DEBUG"];

/** What is wrong with the settings that the environment says, and with those of the installation's flags that stand for one. */
export function settingFaults(env: NodeJS.ProcessEnv): readonly SettingFault[] {
  const said = Object.entries(checks).flatMap(([name, check]) => {
    const text = env[name]?.trim() ?? "";
    return text === "" ? [] : faultsOf({ name, check: () => check(text, env) });
  });
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith("COUNTERSIGN_") && !Object.hasOwn(settingRows, name) && !ofCommands.includes(name))
    .map((name) => ({ name, problem: "is no setting, so nothing reads it; docs/settings.md lists them" }));
  return [...said, ...unknown, ...lonelyPort(env)];
}

function lonelyPort(env: NodeJS.ProcessEnv): readonly SettingFault[] {
  const isLonely = (env["COUNTERSIGN_METRICS_PORT"] ?? "") !== "" && (env["COUNTERSIGN_METRICS_KEY"] ?? "") === "";
  return isLonely ? [{ name: "COUNTERSIGN_METRICS_PORT", problem: "needs `COUNTERSIGN_METRICS_KEY` beside it" }] : [];
}

function faultsOf({ name, check }: { name: string; check: () => unknown }): readonly SettingFault[] {
  try {
    check();
    return [];
  } catch (thrown) {
    if (!isCountersignError(thrown)) throw thrown;
    return [{ name, problem: thrown.message }];
  }
}

function wrong(problem: string): never {
  throw new CountersignError("configuration_invalid", problem);
}
